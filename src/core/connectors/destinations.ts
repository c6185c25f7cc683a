import { listNames } from '../names.ts';
import type { ConnectorDefinition } from './schema.ts';

/** The hosts that a connector may send its credentials to, each once: those of its base URLs, then those of its token URLs. */
export function destinationsOf({ auth, environments }: Pick<ConnectorDefinition, 'auth' | 'environments'>): string[] {
  const all = Object.values(environments);
  const tokenUrls = all.map((one) => one.auth ?? auth).map((one) => (one.type === 'oauth2' ? one.tokenUrl : null));
  const urls = [...all.map(({ baseUrl }) => baseUrl), ...tokenUrls];
  return [...new Set(urls.flatMap((url) => (url === null ? [] : (URL.parse(url)?.hostname ?? []))))];
}

/** Where the connectors that list a credential would send it: 'connector "crm" sends it to "api.crm.example"'; null: none lists it. */
export function describeUse(
  name: string,
  connectors: readonly { slug: string; definition: ConnectorDefinition }[],
): string | null {
  const users = connectors.filter(({ definition }) => definition.credentials.includes(name));
  if (users.length === 0) return null;
  return users
    .map(
      ({ slug, definition }) =>
        `connector ${JSON.stringify(slug)} sends it to ${listNames(destinationsOf(definition))}`,
    )
    .join('; ');
}
