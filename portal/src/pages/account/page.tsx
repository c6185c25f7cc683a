import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { roleLabel } from '../../api/roles.ts';
import { invalidate, useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { limitsInWords } from '../../limits/words.ts';
import { canUsePasskeys } from '../../second-factor/passkey.ts';
import { useTold } from '../../second-factor/proof-form.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form, TextField, typing } from '../../ui/field.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { PageHead, Section } from '../../ui/page-head.tsx';
import { QueryState, Together } from '../../ui/states.tsx';
import { Time, When } from '../../ui/time.tsx';
import { announce } from '../../ui/toast.tsx';
import { type Change, ChangeDialog, FACTORS } from './dialogs.tsx';
import { LanguageSetting } from './language.tsx';
import { SessionItem } from './session-item.tsx';

/** The user's own account. */
export function Account() {
  const { user, tenant, limits } = useSession();
  return (
    <div className="stack narrow">
      <PageHead title={t('Your account')} />
      <Together queries={[useFactors(), useSessions()]}>
        <section className="panel padded stack" aria-label={t('User')}>
          <Facts
            label={t('User')}
            facts={{
              [t('Name')]: user.name,
              [t('E-mail')]: user.email,
              [t('Role')]: roleLabel(user.role),
              [t('Tenant')]: tenant.name,
              [t('You are held to')]: limits.length > 0 && limits.map(limitsInWords).join('; '),
            }}
          />
        </section>
        <section className="panel padded" aria-label={t('Language')}>
          <LanguageSetting />
        </section>
        <Section id="second-factor" title={t('Second factor')}>
          <SecondFactor />
        </Section>
        <Section id="password" title={t('Password')}>
          <Password email={user.email} />
        </Section>
        <Section id="sessions" title={t('Sessions')}>
          <Sessions />
        </Section>
      </Together>
    </div>
  );
}

const SESSIONS = '/api/v1/portal/sessions';
const MAX_SHOWN = 200;

const useSessions = () => api.useQuery('get', SESSIONS, { params: { query: { limit: MAX_SHOWN } } });
const useFactors = () => api.useQuery('get', FACTORS);

/** A new password ends all sessions, this one among them. */
function Password({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const navigate = useNavigate();
  const { fault, isBusy, run } = useTold();
  const change = async () => {
    const body = { currentPassword: current, password: next };
    await answerOf(client.POST('/api/v1/portal/me/password', { body }));
    announce(t('Your password is changed. Log in with the new one.'));
    await navigate({ to: '/login', search: { to: '/account' } });
  };
  return (
    <Form aria-labelledby="password" onSubmit={() => void run(change)}>
      {/* For password managers. */}
      <input
        className="visually-hidden"
        type="text"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div className="fields">
        <TextField
          label={t('Current password')}
          type="password"
          autoComplete="current-password"
          required
          {...typing(current, setCurrent)}
        />
        <TextField
          label={t('New password')}
          type="password"
          autoComplete="new-password"
          help={t('At least 12 characters, not easy to guess.')}
          required
          {...typing(next, setNext)}
        />
      </div>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="row">
        <Button type="submit" disabled={isBusy || current === '' || next === ''}>
          {t('Change password')}
        </Button>
        <span className="muted small">{t('All your sessions end, this one among them.')}</span>
      </div>
    </Form>
  );
}

/** The user's sessions, each with a button that ends it. */
function Sessions() {
  const query = useSessions();
  const { data } = query;
  const end = async (request: Promise<{ error?: unknown }>, done: string) => {
    const { error } = await request;
    announce(error ? messageOf(error) : done);
    await invalidate((path) => path === SESSIONS);
  };
  const endOne = (id: string) =>
    end(client.DELETE(`${SESSIONS}/{id}`, { params: { path: { id } } }), t('The session is ended.'));
  const endOthers = () => end(client.DELETE(SESSIONS, {}), t('All other sessions are ended.'));
  if (query.error || !data) return <QueryState query={query} />;
  return (
    <>
      <ItemList label={t('Sessions')}>
        {data.sessions.map((one) => (
          <SessionItem key={one.id} session={one} onEnd={one.current ? null : () => void endOne(one.id)} />
        ))}
      </ItemList>
      {data.total > 1 && (
        <div className="row">
          <Button onClick={() => void endOthers()}>{t('End all others')}</Button>
        </div>
      )}
    </>
  );
}

type Factors = Schemas['SecondFactors'];

/** The authenticator app, the passkeys and the recovery codes. */
function SecondFactor() {
  const query = useFactors();
  const { data } = query;
  const [change, setChange] = useState<Change | null>(null);
  if (query.error || !data) return <QueryState query={query} />;
  const { totp, passkeys, recoveryCodes } = data;
  const hasFactor = totp !== null || passkeys.length > 0;
  return (
    <>
      <Introduction factors={data} />
      {hasFactor && (
        <ItemList label={t('Second factors')}>
          {totp && <App totp={totp} onChange={setChange} />}
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} onChange={setChange} />
          ))}
          <Item
            title={t('Recovery codes')}
            end={<Button onClick={() => setChange({ kind: 'codes' })}>{t('Replace')}</Button>}
          >
            <p className="small muted">
              {recoveryCodes === 0
                ? t('None is left.')
                : t.count(recoveryCodes, '{count} of 10 is left.', '{count} of 10 are left.')}{' '}
              {t('Each logs you in once without your device.')}
            </p>
          </Item>
        </ItemList>
      )}
      <div className="row">
        <Button look={hasFactor ? 'plain' : 'primary'} icon="add" onClick={() => setChange({ kind: 'app' })}>
          {totp ? t('Another authenticator app') : t('Authenticator app')}
        </Button>
        {data.passkeyHost !== null && canUsePasskeys() && (
          <Button icon="add" onClick={() => setChange({ kind: 'passkey' })}>
            {t('Passkey')}
          </Button>
        )}
      </div>
      {(data.passkeyHost === null || !canUsePasskeys()) && <NoPasskeysHere />}
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function Introduction({ factors: { required, totp, passkeys } }: { factors: Factors }) {
  if (totp === null && passkeys.length === 0) {
    return (
      <p>
        {required && `${t('Your tenant requires a second factor from your next login on.')} `}
        {t(
          'With a second factor, your password alone logs nobody in. Changes of keys, credentials and users ask for it, too.',
        )}
      </p>
    );
  }
  return required ? <p className="muted small">{t('Your tenant requires one.')}</p> : null;
}

