import { isObject } from '../../../base/json-schema/values.ts';
import { isPrivateUrl } from '../../../base/network/addresses.ts';
import { type Auth, authSchema, webAddressSchema } from '../definition/environment-schema.ts';
import { type ImportNotes, type OpenApiDocument, within } from './document.ts';
import { asList, asObject, type JsonObject, own } from './values.ts';

export interface Addresses {
  production?: string;
  staging?: string;
}

const STAGING = /(?<![a-z])(staging|stage|sandbox|test|testing|dev|development)(?![a-z])/i;

interface Server {
  url: string;
  isStaging: boolean;
}

export function importServers(servers: unknown, at: string, allowPrivate: boolean, notes: ImportNotes): Addresses {
  const usable = asList(servers).flatMap((one, index) => serverOf(one, within(at, index), allowPrivate, notes) ?? []);
  const production = preferred(usable.filter(({ isStaging }) => !isStaging));
  const staging = preferred(usable.filter(({ isStaging }) => isStaging));
  for (const address of [production, staging]) {
    if (address?.startsWith('http:')) notes.add(at, 'has no address with https; what is sent can be read on its way');
  }
  return { ...(production !== undefined && { production }), ...(staging !== undefined && { staging }) };
}

function preferred(servers: Server[]): string | undefined {
  return (servers.find(({ url }) => url.startsWith('https:')) ?? servers[0])?.url;
}

function serverOf(server: unknown, at: string, allowPrivate: boolean, notes: ImportNotes): Server | null {
  const { url: written, description } = asObject(server);
  const leaveOut = (why: string) => {
    notes.add(at, `${why}; it is left out`);
    return null;
  };
  if (typeof written !== 'string') return leaveOut('is a server without a url');
  const filled = withVariables(written, asObject(asObject(server).variables));
  if (filled === null) return leaveOut('is a server with a variable that has no default');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(filled)) return leaveOut('is an address relative to that of the document');
  const kind = kindOfAddress(filled);
  if (kind === 'none') return leaveOut('is not an http or https address without user, query and fragment');
  if (kind === 'private' && !allowPrivate) return leaveOut('is an address in a private network, which is not allowed');
  if (filled !== written) notes.add(at, 'has variables, which have the values that they have by default');
  const isStaging = STAGING.test(filled) || (typeof description === 'string' && STAGING.test(description));
  return { url: filled.replace(/\/+$/, ''), isStaging };
}

function withVariables(url: string, variables: Record<string, unknown>): string | null {
  let complete = true;
  const filled = url.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = own(variables, name);
    const value = isObject(variable) ? variable.default : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    complete = false;
    return '';
  });
  return complete ? filled : null;
}

/** `private`: needs `allowPrivateNetworks` in the definition; `none`: not allowed. */
export function kindOfAddress(address: string): 'public' | 'private' | 'none' {
  const url = webAddressSchema.safeParse(address).success ? URL.parse(address) : null;
  if (url === null) return 'none';
  return isPrivateUrl(url) ? 'private' : 'public';
}

const NONE: Auth = { type: 'none' };
const MAX_SCOPES = 100;
/** RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const SCHEMES_AT = '#/components/securitySchemes';

/** Best first among equally accepted schemes, by effort for the operator. */
const PREFERENCE = ['bearer', 'apiKey in header', 'basic', 'oauth2', 'apiKey in query'];

interface Scheme {
  auth: Auth;
  operations: number;
  scopes: Set<string>;
}

export function importSecurity(document: OpenApiDocument, operations: readonly JsonObject[], notes: ImportNotes): Auth {
  const declared = asObject(asObject(own(document.root, 'components')).securitySchemes);
  if (Object.keys(declared).length === 0) {
    notes.add('#/components', 'has no securitySchemes; where the API wants to know who calls, say so as auth');
    return NONE;
  }
  const schemes = new Map<string, Scheme>();
  for (const [name, one] of Object.entries(declared)) {
    const { value, at } = document.resolve(one, within(SCHEMES_AT, name));
    const auth = authOf(asObject(value), at, notes);
    if (auth) schemes.set(name, { auth, operations: 0, scopes: new Set() });
  }
  for (const operation of operations) count(operation.security ?? own(document.root, 'security'), schemes, notes);
  const best = [...schemes.values()].sort(
    (one, other) => other.operations - one.operations || rankOf(one.auth) - rankOf(other.auth),
  )[0];
  if (!best) return NONE;
  if (best.operations === 0) notes.add(SCHEMES_AT, 'are asked for by no operation; one is used all the same');
  if (best.auth.type !== 'oauth2') return best.auth;
  return { ...best.auth, scopes: [...best.scopes].filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES) };
}

/** Counts an operation for each scheme that it accepts. */
function count(security: unknown, schemes: ReadonlyMap<string, Scheme>, notes: ImportNotes): void {
  const counted = new Set<string>();
  for (const requirement of asList(security).filter(isObject)) {
    const names = Object.keys(requirement);
    if (names.length > 1) notes.add('#/security', `has ${names.length} ways to be used at once; only one is`);
    for (const name of names) {
      const scheme = schemes.get(name);
      if (!scheme) continue;
      if (!counted.has(name)) scheme.operations++;
      counted.add(name);
      for (const scope of asList(requirement[name])) if (typeof scope === 'string') scheme.scopes.add(scope);
    }
  }
}

function rankOf(auth: Auth): number {
  return PREFERENCE.indexOf(auth.type === 'apiKey' ? `apiKey in ${auth.in}` : auth.type);
}

function authOf(scheme: JsonObject, at: string, notes: ImportNotes): Auth | null {
  const cannot = (what: string) => {
    notes.add(at, `is ${what}, which is not supported; it is left out`);
    return null;
  };
  const type = scheme.type;
  if (type === 'http') {
    const name = String(scheme.scheme).toLowerCase();
    if (name === 'basic' || name === 'bearer') return { type: name };
    return cannot(`the scheme ${JSON.stringify(name.slice(0, 50))} of HTTP`);
  }
  if (type === 'apiKey') {
    const auth = authSchema.safeParse({ type, in: scheme.in, name: scheme.name });
    return auth.success ? auth.data : cannot('a key that is sent neither in a header nor in the query, or has no name');
  }
  if (type === 'oauth2') return oauth2Of(asObject(scheme.flows), at, notes);
  if (type === 'openIdConnect') return tokenFromElsewhere(at, notes);
  return cannot(type === 'mutualTLS' ? 'mutual TLS' : 'of no known type');
}

function oauth2Of(flows: JsonObject, at: string, notes: ImportNotes): Auth {
  const { tokenUrl } = asObject(flows.clientCredentials);
  if (typeof tokenUrl !== 'string' || kindOfAddress(tokenUrl) !== 'public') return tokenFromElsewhere(at, notes);
  return authSchema.parse({ type: 'oauth2', tokenUrl });
}

function tokenFromElsewhere(at: string, notes: ImportNotes): Auth {
  notes.add(at, 'has no token that a program could ask for by itself; a token is sent that the operator gives');
  return { type: 'bearer' };
}
