import { RuntimeError } from '../shared/errors.ts';
import { QUOTAS, type QuotaName } from './schema.ts';

/** A use that does not fit its quota. Amounts in the quota's unit. */
export interface Excess {
  quota: QuotaName;
  /** Null: a quota of the tenant. */
  keyId: string | null;
  limit: number;
  /** Used and reserved. */
  taken: number;
  /** What was asked for, at most; 0 where it is not known. */
  wanted: number;
  /** Seconds until it may fit; undefined where time does not help. */
  retryAfter?: number | undefined;
  /** What the caller can do, as a sentence. */
  remedy: string;
}

/** The 429 of a quota: it names the quota, its limit and how much of it is taken. */
export function quotaExceeded({ quota, keyId, limit, taken, wanted, retryAfter, remedy }: Excess): RuntimeError {
  const owner = keyId === null ? 'the tenant' : 'this API key';
  const { unit } = QUOTAS[quota];
  const more = wanted === 0 ? '' : `, and this may take ${amount(quota, wanted)}`;
  const state = `${amount(quota, taken)} of ${amount(quota, limit)} ${unit} are used or reserved${more}`;
  const message = `The quota ${quota} of ${owner} does not allow this: ${state}. ${remedy}`;
  return new RuntimeError('rate_limited', message, retryAfter === undefined ? {} : { retryAfter });
}

/** Costs with up to six decimals: chats cost fractions of a cent. */
function amount(quota: QuotaName, value: number): string {
  const maximumFractionDigits = QUOTAS[quota].unit === 'USD' ? 6 : 0;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}
