import { invalid, RuntimeError } from '../errors.ts';
import { listNames } from '../names.ts';
import type { ReadVariable } from '../providers/environment.ts';
import { authorize } from './authorization.ts';
import type { CredentialService } from './credentials.ts';
import type { Auth, EnvironmentName, SecretReference } from './environment-schema.ts';
import type { BuiltRequest } from './request.ts';
import type { ConnectorDefinition } from './schema.ts';
import { type ResolvedSecret, resolveReference } from './secrets.ts';
import { shownHost } from './shown-host.ts';
import type { AccessTokens } from './tokens.ts';
import type { CallPolicy } from './transport.ts';

export interface CallCredentialsParts {
  credentials: Pick<CredentialService, 'secretOf'>;
  tokens: AccessTokens;
  variable: ReadVariable;
}

/** A request that says who calls, and what in it nobody may see. */
export interface AuthorizedRequest extends BuiltRequest {
  secrets: string[];
}

/** As whom one call is made. */
export interface CallAuthority {
  /** The name of the stored credential; null where none is used. */
  credential: string | null;
  /** Puts into the request what says who calls. */
  authorize(request: BuiltRequest, signal: AbortSignal): Promise<AuthorizedRequest>;
  /** The API did not accept it: whether there is something that may be better next time. */
  refresh(): boolean;
}

interface Asked {
  policy: CallPolicy;
  environment: EnvironmentName;
  /** By the caller, in place of the environment's own. */
  named: string | undefined;
}

/** Finds what calls authenticate with. */
export class CallCredentials {
  private readonly parts: CallCredentialsParts;

  constructor(parts: CallCredentialsParts) {
    this.parts = parts;
  }

  /** Throws `invalid` for what the caller can mend, `unavailable` for what the operator has to. */
  async authorityFor(definition: ConnectorDefinition, { policy, environment, named }: Asked): Promise<CallAuthority> {
    const { auth, reference } = this.secretFor(definition, environment, named);
    const resolve = (one: SecretReference) => this.resolve(one, definition, policy.tenantId);
    const secret = reference && (await resolve(reference));
    const place = definition.environments[environment]!;
    const headers = await resolved(merged(definition.headers, place.headers), resolve);
    if (secret) checkHosts(secret, [place.baseUrl, ...(auth.type === 'oauth2' ? [auth.tokenUrl] : [])], named);
    for (const { secret: of } of headers) if (of) checkHosts(of, [place.baseUrl]);
    const token = auth.type === 'oauth2' && secret ? this.tokenOf(auth, secret, policy) : null;
    return {
      credential: reference && 'credential' in reference ? reference.credential : null,
      refresh: () => token?.forget() ?? false,
      authorize: async (request, signal) => {
        const fixed = headers.flatMap(({ name, value }) => [name, value]);
        const withHeaders = { ...request, headers: [...request.headers, ...fixed] };
        const secrets = headers.flatMap(({ value, secret: of }) => (of ? [value] : []));
        if (auth.type === 'none' || !secret) return { ...withHeaders, secrets };
        const shown = token ? { username: null, secret: await token.get(signal) } : secret;
        return {
          ...authorize(withHeaders, auth, shown),
          secrets: [...secrets, ...secretsIn(auth, secret), shown.secret],
        };
      },
    };
  }

  private secretFor(definition: ConnectorDefinition, environment: EnvironmentName, named: string | undefined) {
    const place = definition.environments[environment]!;
    const auth = place.auth ?? definition.auth;
    const { slug, credentials } = definition;
    if (auth.type === 'none') {
      if (named === undefined) return { auth, reference: null };
      throw invalid(`options.credentials: must be left out: "${slug}" is called without any`);
    }
    if (named !== undefined && !credentials.includes(named)) {
      const which = credentials.length > 0 ? `it allows ${listNames(credentials)}` : 'its definition allows none';
      throw invalid(`options.credentials: ${JSON.stringify(named)} may not be used with "${slug}"; ${which}`);
    }
    const reference = named === undefined ? place.secret : { credential: named };
    if (reference) return { auth, reference };
    if (credentials.length === 0) {
      const message = `"${slug}" needs a secret, and its definition names none: give environments.${environment} a secret.`;
      throw new RuntimeError('unavailable', message);
    }
    throw invalid(
      `options.credentials: is required with "${slug}", which has none of its own; it allows ${listNames(credentials)}`,
    );
  }

  private resolve(reference: SecretReference, { credentials: allowed }: ConnectorDefinition, tenantId: string) {
    const { credentials, variable } = this.parts;
    return resolveReference(reference, { tenantId, credentials, variable, allowed });
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

interface FixedHeader {
  name: string;
  value: string;
  /** Null: it is none. */
  secret: ResolvedSecret | null;
}

/** Those of the environment take the place of the connector's, in any case. */
function merged(
  ofConnector: ConnectorDefinition['headers'],
  ofEnvironment: ConnectorDefinition['headers'] = {},
): ConnectorDefinition['headers'] {
  const own = new Set(Object.keys(ofEnvironment).map((name) => name.toLowerCase()));
  const kept = Object.entries(ofConnector).filter(([name]) => !own.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ofEnvironment };
}

async function resolved(
  headers: Record<string, string | SecretReference>,
  resolve: (reference: SecretReference) => Promise<ResolvedSecret>,
): Promise<FixedHeader[]> {
  const all: FixedHeader[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') all.push({ name, value, secret: null });
    else {
      const secret = await resolve(value);
      all.push({ name, value: secret.secret, secret });
    }
  }
  return all;
}

/** `invalid` where the call has named the credential, and otherwise `unavailable`: then only the operator can mend it. */
function checkHosts({ name, hosts }: ResolvedSecret, addresses: readonly string[], named?: string): void {
  if (hosts.length === 0) return;
  const other = addresses.map((address) => new URL(address)).find(({ hostname }) => !hosts.includes(hostname));
  if (other === undefined) return;
  const problem = `${JSON.stringify(name)} may not be sent to ${shownHost(other)}; \`credentials set ${name}\` says which hosts it may be sent to`;
  if (named !== undefined) throw invalid(`options.credentials: ${problem}`);
  throw new RuntimeError('unavailable', `Credential ${problem}.`);
}

/** What an API may repeat of it, as it is sent and as it is. */
function secretsIn(auth: Auth, { username, secret }: ResolvedSecret): string[] {
  if (auth.type !== 'basic') return [secret];
  const whole = `${auth.username ?? username ?? ''}:${secret}`;
  return [secret, Buffer.from(whole).toString('base64')];
}
