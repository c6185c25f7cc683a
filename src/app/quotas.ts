import { RateLimiter } from '../core/access/auth/rate-limit.ts';
import { ChatBudgets } from '../core/agents/chat/chat-budgets.ts';
import { EventQuota } from '../core/analytics/events/event-quota.ts';
import { DocumentQuota } from '../core/limits/quotas/document-quota.ts';
import { QuotaNotices } from '../core/limits/quotas/notices.ts';
import type { OpenStores } from './open-stores.ts';

/** Settles reservations that a crash left before it resolves. */
export async function openQuotas(stores: OpenStores) {
  const { config, quotas: settings, budgetStore, eventStore, outbox, runner, limits, log, effects } = stores;
  const notices = new QuotaNotices({ record: (tenantId, event) => outbox.add(tenantId, event), effects });
  const budgets = new ChatBudgets({
    settings,
    store: budgetStore,
    notices,
    effects,
    onError: (error) =>
      log.error({ err: error }, 'a chat could not be settled: its reservation counts until a restart'),
  });
  // Not fatal on a full disk: unsettled reservations keep counting.
  const recover = () =>
    budgets
      .recover()
      .catch((error: unknown) => log.error({ err: error }, 'reservations that a crash left could not be settled'));
  await recover();
  runner.onTakeover(recover);
  return {
    budgets,
    events: new EventQuota({ settings, store: eventStore, notices, counts: limits.eventCounts }),
    documents: new DocumentQuota({ settings, notices }),
    rateLimiter: new RateLimiter({
      limit: { perMinute: config.rateLimit, burst: config.rateLimitBurst },
      settings,
      notices,
      buckets: limits.buckets('requests'),
      invalidKeys: limits.buckets('invalid keys'),
    }),
    close: () => budgets.settled(),
  };
}
