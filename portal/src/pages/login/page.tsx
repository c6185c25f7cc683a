import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { basePath, client } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { queryClient } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { InsecureAddress } from './insecure-address.tsx';
import { Ways } from './ways.tsx';

const route = getRouteApi('/login');

export function Login() {
  useEffect(() => {
    document.title = 'Log in · Agent Runtime';
  });
  return (
    <main className="alone">
      <div className="panel padded stack">
        <div className="brand">
          <img src={`${basePath}favicon.svg`} alt="" />
          Agent Runtime
        </div>
        <h1>Log in</h1>
        {window.isSecureContext ? (
          <Ways>
            <LoginForm />
          </Ways>
        ) : (
          <InsecureAddress />
        )}
      </div>
    </main>
  );
}

function LoginForm() {
  const { to } = route.useSearch();
  const router = useRouter();
  const [fault, setFault] = useState<string | null>(null);
  const [needsTenant, setNeedsTenant] = useState(false);
  const [isBusy, setBusy] = useState(false);

  const enter = async (result: { error?: unknown; response: Response }) => {
    if (!result.response.ok) return result.error;
    queryClient.clear();
    // The browser's history takes the path with the base path of the server.
    router.history.push(basePath.replace(/\/$/, '') + safePath(to));
    return null;
  };

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
    client
      .POST('/api/v1/portal/login/link', { body: { secret } })
      .then(enter)
      .then((error) => setFault(error === null ? null : messageOf(error)))
      .catch((error: unknown) => setFault(messageOf(error)));
  });

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    setBusy(true);
    setFault(null);
    try {
      const tenant = text('tenant') || undefined;
      const body = { email: text('email'), password: text('password'), tenant, session: 'cookie' as const };
      const result = await client.POST('/api/v1/portal/login', { body });
      const error = await enter(result);
      if (error === null) return;
      if (result.response.status === 400 && /tenant/.test(messageOf(error))) setNeedsTenant(true);
      setFault(`${messageOf(error)}${waitOf(result.response)}`);
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="stack" onSubmit={submit}>
      <TextField label="E-mail" name="email" type="text" inputMode="email" autoComplete="username" required autoFocus />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      {needsTenant && <TextField label="Tenant" name="tenant" help="Its name or id." required />}
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <Button type="submit" look="primary" disabled={isBusy}>
        {isBusy ? 'Logging in …' : 'Log in'}
      </Button>
      <p className="muted small">
        First time here? On its first start, the server printed the user <code>admin@localhost</code> and its password,
        or wrote them to <code>first-run.txt</code> in the data directory.
      </p>
    </form>
  );
}

/** A path of this site: a link must not redirect to another site. */
function safePath(to: string | undefined): string {
  return to?.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/';
}

/** The secret after `#link=`: browsers send no fragment, so no server and no log receives it. */
function linkSecret(): string | null {
  return /^#link=([\w-]+)$/.exec(window.location.hash)?.[1] ?? null;
}

function waitOf(response: Response): string {
  const seconds = response.headers.get('retry-after');
  return seconds === null ? '' : ` Try again in ${seconds} seconds.`;
}
