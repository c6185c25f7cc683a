import { createSecretKey, type KeyObject } from 'node:crypto';
import { JOSEError } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { SecretKey } from '../../base/sealing/secret-key.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { StoredUser } from '../users/store.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'agent-runtime';
const AUDIENCE = 'agent-runtime portal';
export const TOKEN_SECONDS = 12 * 3_600;
/** Tolerates small clock corrections. */
const SKEW_SECONDS = 60;

interface TokenClaims {
  userId: string;
  tenantId: string;
  sessionId: string;
  sessionVersion: StoredUser['sessionVersion'];
}

type IssuedFor = Pick<StoredUser, 'id' | 'tenantId' | 'role' | 'sessionVersion'>;

/** An API key never has this form. */
export function isToken(credential: string): boolean {
  return /^[\w-]+\.[\w-]*\.[\w-]*$/.test(credential);
}

interface TokenParts {
  secretKey: SecretKey;
  effects: Pick<Effects, 'now'>;
}

export class Tokens {
  private readonly parts: TokenParts;
  private signingKey: KeyObject | null = null;

  constructor(parts: TokenParts) {
    this.parts = parts;
  }

  async issue(
    { id, tenantId, role, sessionVersion }: IssuedFor,
    sessionId: string,
  ): Promise<{ token: string; expiresAt: number }> {
    const issuedAt = Math.floor(this.parts.effects.now() / 1_000);
    const expiresAt = issuedAt + TOKEN_SECONDS;
    // The role is only for display: each request reads the rights from the database.
    const token = await new SignJWT({ tenantId, role, sid: sessionId, sessionVersion })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(id)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.key());
    return { token, expiresAt: expiresAt * 1_000 };
  }

  /** Null for a foreign, changed or expired token. */
  async verify(token: string): Promise<TokenClaims | null> {
    const key = this.key();
    if (!isCanonical(token)) return null;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: 'JWT',
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'tenantId', 'role', 'sid', 'sessionVersion', 'iat', 'exp'],
        currentDate: new Date(this.parts.effects.now()),
      });
      const { sub: userId, tenantId, sid: sessionId, sessionVersion, iat } = payload;
      if (typeof userId !== 'string' || typeof tenantId !== 'string' || typeof sessionId !== 'string') return null;
      if (iat === undefined || iat > this.parts.effects.now() / 1_000 + SKEW_SECONDS) return null;
      if (typeof sessionVersion !== 'number' && sessionVersion !== null) return null;
      return { userId, tenantId, sessionId, sessionVersion };
    } catch (error) {
      if (error instanceof JOSEError) return null;
      throw error;
    }
  }

  private key(): KeyObject {
    this.signingKey ??= createSecretKey(this.parts.secretKey.keyFor('portal tokens'));
    return this.signingKey;
  }
}

/** Decoders ignore the last bits of base64, so other spellings of a signature are refused. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
