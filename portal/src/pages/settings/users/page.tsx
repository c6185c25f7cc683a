import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { ROLES, type Role, roleLabel } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { Paging } from '../../../feed/list.tsx';
import { PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { When } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { forAdministrators } from '../administrator-page.tsx';
import { Invitations } from './invitations.tsx';
import type { InviteStart } from './invite.tsx';
import { RoleLimits } from './role-limits.tsx';
import { INVITATIONS, STATES, type State, USERS, type User } from './users.ts';

const InviteDialog = lazyDialog(() => import('./invite.tsx'));

const route = getRouteApi('/shell/settings/users');
/** As many as a tenant may have, nearly always. */
const MAX_INVITATIONS = 500;

/** The people of the workspace, and those who are invited. */
export const Users = forAdministrators(t('Users'), t('Only administrators see users.'), People);

function useFilters() {
  const { search, role, state, page } = route.useSearch();
  return {
    search,
    role: ROLES.find((one) => one.role === role)?.role,
    state: STATES.find(({ value }) => value === state)?.value ?? '',
    number: pageNumber(page),
  };
}

function People() {
  const { state } = useFilters();
  const [inviting, setInviting] = useState<InviteStart | null>(null);
  const params = { query: { limit: MAX_INVITATIONS } };
  const invitations = api.useQuery('get', INVITATIONS, { params }, { placeholderData: keepPreviousData });
  const open = invitations.data?.total ?? 0;
  return (
    <>
      <PageHead title={t('Users')}>
        <Button look="primary" icon="add" onClick={() => setInviting({ email: '', role: 'VIEWER' })}>
          {t('Invite somebody')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t('The people who may log in to this workspace. A role says what each may do.')}{' '}
          {state !== 'invited' && (
            <Link to="/settings/users" search={{ state: 'invited' }}>
              {open > 0 ? t('Open invitations ({open})', { open }) : t('Open invitations')}
            </Link>
          )}
        </p>
        <details className="folded">
          <summary>{t('What each role may do')}</summary>
          <Facts label={t('Roles')} facts={Object.fromEntries(ROLES.map(({ label, may }) => [label, may]))} />
        </details>
        <Folded summary={t('What roles may see')}>{() => <RoleLimits />}</Folded>
        <Filters />
        {state === 'invited' ? <Invitations query={invitations} onInvite={setInviting} /> : <UserList />}
      </div>
      {inviting && (
        <InviteDialog start={inviting} sendsMail={invitations.data?.mail ?? false} onClose={() => setInviting(null)} />
      )}
    </>
  );
}

function Filters() {
  const { role, state } = useFilters();
  const setSearch = useSetSearch();
  return (
    <div className="fields">
      <SearchField label={t('Search by name or e-mail')} />
      <SelectField<Role | ''>
        label={t('Role')}
        value={role ?? ''}
        options={[{ value: '', label: t('Any') }, ...ROLES.map((one) => ({ value: one.role, label: one.label }))]}
        onChoose={(next) => setSearch({ role: next || undefined, page: undefined })}
      />
      <SelectField<State>
        label={t('State')}
        value={state}
        options={STATES}
        onChoose={(next) => setSearch({ state: next || undefined, page: undefined })}
      />
    </div>
  );
}

function UserList() {
  const { search, role, state, number } = useFilters();
  const asked = { search, role, state: state === 'active' || state === 'inactive' ? state : undefined };
  const params = { query: { ...asked, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE } };
  const query = api.useQuery('get', USERS, { params }, { placeholderData: keepPreviousData });
  const { user: me } = useSession();
  const { data } = query;
  return (
    <>
      <QueryState query={query} height={320} />
      <Rows
        label={t('Users, the newest first')}
        rows={data?.users}
        total={data?.total}
        none={t('Nobody matches')}
        next={
          <Link to="/settings/users" search={{}}>
            {t('Show everybody')}
          </Link>
        }
      >
        {(user) => <UserItem key={user.id} user={user} isMe={user.id === me.id} />}
      </Rows>
      {data && (
        <div className="row">
          <span className="small muted">{t.count(data.total, 'One user', '{count} users')}</span>
          <Paging label={t('Pages of users')} number={number} total={data.total} />
        </div>
      )}
    </>
  );
}

function UserItem({ user, isMe }: { user: User; isMe: boolean }) {
  const { id, name, email, role, isActive, lastLoginAt } = user;
  return (
    <Item
      title={
        <ItemLink to="/settings/users/$id" params={{ id }}>
          {name}
        </ItemLink>
      }
      beside={
        <>
          <Badge>{roleLabel(role)}</Badge>
          {isMe && <Badge tone="good">{t('you')}</Badge>}
          {!isActive && <Badge tone="muted">{t('deactivated')}</Badge>}
        </>
      }
    >
      <p className="small muted">
        {email} · <When text="last login {time}" iso={lastLoginAt} none={t('has not logged in yet')} />
      </p>
    </Item>
  );
}
