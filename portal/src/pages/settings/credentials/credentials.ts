import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { LOCALE, t } from '../../../language/index.ts';

export const CREDENTIALS = '/api/v1/portal/credentials';

export type Credential = Schemas['Credential'];

/** More than a tenant has: the page searches in them itself. */
const MOST = 500;

export const credentialsQuery = api.queryOptions(
  'get',
  CREDENTIALS,
  { params: { query: { limit: MOST } } },
  { placeholderData: keepPreviousData },
);

export const credentialsChanged = () => invalidate((path) => path === CREDENTIALS);

/** The subject of a dialog. */
export type CredentialChange =
  | { kind: 'add' }
  | { kind: 'secret'; credential: Credential }
  | { kind: 'hosts'; credential: Credential }
  | { kind: 'remove'; credential: Credential };

/** Credentials with the text in their name, their hosts or the connectors that list them. */
export function matching(credentials: readonly Credential[], search = ''): readonly Credential[] {
  const sought = search.toLowerCase();
  return credentials.filter(({ name, hosts, connectors }) =>
    [name, ...hosts, ...connectors].some((text) => text.toLowerCase().includes(sought)),
  );
}

/** "Connector pets lists it." Undefined: none does. */
export function listedBy({ connectors }: Credential): string | undefined {
  if (connectors.length === 0) return undefined;
  const names = new Intl.ListFormat(LOCALE).format(connectors);
  return t.count(connectors.length, 'Connector {names} lists it', 'Connectors {names} list it', { names });
}
