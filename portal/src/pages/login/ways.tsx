import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { basePath, client } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { classOf } from '../../ui/button.tsx';
import { refusalText } from './refusals.ts';

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
        <ul className="stack tight" aria-label={t('Identity providers')}>
          {providers.map(({ name, startUrl }) => (
            <li key={startUrl}>
              <a className={`${classOf({})} wide`} href={startOf(startUrl, to)}>
                {t('Continue with {name}', { name })}
              </a>
            </li>
          ))}
        </ul>
      )}
      {takesPasswords && (
        <>
          {providers.length > 0 && <p className="divider muted small">{t('or with a password')}</p>}
          {children}
        </>
      )}
    </>
  );
}

function startOf(startUrl: string, to: string | undefined): string {
  return `${basePath}${startUrl}${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`;
}
