import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { ROLES, roleLabel } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { LOCALE, t } from '../../../language/index.ts';
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
export const UserPage = forAdministrators(t('User'), t('Only administrators see users.'), OneUser);

function OneUser() {
  const { id } = route.useParams();
  const query = api.useQuery('get', USER, { params: { path: { id } } });
  const { user: me } = useSession();
  const [change, setChange] = useState<UserChange | null>(null);
  const { data: user } = query;
  if (!user) {
    return (
      <UnreadPage title={t('User')} missing={t('There is no such user')} query={query}>
        <Link to="/settings/users">{t('All users')}</Link>
      </UnreadPage>
    );
  }
  const reasons = reasonsFor(me, user);
  return (
    <>
      <PageHead title={user.name}>
        {user.isActive ? (
          <Button reason={reasons.deactivate} onClick={() => setChange({ kind: 'deactivate', user })}>
            {t('Deactivate …')}
          </Button>
        ) : (
          <Button reason={reasons.deactivate} onClick={() => setChange({ kind: 'reactivate', user })}>
            {t('Reactivate …')}
          </Button>
        )}
        <Button look="primary" icon="edit" onClick={() => setChange({ kind: 'edit', id })}>
          {t('Edit')}
        </Button>
      </PageHead>
      <div className="stack narrow">
        <QueryState query={query} />
        <p>
          <Link to="/settings/users">{t('All users')}</Link>
        </p>
        <section className="panel padded stack" aria-label={t('User')}>
          {!user.isActive && <p className="notice warning">{t('Deactivated: this user cannot log in.')}</p>}
          <UserFacts user={user} isMe={user.id === me.id} />
        </section>
        <Section id="sessions" title={t('Sessions')}>
          <UserSessions user={user} reason={reasons.sessions} />
        </Section>
        <Section id="second-factor" title={t('Second factor')}>
          <SecondFactor user={user} reasons={reasons} onChange={setChange} />
        </Section>
        <Section id="password" title={t('Password')}>
          <p className="muted">
            {t('A new password ends all sessions of the user, and what applications may do for them.')}
          </p>
          <div className="row">
            <Button reason={reasons.password} onClick={() => setChange({ kind: 'password', user })}>
              {t('Set a password …')}
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
      label={t('User')}
      facts={{
        [t('E-mail')]: email,
        [t('Phone')]: phone ?? t('None'),
        [t('Role')]: (
          <>
            {roleLabel(role)} ({role}) {isMe && <Badge tone="good">{t('you')}</Badge>}
            <br />
            <span className="small muted">{ROLES.find((one) => one.role === role)?.may}</span>
          </>
        ),
        [t('Last login')]: lastLoginAt === null ? t('Never') : <Time iso={lastLoginAt} />,
        [t('Created')]: <Time iso={createdAt} />,
        [t('Has made')]: [
          t.count(made.credentials, '{count} key or credential', '{count} keys and credentials'),
          t.count(made.agents, '{count} agent', '{count} agents'),
        ].join(', '),
      }}
    />
  );
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
  const has = [
    ...(totp ? [t('an authenticator app')] : []),
    ...(passkeys > 0 ? [t.count(passkeys, '{count} passkey', '{count} passkeys')] : []),
  ];
  const none = required ? t('None yet: the next login asks to add one.') : t('None.');
  return (
    <>
      <p>
        {has.length > 0 ? t('The user has {factors}.', { factors: new Intl.ListFormat(LOCALE).format(has) }) : none}
      </p>
      <div className="row">
        <Button
          reason={reasons.secondFactor ?? (has.length === 0 ? t('There is none to reset.') : undefined)}
          onClick={() => onChange({ kind: 'reset', user })}
        >
          {t('Reset …')}
        </Button>
      </div>
    </>
  );
}
