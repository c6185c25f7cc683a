import { isVisible } from './claims.ts';
import type { IdTokenClaims, SignedJwt } from './relying-party.ts';

/* The claims of an Identity Assertion JWT Authorization Grant, without I/O. */

/** Seconds. Clocks of two companies differ. */
const TOLERANCE = 60;
/** Seconds, the lifetime of an access token. For so long a used `jti` is remembered. */
const MAX_LIFETIME = 3_600;
const MAX_JTI = 500;

/** The one whom an assertion must be for. */
export interface Addressee {
  /** The issuer of this authorization server. */
  audience: string;
  /** The address of `/mcp`. */
  resource: string;
  /** The client that has authenticated itself. */
  clientId: string;
}

export interface IdJagClaims extends IdTokenClaims {
  jti: string;
  exp: number;
}

/** By RFC 6749, 5.2. The message goes to the client: it names the remedy and no secret. */
export class AssertionRefused extends Error {
  readonly error: 'invalid_grant' | 'invalid_scope';

  constructor(message: string, error: AssertionRefused['error'] = 'invalid_grant') {
    super(message);
    this.name = 'AssertionRefused';
    this.error = error;
  }
}

/** The issuer that an assertion names, which nothing has proved yet; null: it is no JWT. */
export function issuerNamedIn(assertion: string): string | null {
  try {
    const { iss } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
    return typeof iss === 'string' ? iss : null;
  } catch {
    return null;
  }
}

/** Throws an AssertionRefused with the first fault. `now` is in epoch milliseconds. */
export function requireFit({ issuer, header, claims }: SignedJwt, addressee: Addressee, now: number): IdJagClaims {
  const seconds = now / 1_000;
  const { iss, sub, aud, resource, client_id: clientId, jti, exp, iat, nbf, scope } = claims;
  const { cnf, authorization_details: details } = claims;
  const typ = typeof header.typ === 'string' ? header.typ.toLowerCase() : '';
  refuseIf(typ.replace(/^application\//, '') !== 'oauth-id-jag+jwt', 'typ: must be oauth-id-jag+jwt');
  refuseIf(iss !== issuer, 'iss: must be the issuer that the discovery document names');
  refuseIf(!isOnly(aud, addressee.audience), `aud: must be ${addressee.audience} alone`);
  refuseIf(!isOnly(resource, addressee.resource), `resource: must be ${addressee.resource} alone`);
  refuseIf(clientId !== addressee.clientId, 'client_id: must be the client that sends the assertion');
  refuseIf(!isVisible(sub), 'sub: must name the person');
  refuseIf(!isVisible(jti) || jti.length > MAX_JTI, `jti: must be there, with at most ${MAX_JTI} characters`);
  if (!isTime(exp) || !isTime(iat)) throw new AssertionRefused('exp, iat: must both be times in seconds');
  refuseIf(exp - iat > MAX_LIFETIME, `exp: must be at most ${MAX_LIFETIME} seconds after iat`);
  refuseIf(exp + TOLERANCE <= seconds, 'exp: the assertion has expired; get a new one');
  refuseIf(iat - TOLERANCE > seconds, 'iat: is in the future; compare the clocks of both machines');
  refuseIf(nbf !== undefined && !isTime(nbf), 'nbf: must be a time in seconds');
  refuseIf(Number(nbf ?? 0) - TOLERANCE > seconds, 'nbf: the assertion is not valid yet');
  // Limits that are not understood must not be left out.
  refuseIf(cnf !== undefined, 'cnf: it is bound to a key (DPoP), whose proof is not checked here; get one without');
  refuseIf(details !== undefined, 'authorization_details: are not understood here; scope is');
  refuseIf(scope !== undefined && typeof scope !== 'string', 'scope: must be a text with spaces between the scopes');
  return claims as IdJagClaims;
}

/** After it, the assertion is refused by its times alone. Epoch milliseconds. */
export function endOf({ exp }: IdJagClaims): number {
  return (exp + TOLERANCE) * 1_000;
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new AssertionRefused(`assertion, ${message}.`);
}

/** One text, or a list of it alone. A slash at the end does not matter. */
function isOnly(value: unknown, wanted: string): boolean {
  const [only, ...others] = [value].flat();
  return typeof only === 'string' && others.length === 0 && addressOf(only) === addressOf(wanted);
}

function addressOf(text: string): string | undefined {
  return URL.parse(text)?.href.replace(/\/$/, '');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
