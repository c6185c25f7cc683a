import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { CountOfRows, Paging } from '../../../feed/list.tsx';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Item, ItemList, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { KeyItem } from './item.tsx';
import { type KeyChange, keysQuery, type Maker, makerOf } from './keys.ts';
import { asked, STATES, withoutSecret } from './search.ts';
import type { Key } from './types.ts';

const route = getRouteApi('/shell/settings/keys');
const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** The API keys: of the tenant for administrators, the user's own for others. */
export function ApiKeys() {
  const { isAdministrator } = useSession();
  const search = asked(route.useSearch());
  const [change, setChange] = useState<KeyChange | null>(null);
  const query = useQuery(keysQuery(search));
  const { data } = query;
  return (
    <>
      <PageHead title={t('API keys')}>
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'create' })}>
          {t('New key')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {isAdministrator
            ? t(
                'Programs and MCP clients show a key to be let in. Each key may do what it was made for, whoever uses it.',
              )
            : t(
                'Programs and MCP clients show a key to be let in. These are the keys that you made; administrators see those of everybody.',
              )}
        </p>
        <Filters />
        <QueryState query={query} height={320} />
        {data && (
          <>
            <About keys={data.keys} onChange={setChange} />
            {data.total > 0 && <CountOfRows noun="key" total={data.total} number={search.number} />}
            <Rows label={t('API keys, the newest first')} rows={data.keys} total={data.total} {...noKeys(search)}>
              {(key) => <KeyItem key={key.id} apiKey={key} onChange={setChange} />}
            </Rows>
            <Paging label={t('Pages of API keys')} number={search.number} total={data.total} />
          </>
        )}
      </div>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function Filters() {
  const { isAdministrator } = useSession();
  const { state, isLeavers } = asked(route.useSearch());
  const setSearch = useSetSearch();
  const reason = isAdministrator ? undefined : t('You see your own keys. Administrators see those of people who left.');
  return (
    <div className="stack tight">
      <div className="fields">
        <SearchField label={t('Search keys by label or id')} cleaned={withoutSecret} />
        <div className="search">
          <SelectField
            label={t('State')}
            value={state}
            options={STATES}
            onChoose={(next) =>
              setSearch({ state: next === STATES[0].value ? undefined : next, leavers: undefined, page: undefined })
            }
          />
        </div>
      </div>
      <div className="row">
        <Button
          aria-pressed={isLeavers}
          reason={reason}
          onClick={() =>
            setSearch({ leavers: isLeavers ? undefined : 'true', maker: undefined, state: undefined, page: undefined })
          }
        >
          {t('Keys of people who left')}
        </Button>
      </div>
    </div>
  );
}

/** The people whose keys the filters ask for, and what can be done with all of theirs. */
function About({ keys, onChange }: { keys: readonly Key[]; onChange(change: KeyChange): void }) {
  const { maker, isLeavers } = asked(route.useSearch());
  const makers = new Map(keys.flatMap((key) => (key.maker ? [[key.maker.id, key] as const] : [])));
  if (maker === undefined && !isLeavers) return null;
  // While other keys are read, those of the last filter stand here.
  const isMeant = (id: string, key: Key) => (isLeavers ? !key.maker?.isActive : id === maker);
  const shown = [...makers].filter(([id, key]) => isMeant(id, key)).map(([, key]) => key);
  return (
    <>
      {shown.length > 0 && (
        <ItemList label={isLeavers ? t('People who left') : t('The maker of these keys')}>
          {shown.map((key) => (
            <MakerItem key={key.maker?.id} of={key} onRevoke={(who) => onChange({ kind: 'revoke-all', maker: who })} />
          ))}
        </ItemList>
      )}
      {maker !== undefined && (
        <p>
          <Link to="." search={(before) => ({ ...before, maker: undefined, page: undefined })}>
            {t('Show the keys of everybody')}
          </Link>
        </p>
      )}
    </>
  );
}

function MakerItem({ of: key, onRevoke }: { of: Key; onRevoke(maker: Maker): void }) {
  const maker = makerOf(key)!;
  const { email, isActive } = key.maker!;
  return (
    <Item
      title={maker.name}
      end={
        <Button
          look="danger"
          onClick={() => onRevoke(maker)}
          aria-label={t('Revoke all keys of {name}', { name: maker.name })}
        >
          {t('Revoke all …')}
        </Button>
      }
    >
      <p className="small muted">
        {email ?? t('User {id}', { id: maker.id })}
        {!isActive && ` · ${t('cannot log in any more; keys go on until they are revoked')}`}
      </p>
    </Item>
  );
}

/** Says why there are no keys, and has the next step. */
function noKeys({ search, isLeavers, state, maker }: ReturnType<typeof asked>) {
  const all = (
    <Link to="." search={{ state: 'all' }}>
      {t('Show all keys')}
    </Link>
  );
  if (isLeavers) {
    const next = <p>{t('When somebody is deactivated, their keys go on until they are revoked, and appear here.')}</p>;
    return { none: t('Nobody who left has a working key'), next };
  }
  const isFiltered = search !== undefined || maker !== undefined || state !== STATES[0].value;
  if (isFiltered) return { none: t('No key matches'), next: all };
  return {
    none: t('No working key'),
    next: (
      <p>
        {t.nodes(
          'Make a key for an MCP client, for a program that sends events, or for your server. {link}, also former ones.',
          { link: all },
        )}
      </p>
    ),
  };
}
