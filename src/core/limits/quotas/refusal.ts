import { RuntimeError } from '../../base/shared/errors.ts';
import { QUOTAS, type QuotaName } from './kinds.ts';

export interface Excess {
  quota: QuotaName;
  keyId: string | null;
  limit: number;
  /** Used and reserved. */
  taken: number;
  /** 0 when unknown. */
  wanted: number;
  /** Seconds; undefined when waiting does not help. */
  retryAfter?: number | undefined;
  remedy: string;
}

export function quotaExceeded({ quota, keyId, limit, taken, wanted, retryAfter, remedy }: Excess): RuntimeError {
  const owner = keyId === null ? 'the tenant' : 'this API key';
  const { unit } = QUOTAS[quota];
  const more = wanted === 0 ? '' : `, and this may take ${amount(quota, wanted)}`;
  const state = `${amount(quota, taken)} of ${amount(quota, limit)} ${unit} are used or reserved${more}`;
  const message = `The quota ${quota} of ${owner} does not allow this: ${state}. ${remedy}`;
  return new RuntimeError('rate_limited', message, retryAfter === undefined ? {} : { retryAfter });
}

/** Chats cost fractions of a cent. */
function amount(quota: QuotaName, value: number): string {
  const maximumFractionDigits = QUOTAS[quota].unit === 'USD' ? 6 : 0;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}
