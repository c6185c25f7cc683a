import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import { quotaExceeded } from '../../limits/quotas/kinds.ts';
import type { QuotaSettings } from '../../limits/quotas/settings.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';
import type { DeliveryStore, NewDelivery } from './store.ts';

/**
 * Limits of one tenant. `bytes` bounds the messages that wait, where there is no quota
 * `deliveries`.
 */
export const LIMITS = {
  tests: { perMinute: 1, burst: 60 } satisfies Rate,
  recipientsAnHour: 2_000,
  waiting: 2_000,
  bytes: 64 * 1024 * 1024,
};
const HOUR_MS = 3_600_000;
/** In seconds. It cannot be known when receivers answer again. */
const WAITING_RETRY = 60;

export interface DeliveryLimitParts {
  store: Pick<DeliveryStore, 'load'>;
  settings: Pick<QuotaSettings, 'ofTenant'>;
  tests: Buckets;
  effects: Pick<Effects, 'now'>;
}

/** Limits on the tests, the recipients and the waiting messages of a tenant. */
export class DeliveryLimits {
  private readonly parts: DeliveryLimitParts;

  constructor(parts: DeliveryLimitParts) {
    this.parts = parts;
  }

  /** Throws `rate_limited`. */
  async countTest(tenantId: string): Promise<void> {
    const lacking = await this.parts.tests.takeEach([{ name: tenantId, rate: LIMITS.tests }]);
    if (!lacking) return;
    const { burst, perMinute } = LIMITS.tests;
    const message = `Too many tests of alerts and digests, and invitations by e-mail, of the tenant: ${burst} at once, then ${perMinute} a minute are allowed.`;
    throw new RuntimeError('rate_limited', message, { retryAfter: lacking.retryAfter });
  }

  /** Throws `rate_limited` if these may not be added now. */
  async check(tenantId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { store, settings, effects } = this.parts;
    const now = effects.now();
    const { waiting, bytes, recipients, oldest } = await store.load(tenantId, now - HOUR_MS);
    if (waiting + deliveries.length > LIMITS.waiting) {
      const message = `${count(waiting)} messages of the tenant wait to be delivered, and at most ${count(LIMITS.waiting)} may. Correct the targets that fail.`;
      throw new RuntimeError('rate_limited', message, { retryAfter: WAITING_RETRY });
    }
    const limit = (await settings.ofTenant(tenantId)).tenant.deliveries ?? LIMITS.bytes;
    const wanted = bytesOf(deliveries);
    if (bytes + wanted > limit) {
      const remedy =
        'Nothing was sent. Wait until the receivers take what waits, send fewer pictures, or have the operator raise the quota.';
      throw quotaExceeded({
        quota: 'deliveries',
        keyId: null,
        limit,
        taken: bytes,
        wanted,
        retryAfter: WAITING_RETRY,
        remedy,
      });
    }
    const added = deliveries.reduce((sum, one) => sum + (one.recipients ?? 1), 0);
    if (recipients + added > LIMITS.recipientsAnHour) {
      const message = `Too many messages of the tenant: they had ${count(recipients)} recipients within an hour, and at most ${count(LIMITS.recipientsAnHour)} are allowed.`;
      const retryAfter = Math.max(1, Math.ceil(((oldest ?? now) + HOUR_MS - now) / 1_000));
      throw new RuntimeError('rate_limited', message, { retryAfter: Math.min(retryAfter, HOUR_MS / 1_000) });
    }
  }
}

function bytesOf(deliveries: readonly NewDelivery[]): number {
  const bodies = new Set(deliveries.map(({ body }) => body));
  return [...bodies].reduce((sum, body) => sum + Buffer.byteLength(body), 0);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
