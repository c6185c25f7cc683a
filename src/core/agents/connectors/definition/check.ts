import type { JsonProblem } from '../../../base/shared/json.ts';
import { isPrivateUrl } from '../../providers/address.ts';
import type { SecretReference } from './environment-schema.ts';
import type { ConnectorDefinition } from './members.ts';
import { placeholdersOf } from './path-template.ts';
import { problemsOfSchemas } from './schema-check.ts';

export function checkDefinition(definition: ConnectorDefinition): JsonProblem[] {
  return [
    ...problemsOfEnvironments(definition),
    ...problemsOfCredentials(definition),
    ...problemsOfMissingSecrets(definition),
    ...problemsOfPaths(definition),
    ...problemsOfSchemas(definition),
  ];
}

function problemsOfEnvironments(definition: ConnectorDefinition): JsonProblem[] {
  const { environments, defaultEnvironment, allowPrivateNetworks } = definition;
  const problems: JsonProblem[] = [];
  if (defaultEnvironment !== undefined && environments[defaultEnvironment] === undefined) {
    problems.push({ path: ['defaultEnvironment'], message: 'must be one of those in environments' });
  }
  for (const [name, environment] of Object.entries(environments)) {
    const auth = environment.auth ?? definition.auth;
    const addresses: [PropertyKey[], string][] = [[['environments', name, 'baseUrl'], environment.baseUrl]];
    if (auth.type === 'oauth2') {
      const holder = environment.auth ? ['environments', name, 'auth'] : ['auth'];
      addresses.push([[...holder, 'tokenUrl'], auth.tokenUrl]);
    }
    for (const [path, address] of addresses) {
      const url = URL.parse(address);
      if (url === null || allowPrivateNetworks.length > 0 || !isPrivateUrl(url)) continue;
      problems.push({
        path,
        message:
          'is in a private network; the operator may allow that: allowPrivateNetworks, --allow-private-network of an import',
      });
    }
    if (auth.type === 'apiKey' && auth.in === 'header') {
      const configured = [...Object.keys(definition.headers), ...Object.keys(environment.headers ?? {})];
      if (configured.some((header) => header.toLowerCase() === auth.name.toLowerCase())) {
        problems.push({ path: ['auth', 'name'], message: 'is among the headers, too' });
      }
    }
  }
  return problems;
}

function problemsOfCredentials(definition: ConnectorDefinition): JsonProblem[] {
  return referencesOf(definition).flatMap(({ path, reference }) =>
    'credential' in reference && !definition.credentials.includes(reference.credential)
      ? [{ path: [...path, 'credential'], message: 'must be one of those in credentials' }]
      : [],
  );
}

/**
 * Without a listed credential, which a call could name, every call of the environment would fail.
 */
function problemsOfMissingSecrets({ environments, auth, credentials }: ConnectorDefinition): JsonProblem[] {
  if (credentials.length > 0) return [];
  return Object.entries(environments).flatMap(([name, environment]) => {
    const { type, clientId } = { clientId: undefined, ...(environment.auth ?? auth) };
    if (type === 'none') return [];
    if (environment.secret === undefined) {
      const message = `is missing, so every call would fail: ${type} needs one; add {"credential": "NAME"}, and NAME to credentials`;
      return [{ path: ['environments', name, 'secret'], message }];
    }
    if (type !== 'oauth2' || clientId !== undefined || !('env' in environment.secret)) return [];
    const message = 'is missing, so every call would fail: a variable has no username to take for it; add it';
    return [{ path: [...(environment.auth ? ['environments', name] : []), 'auth', 'clientId'], message }];
  });
}

export function referencesOf({
  headers,
  environments,
}: Pick<ConnectorDefinition, 'headers' | 'environments'>): { path: string[]; reference: SecretReference }[] {
  const ofHeaders = (path: string[], all: Record<string, string | SecretReference>) =>
    Object.entries(all).flatMap(([name, reference]) =>
      typeof reference === 'string' ? [] : [{ path: [...path, name], reference }],
    );
  const ofEnvironments = Object.entries(environments).flatMap(([name, environment]) => [
    ...(environment.secret ? [{ path: ['environments', name, 'secret'], reference: environment.secret }] : []),
    ...ofHeaders(['environments', name, 'headers'], environment.headers ?? {}),
  ]);
  return [...ofHeaders(['headers'], headers), ...ofEnvironments];
}

/** Path schema and placeholders must name the same parameters. */
function problemsOfPaths({ resources }: ConnectorDefinition): JsonProblem[] {
  return Object.entries(resources).flatMap(([slug, { path, parameters }]) => {
    if (/%(?![0-9a-f]{2})/i.test(path)) {
      return [{ path: ['resources', slug, 'path'], message: 'has a % that begins no encoded character; write %25' }];
    }
    const { properties } = (parameters.path ?? {}) as { properties?: Record<string, unknown> };
    if (properties === undefined) return [];
    const placeholders = placeholdersOf(path);
    const at = ['resources', slug, 'parameters', 'path', 'properties'];
    const missing = placeholders.filter((name) => !Object.hasOwn(properties, name));
    const surplus = Object.keys(properties).filter((name) => !placeholders.includes(name));
    return [
      ...missing.map((name) => ({ path: at, message: `lacks ${name}, which the path has` })),
      ...surplus.map((name) => ({ path: [...at, name], message: 'is not in the path' })),
    ];
  });
}
