import { listNames } from '../../../base/shared/names.ts';
import { type ConnectorDefinition, referencesOf } from './schema.ts';

type Definition = Pick<ConnectorDefinition, 'auth' | 'environments'>;

/** Hosts that receive credentials: of base URLs, then of token URLs. */
function destinationsOf({ auth, environments }: Definition): string[] {
  const all = Object.values(environments);
  const tokenUrls = all.map((one) => one.auth ?? auth).map((one) => (one.type === 'oauth2' ? one.tokenUrl : null));
  const urls = [...all.map(({ baseUrl }) => baseUrl), ...tokenUrls];
  return [...new Set(urls.flatMap((url) => (url === null ? [] : (URL.parse(url)?.hostname ?? []))))];
}

/** Hosts of the environments that use a credential; of all if none names it. */
export function suggestedHosts(
  definition: Definition & Pick<ConnectorDefinition, 'headers'>,
  credential: string,
): string[] {
  const paths = referencesOf(definition)
    .filter(({ reference }) => 'credential' in reference && reference.credential === credential)
    .map(({ path }) => path);
  const isInAll = paths.length === 0 || paths.some(([first]) => first === 'headers');
  const named = Object.entries(definition.environments).filter(
    ([name]) => isInAll || paths.some(([, environment]) => environment === name),
  );
  return destinationsOf({ auth: definition.auth, environments: Object.fromEntries(named) });
}

/** 'connector "crm" sends it to "api.crm.example"', for example. Null without any. */
export function describeUse(
  name: string,
  connectors: readonly { slug: string; definition: ConnectorDefinition }[],
): string | null {
  const users = connectors.filter(({ definition }) => definition.credentials.includes(name));
  if (users.length === 0) return null;
  const uses = users.map(
    ({ slug, definition }) =>
      `connector ${JSON.stringify(slug)} sends it to ${listNames(suggestedHosts(definition, name))}`,
  );
  return uses.join('; ');
}
