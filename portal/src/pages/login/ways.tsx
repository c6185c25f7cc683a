import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, basePath } from '../../api/client.ts';
import { classOf } from '../../ui/button.tsx';
import { refusalText } from './refusals.ts';

const route = getRouteApi('/login');

/** A button for each identity provider. `children`, the form with a password, is left out where passwords are not accepted. */
export function Ways({ children }: { children: ReactNode }) {
  const { to, tenant, refused } = route.useSearch();
  const { data, isPending } = api.useQuery(
    'get',
    '/api/v1/portal/login/sso',
    { params: { query: { ...(tenant !== undefined && { tenant }) } } },
    { retry: false },
  );
  // The form reads the secret of a login link, which works without passwords, too.
  const [hasLink] = useState(() => window.location.hash.startsWith('#link='));
  const fault = refusalText(refused);
  const providers = data?.providers ?? [];
  const takesPasswords = data?.passwordLogin !== false || hasLink;
  if (isPending && !hasLink) return null;
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
