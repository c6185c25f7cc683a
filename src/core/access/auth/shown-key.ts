import { formatUtc } from '../../base/time/time.ts';
import type { ApiKey, IssuedKey, ShownApiKey } from './schema.ts';
import { formatKey } from './secrets.ts';
import type { KeyWithMaker } from './store.ts';

export function shownKey(key: KeyWithMaker, now: number): ShownApiKey {
  const {
    id,
    tenantId,
    agentId,
    label,
    scopes,
    limits,
    createdAt,
    createdBy,
    maker,
    expiresAt,
    lastUsedAt,
    revokedAt,
  } = key;
  return {
    id,
    tenantId,
    agentId,
    label,
    scopes,
    ...(limits && { limits }),
    createdAt: formatUtc(createdAt),
    createdBy,
    maker,
    expiresAt: iso(expiresAt),
    lastUsedAt: iso(lastUsedAt),
    revokedAt: iso(revokedAt),
    formerSecretUntil: formerSecretUntil(key, now),
  };
}

/** Neither secret outlives the key. */
export function formerSecretUntil({ formerUntil, expiresAt, revokedAt }: ApiKey, now: number): string | null {
  if (formerUntil === null || revokedAt !== null) return null;
  const until = Math.min(formerUntil, expiresAt ?? formerUntil);
  return until > now ? formatUtc(until) : null;
}

function iso(time: number | null): string | null {
  return time === null ? null : formatUtc(time);
}

export function issuedKey(key: ApiKey, secret: string): IssuedKey {
  const { id, tenantId, agentId, label, scopes, limits, expiresAt } = key;
  return {
    id,
    key: formatKey({ id, secret }),
    tenantId,
    agentId,
    label,
    scopes,
    ...(limits && { limits }),
    expiresAt: iso(expiresAt),
  };
}
