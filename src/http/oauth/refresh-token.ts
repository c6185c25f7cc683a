import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../core/base/sealing/secret-key.ts';

/*
 * A refresh token is random bytes, its grant and a MAC. So the server knows each one that it
 * issued, however long ago, and keeps the newest alone.
 */

const RANDOM_BYTES = 32;
const GRANT_BYTES = 16;
const MAC_BYTES = 16;
const BYTES = RANDOM_BYTES + GRANT_BYTES + MAC_BYTES;

export function newRefreshToken(secretKey: SecretKey, grantId: string): string {
  const named = Buffer.concat([randomBytes(RANDOM_BYTES), Buffer.from(grantId.replaceAll('-', ''), 'hex')]);
  return Buffer.concat([named, macOf(secretKey, named)]).toString('base64url');
}

/** Null: not a refresh token of this server. */
export function grantOfRefreshToken(secretKey: SecretKey, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== BYTES) return null;
  const named = bytes.subarray(0, -MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secretKey, named))) return null;
  const hex = named.subarray(-GRANT_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function macOf(secretKey: SecretKey, named: Uint8Array): Buffer {
  return createHmac('sha256', secretKey.keyFor('refresh tokens')).update(named).digest().subarray(0, MAC_BYTES);
}
