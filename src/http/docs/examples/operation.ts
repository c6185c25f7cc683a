import type { Examples } from './example.ts';

export const operationExamples: Examples = {
  getHealthz: { alive: { summary: 'A process that answers', answer: { status: 'ok' } } },
  getReadyz: { ready: { summary: 'A server whose stores answer', answer: { status: 'ready' } } },
};

export const usageExamples: Examples = {
  getUsage: {
    ofAKey: {
      summary: 'A tenant with a budget, and a key without quotas of its own',
      answer: {
        tenant: {
          id: '019cae1c-a000-7daa-866d-daa66d13daa6',
          timezone: 'UTC',
          quotas: [
            {
              quota: 'tokens-per-day',
              unit: 'tokens',
              limit: 1_000_000,
              used: 34,
              reserved: 0,
              remaining: 999_966,
              windowStart: '2026-03-02T00:00:00.000Z',
              windowEnd: '2026-03-03T00:00:00.000Z',
            },
          ],
        },
        key: { id: 'k7Qm2xTn9bVc', quotas: [] },
      },
    },
  },
};
