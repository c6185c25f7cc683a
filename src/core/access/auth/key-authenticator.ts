import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { type RefusedCredential, RuntimeError } from '../../base/shared/errors.ts';
import { LastUses } from '../../base/shared/last-uses.ts';
import type { ApiKey } from './schema.ts';
import { matchesHash, parseKey } from './secrets.ts';
import type { KeyStore } from './store.ts';
import type { TenantService } from './tenants.ts';

interface KeyAuthenticatorParts {
  store: Pick<KeyStore, 'find' | 'touch'>;
  tenants: Pick<TenantService, 'requireUnblocked'>;
  effects: Effects;
}

export class KeyAuthenticator {
  private readonly parts: KeyAuthenticatorParts;
  private readonly uses = new LastUses();

  constructor(parts: KeyAuthenticatorParts) {
    this.parts = parts;
  }

  /**
   * Throws `unauthenticated`. Reads the key each time, so that a revocation applies immediately.
   */
  async authenticate(apiKey: string): Promise<Caller> {
    const { store, tenants, effects } = this.parts;
    const parts = parseKey(apiKey);
    const key = parts && (await store.find(parts.id));
    if (!parts || !key) throw refusal('The API key is not valid.');
    tenants.requireUnblocked(key.tenantId);
    const refused = { tenantId: key.tenantId, kind: 'key', id: key.id, label: key.label } as const;
    const now = effects.now();
    const reason = reasonToRefuse(parts.secret, key, now);
    if (reason !== null) throw refusal(reason, refused);
    await this.uses.record(key.id, now, () => store.touch(key.id, now));
    const { tenantId, agentId, label, scopes, limits, timezone } = key;
    const credential = { kind: 'key', id: key.id } as const;
    const caller = { tenantId, agentId, label, scopes, timezone, credential, userId: key.createdBy, role: null };
    return limits ? { ...caller, limits: [limits] } : caller;
  }
}

function reasonToRefuse(secret: string, key: ApiKey, now: number): string | null {
  const { secretHash, formerHash, formerUntil, revokedAt, expiresAt } = key;
  const isCurrent = matchesHash(secret, secretHash);
  if (!isCurrent && (formerHash === null || !matchesHash(secret, formerHash))) return 'The API key is not valid.';
  if (revokedAt !== null) return 'The API key has been revoked.';
  if (expiresAt !== null && expiresAt <= now) return 'The API key has expired.';
  if (isCurrent || (formerUntil !== null && formerUntil > now)) return null;
  return 'The API key was rotated, and its former secret has ended. Use the new one.';
}

function refusal(message: string, refused?: RefusedCredential): RuntimeError {
  return new RuntimeError('unauthenticated', message, refused && { refused });
}
