import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Paging } from '../../../feed/list.tsx';
import { lastPage, PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { type Credential, type CredentialChange, credentialsQuery, listedBy, matching } from './credentials.ts';

const route = getRouteApi('/shell/settings/credentials');
const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** The secrets that connectors send to other systems. For administrators. */
export const Credentials = forAdministrators(
  t('Credentials'),
  t('Only administrators see credentials.'),
  CredentialList,
);

function CredentialList() {
  const { search, page } = route.useSearch();
  const [change, setChange] = useState<CredentialChange | null>(null);
  const query = useQuery(credentialsQuery);
  const all = query.data?.credentials;
  const found = matching(all ?? [], search);
  const number = Math.min(lastPage(found.length), pageNumber(page));
  return (
    <>
      <PageHead title={t('Credentials')}>
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
          {t('New credential')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t(
            'The passwords, tokens and keys that connectors send to other systems. They are stored sealed, go to their hosts alone, and are never shown.',
          )}
        </p>
        {all && all.length > 0 && <SearchField label={t('Search credentials by name, host or connector')} />}
        <QueryState query={query} height={240} />
        <Rows
          label={t('Credentials, by name')}
          rows={all && found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)}
          none={all?.length === 0 ? t('No credential yet') : t('No credential matches')}
          next={
            all?.length === 0 ? (
              <p>
                {t(
                  'Set one before the connector that needs it: docs/connectors.md has an example. Connectors without authentication need none.',
                )}
              </p>
            ) : (
              <Link to="." search={{}}>
                {t('Show all credentials')}
              </Link>
            )
          }
        >
          {(credential) => <CredentialItem key={credential.name} credential={credential} onChange={setChange} />}
        </Rows>
        <Paging label={t('Pages of credentials')} number={number} total={found.length} />
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
  const fixed = listed && t('{connectors}: change that first.', { connectors: listed });
  const change = (kind: 'secret' | 'hosts' | 'remove') => () => onChange({ kind, credential });
  return (
    <Item
      title={name}
      beside={listed === undefined && <Badge tone="muted">{t('No connector lists it')}</Badge>}
      end={
        <Actions
          actions={[
            { label: t('Replace …'), name: t('Replace the secret of {name}', { name }), onClick: change('secret') },
            { label: t('Hosts …'), name: t('Change the hosts of {name}', { name }), onClick: change('hosts') },
            { label: t('Remove …'), name: t('Remove {name}', { name }), reason: fixed, onClick: change('remove') },
          ]}
        />
      }
    >
      <p className="small">
        {username === null
          ? t('Sent to {hosts}', { hosts: hosts.join(', ') })
          : t('Sent to {hosts} as {username}', { hosts: hosts.join(', '), username })}
      </p>
      {listed !== undefined && <p className="small">{listed}.</p>}
      <p className="small muted">
        {t.nodes('set {time}', { time: <Time iso={updatedAt} /> })} ·{' '}
        {lastUsedAt === null
          ? t('no call has used it')
          : t.nodes('last used {time}', { time: <Time iso={lastUsedAt} /> })}
      </p>
    </Item>
  );
}
