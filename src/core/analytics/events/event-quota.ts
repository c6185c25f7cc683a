import type { Caller } from '../../base/shared/caller.ts';
import type { EventCounts } from '../../limits/quotas/event-counts.ts';
import { quotaExceeded } from '../../limits/quotas/kinds.ts';
import type { QuotaNotices } from '../../limits/quotas/notices.ts';
import type { QuotaSettings } from '../../limits/quotas/settings.ts';
import { OWN_IN_QUOTA, RESERVED_EVENT_PREFIX } from './fields.ts';
import { fieldOf, type Predicate } from './predicates.ts';
import { aggregatePlan } from './query-plan.ts';
import type { EventStore } from './store.ts';

export interface EventQuotaParts {
  settings: Pick<QuotaSettings, 'ofTenant'>;
  store: Pick<EventStore, 'settle' | 'query'>;
  notices: Pick<QuotaNotices, 'note'>;
  counts: EventCounts;
}

export interface AdmittedEvents {
  /** Call it with 0 after a failure. */
  end(stored: number): void;
}

const UNLIMITED: AdmittedEvents = { end: () => undefined };
const RECOUNT_MS = 1_000;

/** Counts once, then adds, so that an ingest needs no query. Counts again before a refusal. */
export class EventQuota {
  private readonly parts: EventQuotaParts;
  /** The tenants whose events are counted. */
  private readonly limited = new Set<string>();
  private readonly counting = new Map<string, Promise<void>>();

  constructor(parts: EventQuotaParts) {
    this.parts = parts;
  }

  /** Admits a batch, all or none. Throws `rate_limited`. */
  async admit({ tenantId, timezone }: Caller, events: number): Promise<AdmittedEvents> {
    const { settings, counts, notices } = this.parts;
    const { tenant } = await settings.ofTenant(tenantId);
    const limit = tenant.events;
    if (limit === undefined) {
      // A new quota recounts events that came since.
      if (this.limited.delete(tenantId)) await counts.forget(tenantId);
      return UNLIMITED;
    }
    this.limited.add(tenantId);
    let admission = await counts.admit(tenantId, events, limit);
    if (admission.id === null && admission.ageMs >= RECOUNT_MS) {
      await this.recount(tenantId);
      admission = await counts.admit(tenantId, events, limit);
    }
    const { id, stored, admitted } = admission;
    const state = { tenantId, timezone, limit, keyId: null, quota: 'events' } as const;
    if (id === null) {
      const taken = stored + admitted;
      notices.note({ ...state, used: stored, refusedAt: taken });
      const remedy = 'Nothing was stored. Erase events, shorten their retention, or have the operator raise the quota.';
      throw quotaExceeded({ quota: 'events', keyId: null, limit, taken, wanted: events, remedy });
    }
    return {
      end: (ofThem) => {
        counts.end(tenantId, id, { admitted: events, stored: ofThem }).then(
          (used) => notices.note({ ...state, used }),
          // Counts as being stored until a later count.
          () => undefined,
        );
      },
    };
  }

  /** Exact, except for events being stored. */
  async stored(tenantId: string): Promise<number> {
    const { store } = this.parts;
    await store.settle();
    const { rows } = await store.query(tenantId, COUNTED_EVENTS);
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Single-flight. */
  private recount(tenantId: string): Promise<void> {
    const counting =
      this.counting.get(tenantId) ?? this.countAgain(tenantId).finally(() => this.counting.delete(tenantId));
    this.counting.set(tenantId, counting);
    return counting;
  }

  private async countAgain(tenantId: string): Promise<void> {
    const { counts } = this.parts;
    const begun = await counts.beginCount(tenantId);
    await counts.endCount(tenantId, begun, await this.stored(tenantId));
  }
}

const NAME = fieldOf('eventName');
const COUNTED: Predicate[][] = [
  [{ field: NAME, test: { kind: 'startsWith', value: RESERVED_EVENT_PREFIX }, negated: true }],
  [{ field: NAME, test: { kind: 'oneOf', values: OWN_IN_QUOTA }, negated: false }],
];
const COUNTED_EVENTS = aggregatePlan({
  selection: {
    ...{ agentId: null, eventNames: null, includesOwn: true, from: null, to: null, predicates: [] },
    anyOf: COUNTED,
  },
  groupBy: [],
  metrics: [{ aggregation: 'count', field: null }],
});
