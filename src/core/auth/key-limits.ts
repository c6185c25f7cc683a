import type { Caller } from '../shared/caller.ts';
import { RuntimeError } from '../shared/errors.ts';
import { administers } from '../shared/roles.ts';
import type { KeyStore } from './store.ts';
import { type Rate, TokenBuckets } from './token-buckets.ts';

/** Active keys, of a whole tenant and those made by one user who does not administer it. */
const MAX_OF_TENANT = 1_000;
const MAX_OF_USER = 100;
/** Keys that one user may make: a few dozen at once, as when a team is set up. */
const CREATION: Rate = { perMinute: 10, burst: 30 };

export interface KeyLimitParts {
  keys: Pick<KeyStore, 'countActive'>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Limits of API keys that portal users make. */
export class KeyLimits {
  private readonly parts: KeyLimitParts;
  private readonly creations: TokenBuckets;

  constructor(parts: KeyLimitParts) {
    this.parts = parts;
    this.creations = new TokenBuckets(parts.now);
  }

  /** To be called before a key is made. Throws `rate_limited` or `conflict`. */
  async admit({ tenantId, userId, role, credential }: Caller): Promise<void> {
    const retryAfter = this.creations.wait(credential.id, CREATION);
    if (retryAfter > 0) {
      const message = `Too many API keys are being made: ${CREATION.perMinute} a minute are allowed.`;
      throw new RuntimeError('rate_limited', message, { retryAfter });
    }
    this.creations.take(credential.id, CREATION);
    const { ofTenant, ofUser } = await this.parts.keys.countActive(tenantId, userId, this.parts.now());
    if (ofTenant >= MAX_OF_TENANT) throw tooMany('The tenant has', MAX_OF_TENANT);
    if (!administers(role) && ofUser >= MAX_OF_USER) throw tooMany('You have', MAX_OF_USER);
  }
}

function tooMany(owner: string, maximum: number): RuntimeError {
  const message = `${owner} ${maximum} active API keys, which is the most. Revoke keys that are not used any more.`;
  return new RuntimeError('conflict', message);
}
