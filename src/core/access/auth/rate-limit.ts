import type { Caller } from '../../base/shared/caller.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { QuotaNotices } from '../../limits/quotas/notices.ts';
import type { QuotaSettings } from '../../limits/quotas/settings.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';

interface RateLimiterParts {
  /** With 0 per minute only quotas limit. */
  limit: Rate;
  settings: Pick<QuotaSettings, 'ofCaller'>;
  notices: Pick<QuotaNotices, 'note'>;
  buckets: Buckets;
  invalidKeys: Buckets;
}

/** Invalid keys per address: stops a search for keys, not a mistyped one. */
const WRONG_KEYS: Rate = { perMinute: 60, burst: 100 };

interface AppliedLimit {
  /** The name of the bucket. */
  name: string;
  rate: Rate;
  /** Null for the limit of the whole tenant. */
  keyId: string | null;
  isQuota: boolean;
}

/** Token buckets per credential, per tenant, and per address that sends invalid keys. */
export class RateLimiter {
  private readonly parts: RateLimiterParts;

  constructor(parts: RateLimiterParts) {
    this.parts = parts;
  }

  /** Throws `rate_limited`. */
  async take(caller: Caller): Promise<void> {
    const limits = await this.limitsOf(caller);
    const lacking = this.parts.buckets.takeEach(limits);
    if (lacking) throw this.refusal(caller, limits[lacking.index]!, lacking.retryAfter);
  }

  left({ tenantId }: Pick<Caller, 'tenantId'>, keyId: string | null, perMinute: number): number {
    return Math.floor(this.parts.buckets.tokens(keyId ?? tenantId, this.quotaRate(perMinute)));
  }

  /** Throws `rate_limited` when the address has sent too many. */
  countWrongKey(address: string): void {
    if (this.parts.limit.perMinute === 0) return;
    const lacking = this.parts.invalidKeys.takeEach([{ name: address, rate: WRONG_KEYS }]);
    if (!lacking) return;
    const message = 'Too many API keys that are not valid come from this address. Valid keys work all the same.';
    throw new RuntimeError('rate_limited', message, { retryAfter: lacking.retryAfter });
  }

  /** The credential's limit comes first, so that it is reported when both refuse. */
  private async limitsOf(caller: Caller): Promise<AppliedLimit[]> {
    const { tenantId, credential } = caller;
    const { tenant, key } = await this.parts.settings.ofCaller(caller);
    const own = { name: credential.id, keyId: credential.id };
    const all = { name: tenantId, keyId: null };
    const [ofKey, ofTenant] = [key['requests-per-minute'], tenant['requests-per-minute']];
    return [...this.limited(own, ofKey), ...this.limited(all, ofTenant)];
  }

  private limited(of: Pick<AppliedLimit, 'name' | 'keyId'>, quota: number | undefined): AppliedLimit[] {
    const { limit } = this.parts;
    if (quota !== undefined) return [{ ...of, rate: this.quotaRate(quota), isQuota: true }];
    return limit.perMinute === 0 ? [] : [{ ...of, rate: limit, isQuota: false }];
  }

  /** A quota of 60 a minute must not allow a burst of a thousand requests. */
  private quotaRate(perMinute: number): Rate {
    return { perMinute, burst: Math.min(perMinute, this.parts.limit.burst) };
  }

  private refusal(caller: Caller, { rate, keyId, isQuota }: AppliedLimit, retryAfter: number): RuntimeError {
    const { perMinute } = rate;
    const whose =
      keyId === null
        ? 'the tenant'
        : caller.credential.kind === 'key'
          ? 'this API key'
          : caller.role === null
            ? 'this application'
            : 'this user';
    if (!isQuota) {
      const message = `Too many requests of ${whose}: ${perMinute} a minute are allowed.`;
      return new RuntimeError('rate_limited', message, { retryAfter });
    }
    const { tenantId, timezone } = caller;
    this.parts.notices.note({
      tenantId,
      timezone,
      keyId,
      quota: 'requests-per-minute',
      limit: perMinute,
      used: perMinute,
    });
    const message = `The quota requests-per-minute of ${whose} is used up: ${perMinute} requests a minute are allowed.`;
    return new RuntimeError('rate_limited', message, { retryAfter });
  }
}
