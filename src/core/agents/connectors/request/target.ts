import { invalid } from '../../../base/shared/errors.ts';
import type { Auth, EnvironmentName, SecretReference } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import { comparableName } from './caller-headers.ts';

export interface CompiledTarget {
  base: URL;
  origin: string;
  /** Without trailing slash. */
  basePath: string;
  auth: Auth;
  secret: SecretReference | undefined;
  /** The environment's override the connector's, whatever their case. */
  headers: readonly (readonly [string, string | SecretReference])[];
  /** Their lower-case names. */
  fixedNames: ReadonlySet<string>;
  /** By `comparableName`; callers cannot set them. */
  reservedNames: ReadonlySet<string>;
  /** URLs that receive the secret. */
  addresses: readonly URL[];
}

/** Module state, collected with the definition. */
const compiled = new WeakMap<ConnectorDefinition, Map<EnvironmentName, CompiledTarget>>();

/** Throws `invalid` for an unknown environment. */
export function compiledTarget(definition: ConnectorDefinition, environment: EnvironmentName): CompiledTarget {
  const targets = compiled.get(definition) ?? new Map<EnvironmentName, CompiledTarget>();
  compiled.set(definition, targets);
  const target = targets.get(environment) ?? compile(definition, environment);
  targets.set(environment, target);
  return target;
}

function compile(definition: ConnectorDefinition, name: EnvironmentName): CompiledTarget {
  const environment = definition.environments[name];
  if (environment === undefined) throw invalid(`environment: the connector has no ${name}`);
  const { baseUrl, secret } = environment;
  const auth = environment.auth ?? definition.auth;
  const own = Object.entries(environment.headers ?? {});
  const ownNames = new Set(own.map(([header]) => header.toLowerCase()));
  const headers = [
    ...Object.entries(definition.headers).filter(([header]) => !ownNames.has(header.toLowerCase())),
    ...own,
  ];
  const names = headers.map(([header]) => header);
  const keyNames = auth.type === 'apiKey' && auth.in === 'header' ? [auth.name] : [];
  const base = new URL(baseUrl);
  return {
    base,
    origin: base.origin,
    basePath: base.pathname.replace(/\/+$/, ''),
    auth,
    secret,
    headers,
    fixedNames: new Set(names.map((header) => header.toLowerCase())),
    reservedNames: new Set([...names, ...keyNames].map(comparableName)),
    addresses: [base, ...(auth.type === 'oauth2' ? [new URL(auth.tokenUrl)] : [])],
  };
}
