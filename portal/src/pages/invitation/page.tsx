import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { answerOf, basePath, client, type Schemas } from '../../api/client.ts';
import { statusOf } from '../../api/errors.ts';
import { fieldMessages } from '../../api/field-messages.ts';
import { ROLES, roleLabel } from '../../api/roles.ts';
import { queryClient, sessionQuery } from '../../api/session.ts';
import { LOCALE, t } from '../../language/index.ts';
import { Alone } from '../../shell/alone.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, TextField, typing } from '../../ui/field.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from '../../ui/refusal.tsx';
import { ErrorNotice, Loading } from '../../ui/states.tsx';
import { store, stored } from '../../ui/stored.ts';
import { Time } from '../../ui/time.tsx';
import { FirstFactor, KeepCodes } from '../login/first-factor.tsx';
import { InsecureAddress } from '../login/page.tsx';

const INVITATIONS = '/api/v1/portal/invitations';

type Described = Schemas['DescribedInvitation'];

/** The secret of the link that this tab has opened, until it is accepted or refused: a reload keeps it. */
const SECRET = 'invitation';

function secretOfTab(): string {
  const given = window.location.hash.slice(1);
  if (given !== '') store('sessionStorage', SECRET, given);
  return given || (stored('sessionStorage', SECRET) ?? '');
}

function forgetSecret(): void {
  store('sessionStorage', SECRET, undefined);
}

