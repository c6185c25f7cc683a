import { RuntimeError } from '../../../base/shared/errors.ts';
import { isHeaderValue } from '../../providers/secret-schema.ts';
import { shownHost } from '../call/shown-host.ts';
import type { UpstreamAnswer } from '../call/transport.ts';
import { charsetOf, jsonTextIn } from '../media-type.ts';
import { basicOf, formEncoded, type TokenRequest } from './token-request.ts';

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
