import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Paging } from '../../../feed/list.tsx';
import { lastPage, PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time, When } from '../../../ui/time.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { type Credential, type CredentialChange, credentialsQuery, listedBy, matching } from './credentials.ts';

const route = getRouteApi('/shell/settings/credentials');
const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** The secrets that connectors send to other systems. For administrators. */
export const Credentials = forAdministrators('Credentials', 'credentials', CredentialList);

function CredentialList() {
  const { search, page } = route.useSearch();
  const [change, setChange] = useState<CredentialChange | null>(null);
  const query = useQuery(credentialsQuery);
  const all = query.data?.credentials;
  const found = matching(all ?? [], search);
  const number = Math.min(lastPage(found.length), pageNumber(page));
  return (
    <>
      <PageHead title="Credentials">
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
          New credential
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          The passwords, tokens and keys that connectors send to other systems. They are stored sealed, go to their
          hosts alone, and are never shown.
        </p>
        {all && all.length > 0 && <SearchField label="Search credentials by name, host or connector" />}
        <QueryState query={query} what="credentials" height={240} />
        <Rows
          label="Credentials, by name"
          rows={all && found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)}
          none={all?.length === 0 ? 'No credential yet' : 'No credential matches'}
          next={
            all?.length === 0 ? (
              <p>
                Set one before the connector that needs it: docs/connectors.md has an example. Connectors without
                authentication need none.
              </p>
            ) : (
              <Link to="." search={{}}>
                Show all credentials
              </Link>
            )
          }
        >
          {(credential) => <CredentialItem key={credential.name} credential={credential} onChange={setChange} />}
        </Rows>
        <Paging label="Pages of credentials" number={number} total={found.length} />
      </div>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

interface CredentialItemProps {
  credential: Credential;
  onChange(change: CredentialChange): void;
}

function CredentialItem({ credential, onChange }: CredentialItemProps) {
  const { name, username, hosts, updatedAt, lastUsedAt } = credential;
  const listed = listedBy(credential);
  const fixed = listed && `${listed}: change that first.`;
  const change = (kind: 'secret' | 'hosts' | 'remove') => () => onChange({ kind, credential });
  return (
    <Item
      title={name}
      beside={listed === undefined && <Badge tone="muted">No connector lists it</Badge>}
      end={
        <Actions
          actions={[
            { label: 'Replace …', name: `Replace the secret of ${name}`, onClick: change('secret') },
            { label: 'Hosts …', name: `Change the hosts of ${name}`, onClick: change('hosts') },
            { label: 'Remove …', name: `Remove ${name}`, reason: fixed, onClick: change('remove') },
          ]}
        />
      }
    >
      <p className="small">
        Sent to {hosts.join(', ')}
        {username !== null && <> as {username}</>}
      </p>
      {listed !== undefined && <p className="small">{listed}.</p>}
      <p className="small muted">
        set <Time iso={updatedAt} /> · <When words="last used" iso={lastUsedAt} none="no call has used it" />
      </p>
    </Item>
  );
}
