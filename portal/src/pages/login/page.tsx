import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { answerOf, basePath, client } from '../../api/client.ts';
import { cardsQuery, tabsQuery } from '../../api/dashboards.ts';
import { messageOf } from '../../api/errors.ts';
import { queryClient } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { canUsePasskeys, givePasskey, type Proof } from '../../second-factor/passkey.ts';
import { ProofForm } from '../../second-factor/proof-form.tsx';
import { Alone } from '../../shell/alone.tsx';
import { lastAgent } from '../../shell/remembered.ts';
import { Button } from '../../ui/button.tsx';
import { Form, TextField } from '../../ui/field.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { admitted, FirstFactor, fail, KeepCodes, type Needed, SECOND_FACTOR } from './first-factor.tsx';
import { Ways } from './ways.tsx';

const route = getRouteApi('/login');

export function Login() {
  const { ended } = route.useSearch();
  return (
    <Alone title={t('Log in')}>
      <h1>{t('Log in')}</h1>
      {ended && <p className="notice">{t('Your session has ended.')}</p>}
      {window.isSecureContext ? (
        <Ways>
          <LoginForm />
        </Ways>
      ) : (
        <InsecureAddress />
      )}
    </Alone>
  );
}

type Step =
  | { name: 'password' }
  | { name: 'second factor'; needed: Needed }
  /** Shown once, in a session that is open already. */
  | { name: 'recovery codes'; codes: readonly string[] };

function LoginForm() {
  const { to } = route.useSearch();
  const router = useRouter();
  const [step, setStep] = useState<Step>({ name: 'password' });

  const enter = () => {
    queryClient.clear();
    const place = safePath(to);
    if (place === '/') prefetchDashboards();
    // The browser's history takes the path with the base path of the server.
    router.history.push(basePath.replace(/\/$/, '') + place);
  };
  const startAgain = () => setStep({ name: 'password' });

  if (step.name === 'recovery codes') return <KeepCodes codes={step.codes} onKept={enter} />;
  if (step.name === 'password') {
    return <PasswordStep onEnter={enter} onNeeded={(needed) => setStep({ name: 'second factor', needed })} />;
  }
  const { needed } = step;
  return needed.enrol ? (
    <FirstFactor
      ticket={needed.ticket}
      onEnter={(codes) => (codes ? setStep({ name: 'recovery codes', codes }) : enter())}
      onStartAgain={startAgain}
    />
  ) : (
    <SecondFactorStep needed={needed} onEnter={enter} onStartAgain={startAgain} />
  );
}

function PasswordStep({ onEnter, onNeeded }: { onEnter(): void; onNeeded(needed: Needed): void }) {
  const { error, isBusy, run } = useTask();
  const [needsTenant, setNeedsTenant] = useState(false);

  useEffect(() => {
    // Preloads the next page of most logins while the user types the password.
    void import('../dashboards/page.tsx');
  }, []);
  const usesLink = useRef(false);
  useEffect(() => {
    const secret = linkSecret();
    // React runs effects twice in development, but the link works once.
    if (secret === null || usesLink.current) return;
    usesLink.current = true;
    window.history.replaceState(null, '', window.location.pathname);
    void run(() => answerOf(client.POST('/api/v1/portal/login/link', { body: { secret } })).then(onEnter));
  });

  const submit = (element: HTMLFormElement) => {
    const form = new FormData(element);
    const text = (name: string) => String(form.get(name) ?? '');
    const tenant = text('tenant') || undefined;
    const body = { email: text('email'), password: text('password'), tenant, session: 'cookie' as const };
    void run(async () => {
      const { data, error, response } = await client.POST('/api/v1/portal/login', { body });
      if (data) return 'secondFactor' in data ? onNeeded(data.secondFactor) : onEnter();
      if (response.status === 400 && /tenant/.test(messageOf(error))) setNeedsTenant(true);
      fail(error, response);
    });
  };

  return (
    <Form noValidate={false} onSubmit={submit}>
      <TextField
        label={t('E-mail')}
        name="email"
        type="text"
        inputMode="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField label={t('Password')} name="password" type="password" autoComplete="current-password" required />
      {needsTenant && <TextField label={t('Tenant')} name="tenant" help={t('Its name or id.')} required />}
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
      <Button type="submit" look="primary" disabled={isBusy}>
        {isBusy ? t('Logging in …') : t('Log in')}
      </Button>
      {canUsePasskeys() && (
        <Button disabled={isBusy} onClick={() => void run(() => loginWithPasskey().then(onEnter))}>
          {t('Log in with a passkey')}
        </Button>
      )}
      <p className="muted small">
        {t.nodes(
          'First time here? On its first start, the server printed the user {user} and its password, or wrote them to {file} in the data directory.',
          { user: <code>admin@localhost</code>, file: <code>first-run.txt</code> },
        )}
      </p>
    </Form>
  );
}