function App({ totp, onChange }: { totp: NonNullable<Factors['totp']>; onChange(change: Change): void }) {
  return (
    <Item
      title={t('Authenticator app')}
      end={
        <IconButton
          icon="trash"
          label={t('Remove the authenticator app')}
          onClick={() => onChange({ kind: 'remove', passkey: null })}
        />
      }
    >
      <Use {...totp} />
    </Item>
  );
}

function Passkey({ passkey, onChange }: { passkey: Schemas['Passkey']; onChange(change: Change): void }) {
  const { name, host } = passkey;
  return (
    <Item
      title={name}
      beside={<span className="small muted">{t('passkey for {host}', { host })}</span>}
      end={
        <>
          <IconButton
            icon="edit"
            label={t('Rename {name}', { name })}
            onClick={() => onChange({ kind: 'rename', passkey })}
          />
          <IconButton
            icon="trash"
            label={t('Remove {name}', { name })}
            onClick={() => onChange({ kind: 'remove', passkey })}
          />
        </>
      }
    >
      <Use {...passkey} />
    </Item>
  );
}

function Use({ createdAt, lastUsedAt }: { createdAt: string; lastUsedAt: string | null }) {
  return (
    <p className="small muted">
      {t.nodes('Added {time}', { time: <Time iso={createdAt} /> })}
      <When lead=", " text="last used {time}" iso={lastUsedAt} />
    </p>
  );
}

/** Browsers have passkeys for host names over https, and for localhost. */
function NoPasskeysHere() {
  const { hostname, port, protocol } = window.location;
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]';
  const local = `${protocol}//localhost${port === '' ? '' : `:${port}`}/account`;
  return (
    <p className="muted small">
      {t('Passkeys do not work at this address: browsers refuse IP addresses.')}{' '}
      {isLoopback
        ? t.nodes('Open {address} for them.', { address: <a href={local}>{local}</a> })
        : t('Open the portal at its public address for them.')}
    </p>
  );
}
