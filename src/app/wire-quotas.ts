import type { Config } from '../config.ts';
import { RateLimiter } from '../core/auth/rate-limit.ts';
import type { TenantService } from '../core/auth/tenants.ts';
import type { EventStore } from '../core/events/store.ts';
import { ChatBudgets } from '../core/quotas/chat-budgets.ts';
import { DocumentQuota } from '../core/quotas/document-quota.ts';
import { EventQuota } from '../core/quotas/event-quota.ts';
import { QuotaNotices } from '../core/quotas/notices.ts';
import type { QuotaSettings } from '../core/quotas/settings.ts';
import type { BudgetStore } from '../core/quotas/store.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';

export interface QuotaParts {
  config: Config;
  settings: QuotaSettings;
  budgetStore: BudgetStore;
  eventStore: EventStore;
  tenants: TenantService;
  log: Log;
  effects: Effects;
}

/** Everything that holds quotas and budgets. What a crash left reserved is counted when it resolves. */
export async function openQuotas({ config, settings, budgetStore, eventStore, tenants, log, effects }: QuotaParts) {
  const notices = new QuotaNotices({
    ...{ events: eventStore, tenants, effects },
    onError: (error) => log.error({ err: error }, 'an event about a quota could not be recorded'),
  });
  const budgets = new ChatBudgets({
    ...{ settings, store: budgetStore, notices, effects },
    onError: (error) =>
      log.error({ err: error }, 'a chat could not be settled: its reservation counts until a restart'),
  });
  // A disk that takes nothing must not keep the server from starting: reservations count all the same.
  await budgets
    .recover()
    .catch((error: unknown) => log.error({ err: error }, 'reservations that a crash left could not be settled'));
  return {
    budgets,
    events: new EventQuota({ settings, store: eventStore, notices, effects }),
    documents: new DocumentQuota({ settings, notices }),
    rateLimiter: new RateLimiter({
      limit: { perMinute: config.rateLimit, burst: config.rateLimitBurst },
      ...{ settings, notices, now: effects.now },
    }),
    /** Writes what is still to be recorded. */
    close: async () => {
      await budgets.settled();
      await notices.settled();
    },
  };
}
