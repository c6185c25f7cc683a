import { RuntimeError } from '../../../base/shared/errors.ts';
import { isHeaderValue } from '../../providers/secret-schema.ts';
import { type CallPolicy, shownHost, type UpstreamAnswer, type UpstreamRequest } from '../call/transport.ts';
import type { Auth } from '../definition/environment-schema.ts';
import { charsetOf, jsonTextIn } from '../media-type.ts';

/** Client credentials (RFC 6749, 4.4). */
export interface TokenRequest {
  policy: CallPolicy;
  auth: Extract<Auth, { type: 'oauth2' }>;
  clientId: string;
  clientSecret: string;
  /** The revision of the credential. Each has its own token. */
  version: string | number;
}

const MAX_ANSWER_BYTES = 64 * 1024;

export function tokenRequestOf({ auth, clientId, clientSecret }: TokenRequest, signal: AbortSignal): UpstreamRequest {
  const { tokenUrl, scopes, audience, clientAuthentication } = auth;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  if (audience !== undefined) form.set('audience', audience);
  const headers = ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'];
  if (clientAuthentication === 'basic') {
    headers.push('authorization', `Basic ${basicOf(clientId, clientSecret)}`);
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  return {
    method: 'POST',
    url: new URL(tokenUrl),
    headers,
    body: form.toString(),
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  };
}

/** Unlike plain HTTP Basic, both parts are form-encoded (RFC 6749, 2.3.1). */
export function basicOf(clientId: string, clientSecret: string): string {
  return Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
}

export function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 86_400;
const MAX_TOKEN = 10_000;
const MAX_ERROR = 200;

/** Throws `upstream` with the error of the server. */
export function issuedToken(answer: UpstreamAnswer, request: TokenRequest): { token: string; lifetimeMs: number } {
  const json = jsonOf(answer);
  if (answer.status !== 200) throw refusal(`answered with status ${answer.status}${errorOf(json, request)}`, request);
  const { access_token: token, token_type: type, expires_in: lifetime } = json;
  if (typeof json.error === 'string') throw refusal(`refused it${errorOf(json, request)}`, request);
  if (typeof token !== 'string' || token.length > MAX_TOKEN || !isHeaderValue(token)) {
    throw refusal('answered without an access_token that can be sent in a header', request);
  }
  if (!isBearer(type)) {
    const shown = printable(String(JSON.stringify(type)), request).slice(0, 60);
    throw refusal(`answered with a token_type other than Bearer (${shown}), which is not understood`, request);
  }
  return { token, lifetimeMs: secondsOf(lifetime) * 1_000 };
}

export function refusal(why: string, { auth }: TokenRequest, cause?: unknown): RuntimeError {
  const host = shownHost(new URL(auth.tokenUrl));
  return new RuntimeError('upstream', `No access token: the server of tokenUrl (${host}) ${why}.`, { cause });
}

/** Case does not matter (RFC 6749, 7.1). Some servers leave it empty or say `BearerToken`. */
function isBearer(type: unknown): boolean {
  if (typeof type !== 'string') return (type ?? null) === null;
  return /^(bearer([ _-]?token)?)?$/i.test(type.trim());
}

function jsonOf({ headers, body }: UpstreamAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(jsonTextIn(body, charsetOf(headers['content-type'] ?? '')) ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Some servers send a string. */
function secondsOf(lifetime: unknown): number {
  const seconds = typeof lifetime === 'string' && lifetime !== '' ? Number(lifetime) : lifetime;
  if (typeof seconds !== 'number' || !(seconds > 0)) return DEFAULT_LIFETIME_S;
  return Math.min(seconds, MAX_LIFETIME_S);
}

function errorOf({ error, error_description: description }: Record<string, unknown>, request: TokenRequest): string {
  if (typeof error !== 'string') return '';
  const more = typeof description === 'string' ? ` (${printable(description, request)})` : '';
  return `: ${printable(error, request)}${more}`;
}

/** Removes the secret in every form sent. */
function printable(text: string, { clientId, clientSecret }: TokenRequest): string {
  const secrets = [basicOf(clientId, clientSecret), formEncoded(clientSecret), clientSecret];
  const withoutSecret = secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text);
  return withoutSecret
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_ERROR);
}
