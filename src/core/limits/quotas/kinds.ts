import { RuntimeError } from '../../base/shared/errors.ts';

interface QuotaKind {
  unit: 'events' | 'bytes' | 'requests' | 'tokens' | 'USD';
  window: 'day' | 'month' | null;
}

export const QUOTAS = {
  events: { unit: 'events', window: null },
  documents: { unit: 'bytes', window: null },
  deliveries: { unit: 'bytes', window: null },
  'requests-per-minute': { unit: 'requests', window: null },
  'tokens-per-day': { unit: 'tokens', window: 'day' },
  'tokens-per-month': { unit: 'tokens', window: 'month' },
  'cost-per-day': { unit: 'USD', window: 'day' },
  'cost-per-month': { unit: 'USD', window: 'month' },
} as const satisfies Record<string, QuotaKind>;
export type QuotaName = keyof typeof QUOTAS;

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** Longer windows come first. */
export const BUDGETS = ['tokens-per-month', 'cost-per-month', 'tokens-per-day', 'cost-per-day'] as const;
export type BudgetName = (typeof BUDGETS)[number];

export type KeyQuota = 'requests-per-minute' | BudgetName;
export const KEY_QUOTAS: readonly KeyQuota[] = ['requests-per-minute', ...BUDGETS];

/** Prices are cents per million tokens: micro-dollars would round most of them. */
const NANOS = 1_000_000_000;

/** Rounded up, so that a sum is never too small. */
export function toNanos(dollars: number): number {
  // 0.1 is inexact in binary and must not become one nano-dollar more.
  return Math.ceil(Number((dollars * NANOS).toFixed(3)));
}

export function toDollars(nanos: number): number {
  return Number((nanos / NANOS).toFixed(9));
}

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
