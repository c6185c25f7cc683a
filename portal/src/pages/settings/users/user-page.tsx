import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { ROLES, roleLabel } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import type { UserChange } from './dialogs.tsx';
import { UserSessions } from './sessions.tsx';
import { type Reasons, reasonsFor, USER, type User } from './users.ts';

const UserDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/settings/users/$id');

/** One user: what is known, and what an administrator may do. */
export const UserPage = forAdministrators('User', 'users', OneUser);

function OneUser() {
  const { id } = route.useParams();
  const query = api.useQuery('get', USER, { params: { path: { id } } });
  const { user: me } = useSession();
  const [change, setChange] = useState<UserChange | null>(null);
  const { data: user } = query;
  if (!user) {
    return (
      <UnreadPage title="User" missing={t('There is no such user')} query={query}>
        <Link to="/settings/users">All users</Link>
      </UnreadPage>
    );
  }
  const reasons = reasonsFor(me, user);
  return (
    <>
      <PageHead title={user.name}>
        {user.isActive ? (
          <Button reason={reasons.deactivate} onClick={() => setChange({ kind: 'deactivate', user })}>
            Deactivate …
          </Button>
        ) : (
          <Button reason={reasons.deactivate} onClick={() => setChange({ kind: 'reactivate', user })}>
            Reactivate …
          </Button>
        )}
        <Button look="primary" icon="edit" onClick={() => setChange({ kind: 'edit', id })}>
          Edit
        </Button>
      </PageHead>
      <div className="stack narrow">
        <QueryState query={query} />
        <p>
          <Link to="/settings/users">All users</Link>
        </p>
        <section className="panel padded stack" aria-label="User">
          {!user.isActive && <p className="notice warning">Deactivated: this user cannot log in.</p>}
          <UserFacts user={user} isMe={user.id === me.id} />
        </section>
        <Section id="sessions" title="Sessions">
          <UserSessions user={user} reason={reasons.sessions} />
        </Section>
        <Section id="second-factor" title="Second factor">
          <SecondFactor user={user} reasons={reasons} onChange={setChange} />
        </Section>
        <Section id="password" title="Password">
          <p className="muted">A new password ends all sessions of the user, and what applications may do for them.</p>
          <div className="row">
            <Button reason={reasons.password} onClick={() => setChange({ kind: 'password', user })}>
              Set a password …
            </Button>
          </div>
        </Section>
      </div>
      {change && <UserDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function UserFacts({ user, isMe }: { user: User; isMe: boolean }) {
  const { email, phone, role, lastLoginAt, createdAt, _count: made } = user;
  return (
    <Facts
      label="User"
      facts={{
        'E-mail': email,
        Phone: phone ?? 'None',
        Role: (
          <>
            {roleLabel(role)} ({role}) {isMe && <Badge tone="good">you</Badge>}
            <br />
            <span className="small muted">{ROLES.find((one) => one.role === role)?.may}</span>
          </>
        ),
        'Last login': lastLoginAt === null ? 'Never' : <Time iso={lastLoginAt} />,
        Created: <Time iso={createdAt} />,
        'Has made': `${count(made.credentials, 'key or credential', 'keys and credentials')}, ${count(made.agents, 'agent')}`,
      }}
    />
  );
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : several}`;
}

interface SecondFactorProps {
  user: User;
  reasons: Reasons;
  onChange(change: UserChange): void;
}

function SecondFactor({ user, reasons, onChange }: SecondFactorProps) {
  const query = api.useQuery('get', '/api/v1/portal/users/{id}/second-factor', { params: { path: { id: user.id } } });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} height={60} />;
  const { totp, passkeys, required } = data;
  const has = [...(totp ? ['an authenticator app'] : []), ...(passkeys > 0 ? [count(passkeys, 'passkey')] : [])];
  const none = required ? 'None yet: the next login asks to add one.' : 'None.';
  return (
    <>
      <p>{has.length > 0 ? `The user has ${has.join(' and ')}.` : none}</p>
      <div className="row">
        <Button
          reason={reasons.secondFactor ?? (has.length === 0 ? 'There is none to reset.' : undefined)}
          onClick={() => onChange({ kind: 'reset', user })}
        >
          Reset …
        </Button>
      </div>
    </>
  );
}
