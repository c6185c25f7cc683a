import type { Caller } from '../../base/shared/caller.ts';
import { administers } from '../../base/shared/caller.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';
import type { KeyStore } from './store.ts';

const MAX_OF_TENANT = 1_000;
const MAX_OF_USER = 100;
const CREATION: Rate = { perMinute: 10, burst: 30 };

interface KeyLimitParts {
  keys: Pick<KeyStore, 'countActive'>;
  creations: Buckets;
  now: () => number;
}

export class KeyLimits {
  private readonly parts: KeyLimitParts;

  constructor(parts: KeyLimitParts) {
    this.parts = parts;
  }

  /** Throws `rate_limited` or `conflict`. */
  async admit({ tenantId, userId, role, credential }: Caller): Promise<void> {
    const lacking = this.parts.creations.takeEach([{ name: credential.id, rate: CREATION }]);
    if (lacking) {
      const { retryAfter } = lacking;
      const message = `Too many API keys are being made: ${CREATION.perMinute} a minute are allowed.`;
      throw new RuntimeError('rate_limited', message, { retryAfter });
    }
    const { ofTenant, ofUser } = await this.parts.keys.countActive(tenantId, userId, this.parts.now());
    if (ofTenant >= MAX_OF_TENANT) throw tooMany('The tenant has', MAX_OF_TENANT);
    if (!administers(role) && ofUser >= MAX_OF_USER) throw tooMany('You have', MAX_OF_USER);
  }
}

function tooMany(owner: string, maximum: number): RuntimeError {
  const message = `${owner} ${maximum} active API keys, which is the most. Revoke keys that are not used any more.`;
  return new RuntimeError('conflict', message);
}
