import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { type RefusedCredential, RuntimeError } from '../../base/shared/errors.ts';
import { matchesHash, parseKey } from './secrets.ts';
import type { KeyStore } from './store.ts';
import type { TenantService } from './tenants.ts';

interface KeyAuthenticatorParts {
  store: Pick<KeyStore, 'find' | 'touch'>;
  tenants: Pick<TenantService, 'requireUnblocked'>;
  effects: Effects;
}

/** Precise enough for people; saves a write per request. */
const TOUCH_INTERVAL_MS = 60_000;

export class KeyAuthenticator {
  private readonly parts: KeyAuthenticatorParts;
  private readonly touchedAt = new Map<string, number>();

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
    if (!matchesHash(parts.secret, key.secretHash)) throw refusal('The API key is not valid.', refused);
    const now = effects.now();
    if (key.revokedAt !== null) throw refusal('The API key has been revoked.', refused);
    if (key.expiresAt !== null && key.expiresAt <= now) throw refusal('The API key has expired.', refused);
    await this.touch(key.id, now);
    const { tenantId, agentId, label, scopes, timezone } = key;
    const credential = { kind: 'key', id: key.id } as const;
    return { tenantId, agentId, label, scopes, timezone, credential, userId: key.createdBy, role: null };
  }

  private async touch(id: string, now: number): Promise<void> {
    if (now - (this.touchedAt.get(id) ?? 0) < TOUCH_INTERVAL_MS) return;
    this.touchedAt.set(id, now);
    // A full disk must not refuse read-only callers.
    await this.parts.store.touch(id, now).catch(() => undefined);
  }
}

function refusal(message: string, refused?: RefusedCredential): RuntimeError {
  return new RuntimeError('unauthenticated', message, refused && { refused });
}