/** Somebody with an invitation sets name and password. */
export function Invitation() {
  const [secret, setSecret] = useState(secretOfTab);
  useEffect(() => {
    const read = () => {
      setSecret(secretOfTab());
      // No server and no log sees the fragment; it leaves the address, too, and the history.
      window.history.replaceState(window.history.state, '', window.location.pathname);
    };
    read();
    // A link that is pasted into this tab loads no page.
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return (
    <Alone title={t('Invitation')}>
      {window.isSecureContext ? (
        <Opened key={secret} secret={secret} />
      ) : (
        <>
          <h1>{t('You are invited')}</h1>
          <InsecureAddress />
        </>
      )}
    </Alone>
  );
}

function Opened({ secret }: { secret: string }) {
  const [described, setDescribed] = useState<Described | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isRefused = statusOf(error) === 400 || statusOf(error) === 410;
  const read = () => {
    setError(null);
    answerOf(client.POST(`${INVITATIONS}/describe`, { body: { secret } })).then(setDescribed, setError);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (secret !== '') read();
  }, []);
  useEffect(() => {
    if (isRefused) forgetSecret();
  }, [isRefused]);
  if (secret === '') return <NoSecret />;
  if (isRefused) return <Gone />;
  if (error !== null) {
    return (
      <>
        <h1>{t('You are invited')}</h1>
        <ErrorNotice error={error} onRetry={read} />
      </>
    );
  }
  return described ? <Accept secret={secret} described={described} /> : <Loading height={320} />;
}

const LOG_IN = <Link to="/login">{t('log in')}</Link>;

function NoSecret() {
  return (
    <>
      <h1>{t('Open the link from your invitation again')}</h1>
      <p>{t.nodes('The address alone is not enough. If you have joined already, {link}.', { link: LOG_IN })}</p>
    </>
  );
}

function Gone() {
  return (
    <>
      <h1>{t('This invitation works no more')}</h1>
      <p>{t('It was used or revoked, or is older than seven days. Ask the person who invited you for a new link.')}</p>
      <p>{t.nodes('If you have used it, {link}.', { link: LOG_IN })}</p>
    </>
  );
}

type Step = { name: 'form' } | { name: 'second factor'; ticket: string } | { name: 'codes'; codes: readonly string[] };

function Accept({ secret, described }: { secret: string; described: Described }) {
  const [step, setStep] = useState<Step>({ name: 'form' });
  const router = useRouter();
  const enter = () => {
    queryClient.clear();
    router.history.push(basePath);
  };
  const startAgain = () => router.history.push(`${basePath}login`);
  if (step.name === 'codes') return <KeepCodes codes={step.codes} onKept={enter} />;
  if (step.name === 'second factor') {
    return (
      <>
        <h1>{t('You are in the workspace')}</h1>
        <FirstFactor
          ticket={step.ticket}
          onEnter={(codes) => (codes ? setStep({ name: 'codes', codes }) : enter())}
          onStartAgain={startAgain}
        />
      </>
    );
  }
  return (
    <>
      <h1>{t('You are invited')}</h1>
      <About described={described} />
      <LoggedInAlready />
      <AcceptForm
        secret={secret}
        described={described}
        onEnter={enter}
        onNeeded={(ticket) => setStep({ name: 'second factor', ticket })}
      />
    </>
  );
}

function About({ described: { tenant, invitedBy, role, expiresAt } }: { described: Described }) {
  return (
    <>
      <p>
        {t.nodes('{person} ({email}) invites you to the workspace {workspace} as {role}.', {
          person: <strong dir="auto">{invitedBy.name}</strong>,
          email: invitedBy.email,
          workspace: <strong dir="auto">{tenant.name}</strong>,
          role: roleLabel(role).toLocaleLowerCase(LOCALE),
        })}
      </p>
      <p className="muted small">
        {ROLES.find((one) => one.role === role)?.may}{' '}
        {t.nodes('The invitation is valid until {time}.', { time: <Time iso={expiresAt} /> })}
      </p>
    </>
  );
}

/** A browser has one session: that of the new user ends the one which is there. */
function LoggedInAlready() {
  const { data } = useQuery(sessionQuery);
  if (!data) return null;
  return (
    <p className="notice warning">
      {t('You are logged in as {name} in this browser. Joining logs you out there.', { name: data.user.name })}
    </p>
  );
}

interface AcceptFormProps {
  secret: string;
  described: Described;
  onEnter(): void;
  onNeeded(ticket: string): void;
}

function AcceptForm({ secret, described, onEnter, onNeeded }: AcceptFormProps) {
  const { email, passwordLogin } = described;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, run } = useTask();
  const form = useRef<HTMLFormElement>(null);
  // A password that is easy to guess is 422, and its message names the field.
  const messages = fieldMessages(isWeak(error) ? { ...(error as object), statusCode: 400 } : error, [
    'name',
    'password',
  ]);
  useFocusOnRefusal(form, error);
  const accept = async () => {
    const given = { secret, name: name.trim(), session: 'cookie' as const };
    const body = passwordLogin ? { ...given, password } : given;
    const answer = await answerOf(client.POST(`${INVITATIONS}/accept`, { body }));
    forgetSecret();
    if ('loginUrl' in answer) window.location.assign(basePath + answer.loginUrl);
    else if ('secondFactor' in answer) onNeeded(answer.secondFactor.ticket);
    else onEnter();
  };
  if (statusOf(error) === 410) return <Used />;
  return (
    <Form ref={form} aria-label={t('Accept the invitation')} onSubmit={() => void run(accept)}>
      <TextField label={t('E-mail')} type="email" autoComplete="username" value={email} readOnly />
      <TextField label={t('Your name')} autoComplete="name" {...typing(name, setName)} error={messages.at('name')} />
      {passwordLogin ? (
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="new-password"
          help={t('At least 12 characters, not easy to guess.')}
          {...typing(password, setPassword)}
          error={messages.at('password')}
        />
      ) : (
        <p className="notice">
          {t('This workspace has no passwords: you log in with its identity provider, by the account of {email}.', {
            email,
          })}
        </p>
      )}
      <OtherMessages messages={messages.others} />
      {error !== null && statusOf(error) !== 400 && !isWeak(error) && <ErrorNotice error={error} />}
      {statusOf(error) === 409 && <Link to="/login">{t('Log in')}</Link>}
      <Button type="submit" look="primary" disabled={isBusy}>
        {passwordLogin ? t('Join the workspace') : t('Continue to the login')}
      </Button>
    </Form>
  );
}

function isWeak(error: unknown): boolean {
  return statusOf(error) === 422;
}

function Used() {
  return (
    <p className="notice warning" role="alert">
      {t.nodes('This invitation was used or revoked in the meantime. If you have used it, {link}.', { link: LOG_IN })}
    </p>
  );
}
