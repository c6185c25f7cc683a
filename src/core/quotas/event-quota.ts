import { aggregatePlan } from '../events/query-plan.ts';
import type { EventStore } from '../events/store.ts';
import type { Caller } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import type { QuotaNotices } from './notices.ts';
import { quotaExceeded } from './refusal.ts';
import type { QuotaSettings } from './settings.ts';

export interface EventQuotaParts {
  settings: Pick<QuotaSettings, 'ofTenant'>;
  store: Pick<EventStore, 'settle' | 'query'>;
  notices: Pick<QuotaNotices, 'note'>;
  effects: Effects;
}

export interface AdmittedEvents {
  /** Call it with 0 after a failure. */
  end(stored: number): void;
}

/** `stored` is never too small, but may be too large after a removal. */
interface Count {
  stored: number;
  admitted: number;
  /** Stored during a count, whose result may lack them. */
  storedMeanwhile: number;
  countedAt: number;
  counting: Promise<void> | null;
}

const UNLIMITED: AdmittedEvents = { end: () => undefined };
const RECOUNT_MS = 1_000;

/** Counts once, then adds, so that an ingest needs no query. Counts again before a refusal. */
export class EventQuota {
  private readonly parts: EventQuotaParts;
  private readonly counts = new Map<string, Count>();

  constructor(parts: EventQuotaParts) {
    this.parts = parts;
  }

  /** Admits a batch, all or none. Throws `rate_limited`. */
  async admit({ tenantId, timezone }: Caller, events: number): Promise<AdmittedEvents> {
    const { tenant } = await this.parts.settings.ofTenant(tenantId);
    const limit = tenant.events;
    if (limit === undefined) {
      this.counts.delete(tenantId);
      return UNLIMITED;
    }
    const count = await this.countOf(tenantId);
    const fits = () => count.stored + count.admitted + events <= limit;
    if (!fits() && this.isOld(count)) await this.recount(tenantId, count);
    const state = { tenantId, timezone, limit, keyId: null, quota: 'events' } as const;
    if (!fits()) {
      const taken = count.stored + count.admitted;
      this.parts.notices.note({ ...state, used: count.stored, refusedAt: taken });
      const remedy = 'Nothing was stored. Erase events, shorten their retention, or have the operator raise the quota.';
      throw quotaExceeded({ quota: 'events', keyId: null, limit, taken, wanted: events, remedy });
    }
    count.admitted += events;
    return {
      end: (stored) => {
        count.admitted -= events;
        count.stored += stored;
        count.storedMeanwhile += stored;
        this.parts.notices.note({ ...state, used: count.stored });
      },
    };
  }

  /** Exact, except for events being stored. */
  async stored(tenantId: string): Promise<number> {
    const { store } = this.parts;
    await store.settle();
    const { rows } = await store.query(tenantId, ALL_EVENTS);
    return Number(rows[0]?.[0] ?? 0);
  }

  private async countOf(tenantId: string): Promise<Count> {
    let count = this.counts.get(tenantId);
    if (!count) {
      count = { stored: 0, admitted: 0, storedMeanwhile: 0, countedAt: Number.NEGATIVE_INFINITY, counting: null };
      this.counts.set(tenantId, count);
    }
    if (count.countedAt === Number.NEGATIVE_INFINITY) await this.recount(tenantId, count);
    return count;
  }

  private isOld({ countedAt }: Count): boolean {
    const age = this.parts.effects.now() - countedAt;
    return age < 0 || age >= RECOUNT_MS;
  }

  private recount(tenantId: string, count: Count): Promise<void> {
    count.counting ??= this.countAgain(tenantId, count).finally(() => {
      count.counting = null;
    });
    return count.counting;
  }

  private async countAgain(tenantId: string, count: Count): Promise<void> {
    count.storedMeanwhile = 0;
    const stored = await this.stored(tenantId);
    count.stored = stored + count.storedMeanwhile;
    count.countedAt = this.parts.effects.now();
  }
}

const ALL_EVENTS = aggregatePlan({
  selection: { agentId: null, eventNames: null, from: null, to: null, predicates: [] },
  groupBy: [],
  metrics: [{ aggregation: 'count', field: null }],
});