/** Asks what the first page shows while the session is read. */
function prefetchDashboards(): void {
  const agent = lastAgent();
  void queryClient.prefetchQuery(cardsQuery(agent));
  void queryClient.prefetchQuery(tabsQuery(agent));
}

/** A path of this site: a link must not redirect to another site. */
function safePath(to: string | undefined): string {
  return to?.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/';
}

/** The secret after `#link=`: browsers send no fragment, so no server and no log receives it. */
function linkSecret(): string | null {
  return /^#link=([\w-]+)$/.exec(window.location.hash)?.[1] ?? null;
}

const LOCAL = 'http://127.0.0.1:3000';

/** Replaces the form on plain http: browsers omit Sec-Fetch-Site there, which the session needs (docs/portal.md). */
export function InsecureAddress() {
  const { origin, hostname, port, pathname, search, hash } = window.location;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    <>
      <p>
        {t.nodes(
          'This page works over https, or on the server’s own computer. At {address} your password would cross the network unencrypted, and browsers do not send the header that the server needs to accept a session.',
          { address: <code>{origin}</code> },
        )}
      </p>
      <h2>{t('What you can do')}</h2>
      <ul className="bullets">
        <li>
          {t.nodes('Give the server a certificate: {command}.', {
            command: <code>agent-runtime serve --tls-cert FILE --tls-key FILE</code>,
          })}
        </li>
        <li>{t('Put a proxy that speaks https in front of it, Caddy or nginx for example.')}</li>
        <li>
          {t.nodes('Reach it through SSH: run {command} on this computer, then open {address}.', {
            command: <code>{`ssh -L 3000:127.0.0.1:${port || '80'} ${host}`}</code>,
            address: <a href={`${LOCAL}${pathname}${search}${hash}`}>{LOCAL}</a>,
          })}
        </li>
      </ul>
      <p className="muted small">{t.nodes('See {page}.', { page: <code>docs/operation.md#tls</code> })}</p>
    </>
  );
}

interface SecondFactorStepProps {
  needed: Needed;
  onEnter(): void;
  onStartAgain(): void;
}

/** After the right password. */
function SecondFactorStep({ needed, onEnter, onStartAgain }: SecondFactorStepProps) {
  const give = async (proof: Proof) => {
    const body = { ticket: needed.ticket, ...proof, session: 'cookie' as const };
    await admitted(client.POST(SECOND_FACTOR, { body }));
    onEnter();
  };
  return <ProofForm offer={needed} act={t('Log in')} onProof={give} onCancel={onStartAgain} />;
}

/** Without e-mail and password: the browser asks which passkey. */
async function loginWithPasskey(): Promise<void> {
  const asked = client.POST('/api/v1/portal/login/passkey/options', { body: {} });
  const { ticket, passkeyOptions } = await answerOf(asked);
  const passkey = await givePasskey(passkeyOptions);
  const body = { ticket, passkey, session: 'cookie' as const };
  await answerOf(client.POST('/api/v1/portal/login/passkey', { body }));
}
