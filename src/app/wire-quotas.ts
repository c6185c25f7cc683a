import { RateLimiter } from '../core/auth/rate-limit.ts';
import { ChatBudgets } from '../core/quotas/chat-budgets.ts';
import { DocumentQuota } from '../core/quotas/document-quota.ts';
import { EventQuota } from '../core/quotas/event-quota.ts';
import { QuotaNotices } from '../core/quotas/notices.ts';
import type { Foundation } from './foundation.ts';

/** Quotas and budgets. Reservations that a crash left are settled before it resolves. */
export async function openQuotas(foundation: Foundation) {
  const { config, quotas: settings, budgetStore, eventStore, tenants, log, effects } = foundation;
  const notices = new QuotaNotices({
    events: eventStore,
    tenants,
    effects,
    onError: (error) => log.error({ err: error }, 'an event about a quota could not be recorded'),
  });
  const budgets = new ChatBudgets({
    settings,
    store: budgetStore,
    notices,
    effects,
    onError: (error) =>
      log.error({ err: error }, 'a chat could not be settled: its reservation counts until a restart'),
  });
  // A full disk must not keep the server from starting: reservations count all the same.
  await budgets
    .recover()
    .catch((error: unknown) => log.error({ err: error }, 'reservations that a crash left could not be settled'));
  return {
    budgets,
    events: new EventQuota({ settings, store: eventStore, notices, effects }),
    documents: new DocumentQuota({ settings, notices }),
    rateLimiter: new RateLimiter({
      limit: { perMinute: config.rateLimit, burst: config.rateLimitBurst },
      settings,
      notices,
      now: effects.now,
    }),
    /** Waits until pending records are written. */
    close: async () => {
      await budgets.settled();
      await notices.settled();
    },
  };
}
