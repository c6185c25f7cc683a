import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import { listNames } from '../../../base/shared/names.ts';
import { faultOfVariable, type ReadVariable } from '../../providers/environment.ts';
import { isHeaderValue } from '../../providers/secret-schema.ts';
import { type CallPolicy, shownHost } from '../call/transport.ts';
import type { Auth, EnvironmentName, SecretReference } from '../definition/environment-schema.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import type { BuiltRequest } from '../request/request.ts';
import { percentEncoded } from '../request/styles.ts';
import { type CompiledTarget, compiledTarget } from '../request/target.ts';
import type { Credential, CredentialService } from './service.ts';
import type { AccessTokens } from './tokens.ts';

/** For `oauth2`, `secret` is the access token. */
export interface AuthSecret {
  username?: string | null;
  secret: string;
}

/** Added last; callers cannot set these. Messages never contain the secret. */
export function authorize(request: BuiltRequest, auth: Auth, credential: AuthSecret): BuiltRequest {
  switch (auth.type) {
    case 'none':
      return request;
    case 'bearer':
    case 'oauth2':
      return withHeader(request, 'authorization', `Bearer ${credential.secret}`);
    case 'basic':
      return withHeader(request, 'authorization', `Basic ${basicCredentials(auth.username, credential)}`);
    case 'apiKey': {
      const value = auth.prefix === undefined ? credential.secret : `${auth.prefix} ${credential.secret}`;
      return auth.in === 'header' ? withHeader(request, auth.name, value) : withParameter(request, auth.name, value);
    }
  }
}

/** RFC 7617 in UTF-8. Some APIs want an empty username. */
function basicCredentials(configured: string | undefined, { username, secret }: AuthSecret): string {
  const user = configured ?? username ?? '';
  if (user.includes(':')) throw unusable('has a colon in its username, which HTTP Basic cannot tell from the secret');
  if (/\p{Cc}/u.test(user + secret)) throw unusable('has control characters');
  return Buffer.from(`${user}:${secret}`).toString('base64');
}

function withHeader(request: BuiltRequest, name: string, value: string): BuiltRequest {
  if (!isHeaderValue(value)) throw unusable('must be printable ASCII on one line, without blanks at its ends');
  return { ...request, headers: [...request.headers, name, value] };
}

function withParameter(request: BuiltRequest, name: string, value: string): BuiltRequest {
  const url = new URL(request.url);
  const own = `${percentEncoded(name)}=${percentEncoded(value)}`;
  url.search = url.search === '' ? own : `${url.search}&${own}`;
  return { ...request, url };
}

function unusable(why: string): RuntimeError {
  return new RuntimeError('unavailable', `The credential of the connector ${why}.`);
}

export interface CallCredentialsParts {
  credentials: Pick<CredentialService, 'secretOf'>;
  tokens: AccessTokens;
  variable: ReadVariable;
}

/** With the secrets to redact from the answer. */
export interface AuthorizedRequest extends BuiltRequest {
  secrets: string[];
}

export interface CallAuthority {
  credential: string | null;
  authorize(request: BuiltRequest, signal: AbortSignal): Promise<AuthorizedRequest>;
  /** After a 401: drops the access token. False without one. */
  refresh(): boolean;
}

interface Options {
  policy: CallPolicy;
  environment: EnvironmentName;
  /** Overrides the credential of the environment. */
  named: string | undefined;
}

export class CallCredentials {
  private readonly parts: CallCredentialsParts;

  constructor(parts: CallCredentialsParts) {
    this.parts = parts;
  }

  /** Throws `invalid` for mistakes of the caller, `unavailable` for those of the operator. */
  async authorityFor(definition: ConnectorDefinition, options: Options): Promise<CallAuthority> {
    const { policy, environment, named } = options;
    const target = compiledTarget(definition, environment);
    const { auth } = target;
    const reference = referenceFor(definition, target, options);
    const { credentials, variable } = this.parts;
    const lookup = { tenantId: policy.tenantId, credentials, variable, allowed: definition.credentials };
    const resolve = (one: SecretReference) => resolveReference(one, lookup);
    const secret = reference && (await resolve(reference));
    if (secret) checkHosts(secret, target.addresses, named);
    const fixed = await fixedHeaders(target, resolve);
    const token = auth.type === 'oauth2' && secret ? this.tokenOf(auth, secret, policy) : null;
    return {
      credential: reference && 'credential' in reference ? reference.credential : null,
      refresh: () => token?.forget() ?? false,
      authorize: async (request, signal) => {
        const withHeaders = { ...request, headers: [...request.headers, ...fixed.headers] };
        if (!secret) return { ...withHeaders, secrets: fixed.secrets };
        const identity = token ? { username: null, secret: await token.get(signal) } : secret;
        return {
          ...authorize(withHeaders, auth, identity),
          secrets: [...fixed.secrets, ...secretsIn(auth, secret), identity.secret],
        };
      },
    };
  }

