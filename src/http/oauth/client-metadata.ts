import { errors } from 'oidc-provider';
import { isObject } from '../../core/base/json-schema/values.ts';

/*
 * Metadata of clients that register themselves or have a document, as RFC 7591 names it.
 * Applications leave out or misstate what they could not know of this server; what makes a redirect
 * address unsafe is refused.
 */

const MAX_REDIRECTS = 20;
const MAX_LENGTH = 2_000;
const MAX_NAME = 100;
/** Each is tried when a client signs. */
const MAX_KEYS = 10;
/** Bytes of JSON that are stored for one client. */
const MAX_BYTES = 8 * 1024;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** Members that this server does not use; a wrong value in them must not fail a registration. */
const UNUSED = [
  'scope',
  'id_token_signed_response_alg',
  'contacts',
  'default_max_age',
  'require_auth_time',
  'subject_type',
  'sector_identifier_uri',
  'response_modes',
];

/** Schemes that open something other than the application. */
const HANDLERS =
  /^(ms-|search|intent:|shell:|mailto:|tel:|sms:|ldap:|smb:|ftp:|ssh:|telnet:|view-source:|chrome|resource:|jar:|wss?:)/i;

type Metadata = Record<string, unknown>;

/** Changes it in place, before the library checks it. Throws `invalid_client_metadata`. */
export function adaptMetadata(metadata: Metadata): void {
  for (const name of [...UNUSED, ...emptyIn(metadata)]) delete metadata[name];
  metadata.grant_types = grantTypesIn(metadata.grant_types);
  metadata.response_types = ['code'];
  const redirects = redirectsIn(metadata.redirect_uris);
  // "Native" allows schemes of their own, http on loopback alone, and there any port (RFC 8252).
  metadata.application_type = redirects.every((uri) => uri.startsWith('https://')) ? 'web' : 'native';
  if (!isUsableKeySet(metadata.jwks)) {
    throw new errors.InvalidClientMetadata(`jwks must hold at most ${MAX_KEYS} keys`);
  }
  // A document cannot hold a secret, and most say nothing of it.
  const isDocument = /^https:\/\//i.test(String(metadata.client_id));
  if (isDocument && (metadata.token_endpoint_auth_method ?? 'client_secret_basic') === 'client_secret_basic') {
    metadata.token_endpoint_auth_method = 'none';
  }
  const { client_name: name } = metadata;
  if (name !== undefined) metadata.client_name = shortName(name);
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES) {
    throw new errors.InvalidClientMetadata('the metadata has more than 8 KB');
  }
}

/**
 * Null and empty members count as left out. The library must see that before it decides whether the
 * client gets a secret.
 */
export function withoutEmpty(metadata: Metadata): Metadata {
  const empty = emptyIn(metadata);
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !empty.includes(name)));
}

/** Leaves them out of a metadata document, before the library checks its addresses. */
export async function withoutEmptyMembers(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.text();
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    // The library says what is wrong.
  }
  return new Response(isObject(members) ? JSON.stringify(withoutEmpty(members)) : text, response);
}

function emptyIn(metadata: Metadata): string[] {
  return Object.keys(metadata).filter((name) => isEmpty(metadata[name]));
}

/** True as well for a list or an object that holds nothing else. */
function isEmpty(value: unknown, levels = 3): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  return levels > 0 && Object.values(value).every((one) => isEmpty(one, levels - 1));
}

function grantTypesIn(given: unknown): string[] {
  const named = Array.isArray(given) ? GRANT_TYPES.filter((type) => given.includes(type)) : [];
  return named.includes('authorization_code') ? named : ['authorization_code', ...named];
}

function redirectsIn(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_REDIRECTS) {
    throw new errors.InvalidClientMetadata(`redirect_uris must hold 1 to ${MAX_REDIRECTS} addresses`);
  }
  const addresses = given.filter((uri): uri is string => typeof uri === 'string' && uri.length <= MAX_LENGTH);
  if (addresses.some((uri) => HANDLERS.test(uri))) {
    throw new errors.InvalidRedirectUri('redirect_uris must not use a scheme of the operating system');
  }
  if (addresses.length < given.length) {
    throw new errors.InvalidClientMetadata(`redirect_uris must hold texts of at most ${MAX_LENGTH} characters`);
  }
  return addresses;
}

function isUsableKeySet(jwks: unknown): boolean {
  const { keys } = (jwks ?? {}) as { keys?: unknown };
  return !Array.isArray(keys) || keys.length <= MAX_KEYS;
}

/** Without control and direction characters, which could disguise the name on the consent page. */
function shortName(name: unknown): string | undefined {
  const text = typeof name === 'string' ? name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() : '';
  return text === '' ? undefined : [...text].slice(0, MAX_NAME).join('');
}
