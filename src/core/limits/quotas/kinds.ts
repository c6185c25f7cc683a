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

export const KEY_QUOTAS: readonly QuotaName[] = ['requests-per-minute', ...BUDGETS];