  private tokenOf(auth: Auth & { type: 'oauth2' }, { username, secret, version }: ResolvedSecret, policy: CallPolicy) {
    const { tokens } = this.parts;
    const clientId = auth.clientId ?? username;
    if (clientId === null) {
      throw new RuntimeError(
        'unavailable',
        'auth.clientId: is missing, and the credential has no username to take for it.',
      );
    }
    const client = { policy, auth, clientId, clientSecret: secret, version };
    let last: string | null = null;
    return {
      get: async (signal: AbortSignal) => {
        last = await tokens.tokenFor(client, signal);
        return last;
      },
      forget: () => {
        if (last !== null) tokens.forget(client, last);
        return last !== null;
      },
    };
  }
}

function referenceFor(
  { slug, credentials }: ConnectorDefinition,
  target: CompiledTarget,
  { environment, named }: Options,
): SecretReference | null {
  if (target.auth.type === 'none') {
    if (named === undefined) return null;
    throw invalid(`options.credentials: must be left out: "${slug}" is called without any`);
  }
  if (named !== undefined && !credentials.includes(named)) {
    const which = credentials.length > 0 ? `it allows ${listNames(credentials)}` : 'its definition allows none';
    throw invalid(`options.credentials: ${JSON.stringify(named)} may not be used with "${slug}"; ${which}`);
  }
  if (named !== undefined) return { credential: named };
  if (target.secret) return target.secret;
  if (credentials.length === 0) {
    const message = `"${slug}" needs a secret, and its definition names none: give environments.${environment} a secret.`;
    throw new RuntimeError('unavailable', message);
  }
  throw invalid(
    `options.credentials: is required with "${slug}", which has none of its own; it allows ${listNames(credentials)}`,
  );
}

/** `headers`: names and values alternate. `secrets`: those in the headers. */
async function fixedHeaders(
  { headers, base }: CompiledTarget,
  resolve: (reference: SecretReference) => Promise<ResolvedSecret>,
): Promise<{ headers: string[]; secrets: string[] }> {
  const fixed: { headers: string[]; secrets: string[] } = { headers: [], secrets: [] };
  for (const [name, value] of headers) {
    if (typeof value === 'string') fixed.headers.push(name, value);
    else {
      const secret = await resolve(value);
      checkHosts(secret, [base]);
      fixed.headers.push(name, secret.secret);
      fixed.secrets.push(secret.secret);
    }
  }
  return fixed;
}

/** Throws `invalid` if the call named the credential, else `unavailable`. */
function checkHosts({ name, hosts }: ResolvedSecret, addresses: readonly URL[], named?: string): void {
  const other = addresses.find(({ hostname }) => hosts !== null && !hosts.includes(hostname));
  if (other === undefined) return;
  const problem = `${JSON.stringify(name)} may not be sent to ${shownHost(other)}; \`credentials set ${name}\` says which hosts it may be sent to`;
  if (named !== undefined) throw invalid(`options.credentials: ${problem}`);
  throw new RuntimeError('unavailable', `Credential ${problem}.`);
}

function secretsIn(auth: Auth, { username, secret }: ResolvedSecret): string[] {
  if (auth.type !== 'basic') return [secret];
  const whole = `${auth.username ?? username ?? ''}:${secret}`;
  return [secret, Buffer.from(whole).toString('base64')];
}

export interface ReferenceContext {
  tenantId: string;
  credentials: Pick<CredentialService, 'secretOf'>;
  variable: ReadVariable;
  allowed: readonly string[];
}

/** Never show, log or record it. */
export interface ResolvedSecret extends Omit<Credential, 'version' | 'hosts'> {
  /** Hosts that it may be sent to; null for a variable of the server: where the definition says. */
  hosts: readonly string[] | null;
  /** Identifies the secret and its revision within a tenant without disclosing it. */
  version: string;
}

/** Throws `unavailable` when missing, `invalid` for a credential that is not `allowed`. */
export async function resolveReference(
  reference: SecretReference,
  { tenantId, credentials, variable, allowed }: ReferenceContext,
): Promise<ResolvedSecret> {
  if ('env' in reference) return secretOfVariable(reference.env, variable);
  const { credential } = reference;
  if (!allowed.includes(credential)) throw notAllowed(credential, allowed);
  const { username, secret, hosts, version } = await credentials.secretOf(tenantId, credential);
  return { name: credential, username, secret, hosts, version: `credential ${credential} ${version}` };
}

function secretOfVariable(name: string, variable: ReadVariable): ResolvedSecret {
  const fault = faultOfVariable(name, variable);
  if (fault !== null) throw new RuntimeError('unavailable', `The connector cannot be used: ${fault}.`);
  // The environment of a process does not change.
  return { name, username: null, secret: variable(name)!, hosts: null, version: `env ${name}` };
}

function notAllowed(name: string, allowed: readonly string[]): RuntimeError {
  const which = allowed.length === 0 ? 'it lists none' : `it lists ${listNames(allowed)}`;
  return invalid(`options.credentials: the connector does not list ${JSON.stringify(name)}; ${which}`);
}
