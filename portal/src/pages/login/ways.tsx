import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { basePath, client } from '../../api/client.ts';
import { classOf } from '../../ui/button.tsx';

/** By the word in the address after a refused login with an identity provider. No text of the address is shown. */
const REFUSALS: Record<string, string> = {
  cancelled: 'You did not log in there. Try again, or choose another way.',
  expired: 'This login took too long, or began in another window. Try again.',
  unreachable: 'The identity provider does not answer. Try again in a while.',
  misconfigured:
    'The identity provider is not set up right. Ask an administrator to test it on the page “Single sign-on”.',
  untrusted: 'The answer of the identity provider was refused. Try again; if it stays, ask an administrator.',
  clock: 'The clocks of this server and of the identity provider differ too much. Ask an administrator.',
  outsider: 'Your account there may not log in here. Ask an administrator.',
  no_email: 'The identity provider tells no verified e-mail of you. Ask an administrator.',
  not_linked:
    'There is a user with your e-mail already, whom this identity provider may not log in. Ask an administrator.',
  no_user: 'There is no user for your account yet. Ask an administrator to make one.',
  no_role: 'Your account has no role here. Ask an administrator.',
  no_tenant: 'Your account belongs to no tenant here. Ask the operator.',
  inactive: 'Your user is deactivated. Ask an administrator.',
  unknown_provider: 'This identity provider is not there any more, or is switched off. Choose another way.',
  busy: 'The login could not be finished just now. Try again.',
};

function refusalText(refused: string | undefined): string | null {
  if (refused === undefined) return null;
  return (Object.hasOwn(REFUSALS, refused) && REFUSALS[refused]) || 'The login was refused. Try again.';
}

const route = getRouteApi('/login');

interface Offered {
  providers: { name: string; startUrl: string }[];
  passwordLogin: boolean;
}

/** Where the server does not say. */
const PASSWORDS: Offered = { providers: [], passwordLogin: true };

/** A button for each identity provider. `children`, the form with a password, is left out where passwords are not accepted. */
export function Ways({ children }: { children: ReactNode }) {
  const { to, tenant, refused } = route.useSearch();
  const [offered, setOffered] = useState<Offered | null>(null);
  useEffect(() => {
    // Not a query: this page clears those of the session before.
    const query = tenant === undefined ? {} : { tenant };
    client
      .GET('/api/v1/portal/login/sso', { params: { query } })
      .then(({ data }) => setOffered(data ?? PASSWORDS))
      .catch(() => setOffered(PASSWORDS));
  }, [tenant]);
  // The form reads the secret of a login link, which works without passwords, too.
  const [hasLink] = useState(() => window.location.hash.startsWith('#link='));
  const fault = refusalText(refused);
  if (offered === null && !hasLink) return null;
  const { providers, passwordLogin } = offered ?? PASSWORDS;
  const takesPasswords = passwordLogin || hasLink;
  return (
    <>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      {providers.length > 0 && (
        <ul className="stack tight" aria-label="Identity providers">
          {providers.map(({ name, startUrl }) => (
            <li key={startUrl}>
              <a className={`${classOf({})} wide`} href={startOf(startUrl, to)}>
                Continue with {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {takesPasswords && (
        <>
          {providers.length > 0 && <p className="divider muted small">or with a password</p>}
          {children}
        </>
      )}
    </>
  );
}

function startOf(startUrl: string, to: string | undefined): string {
  return `${basePath}${startUrl}${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`;
}
