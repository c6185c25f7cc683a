import type { JSONWebKeySet } from 'jose';
import { JOSEError } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { compactVerify } from 'jose/jws/compact/verify';
import { jwtVerify } from 'jose/jwt/verify';
import { isVisible } from '../core/access/sso/claims.ts';
import { IdentityProviderFault, type LogoutClaims, type SignedJwt } from '../core/access/sso/relying-party.ts';
import { isObject } from '../core/base/json-schema/values.ts';

/* Tokens of identity providers that anybody can send. */

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric algorithms only: neither client secret nor public key must suffice to sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const MAX_LENGTH = 20_000;
/** A token is sent immediately. */
const MAX_AGE_SECONDS = 10 * 60;
export const TOLERANCE_SECONDS = 60;

/**
 * OpenID Connect Back-Channel Logout 1.0, 2.6. The caller uses `jti` up. Rejects with an
 * IdentityProviderFault.
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, now }: { issuer: string; clientId: string; keys: JSONWebKeySet; now: number },
): Promise<LogoutClaims> {
  if (token.length > MAX_LENGTH) throw refused('is too long');
  const { payload, protectedHeader } = await verified(token, { issuer, clientId, keys, now });
  const { events, nonce, sub, sid, jti } = payload;
  if (protectedHeader.typ !== undefined && !/^(logout\+)?jwt$/i.test(protectedHeader.typ))
    throw refused('has another typ');
  if (nonce !== undefined) throw refused('has a nonce, as ID tokens do');
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
  if (typeof event !== 'object' || event === null) throw refused('does not tell of a logout');
  if (typeof jti !== 'string' || jti === '') throw refused('has no jti');
  if ([sub, sid].some((value) => value !== undefined && !isVisible(value))) throw refused('has an empty sub or sid');
  if (sub === undefined && sid === undefined) throw refused('names neither a subject nor a session');
  // Afterwards its age refuses it.
  const expiresAt = now + (MAX_AGE_SECONDS + 2 * TOLERANCE_SECONDS) * 1_000;
  return { iss: issuer, jti, sub: sub ?? null, sid: isVisible(sid) ? sid : null, expiresAt };
}

/** Rejects with an IdentityProviderFault. */
export async function verifySignature(token: string, keys: JSONWebKeySet): Promise<Omit<SignedJwt, 'issuer'>> {
  try {
    const { payload, protectedHeader } = await compactVerify(token, createLocalJWKSet(keys), {
      algorithms: ALGORITHMS,
    });
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (isObject(claims)) return { header: { ...protectedHeader }, claims };
    throw new IdentityProviderFault('rejected', 'the token holds no claims');
  } catch (error) {
    if (error instanceof JOSEError || error instanceof TypeError || error instanceof SyntaxError) {
      throw new IdentityProviderFault('rejected', `the token is not signed rightly (${codeOf(error)})`, error);
    }
    throw error;
  }
}

async function verified(
  token: string,
  { issuer, clientId, keys, now }: { issuer: string; clientId: string; keys: JSONWebKeySet; now: number },
) {
  try {
    return await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: TOLERANCE_SECONDS },
      ...{ maxTokenAge: MAX_AGE_SECONDS, currentDate: new Date(now), requiredClaims: ['iat', 'exp', 'jti', 'events'] },
    });
  } catch (error) {
    if (error instanceof JOSEError || error instanceof TypeError)
      throw refused(`is not valid (${codeOf(error)})`, error);
    throw error;
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function refused(why: string, cause?: unknown): IdentityProviderFault {
  return new IdentityProviderFault('rejected', `the logout token ${why}`, cause);
}
