import type { Examples } from '../example.ts';

const day = { windowStart: '2026-03-02T00:00:00.000Z', windowEnd: '2026-03-03T00:00:00.000Z' };

const tokens = {
  quota: 'tokens-per-day',
  unit: 'tokens',
  limit: 1_000_000,
  used: 34,
  reserved: 0,
  remaining: 999_966,
  ...day,
};

const tenant = {
  id: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  timezone: 'UTC',
  limits: { 'tokens-per-day': 1_000_000 },
  quotas: [tokens],
};

const dollars = { quota: 'cost-per-day', unit: 'USD', limit: 5, used: 0, reserved: 0, remaining: 5, ...day };
const key = { id: 'jBW9akKotQV9', label: 'claude-desktop', limits: { 'cost-per-day': 5 }, quotas: [dollars] };

export const portalQuotasExamples: Examples = {
  patchPortalKeysIdQuotas: {
    aDay: {
      summary: 'At most 5 dollars a day for a key',
      params: { id: 'jBW9akKotQV9' },
      body: { 'cost-per-day': 5 },
      answer: key,
    },
  },
  getPortalKeysIdQuotas: {
    aKey: { summary: 'What a key has used', params: { id: 'jBW9akKotQV9' }, answer: key },
  },
  getPortalQuotas: {
    all: {
      summary: "The tenant's quotas, and those of a key",
      query: { search: 'claude' },
      answer: { tenant, keys: [key], total: 1, limit: 50, offset: 0 },
    },
  },
  patchPortalQuotas: {
    aMonth: {
      summary: 'Another limit of the tenant',
      body: { 'cost-per-day': 25 },
      answer: {
        ...tenant,
        limits: { 'tokens-per-day': 1_000_000, 'cost-per-day': 25 },
        quotas: [tokens, { ...dollars, limit: 25, remaining: 25 }],
      },
    },
  },
  getPortalUsageHistory: {
    today: {
      summary: 'Tokens of today',
      query: { unit: 'tokens', days: '1' },
      answer: { unit: 'tokens', timezone: 'UTC', days: [{ date: '2026-03-02', amount: 34 }], total: 34 },
    },
  },
};
