import type { QueryPlan } from '../core/analytics/events/query-plan.ts';
import type { EventStore, StoreNotice } from '../core/analytics/events/store.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { withMethods } from '../core/base/shared/with-methods.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics, QueryOutcome } from './metrics.ts';

const SLOW_MS = 1_000;

type QueryKind = QueryPlan['kind'] | 'feed' | 'series' | 'discovery';

/** Decorator: measures queries and logs slow ones, never with their content. */
export function instrumentStore<Store extends EventStore>(store: Store, metrics: Metrics, log: Log): Store {
  const watch = async <Answer>(
    { kind, tenantId, signal }: { kind: QueryKind; tenantId: string; signal?: AbortSignal | undefined },
    ask: () => Promise<Answer>,
  ): Promise<Answer> => {
    const started = performance.now();
    let outcome: QueryOutcome = 'ok';
    try {
      return await ask();
    } catch (error) {
      outcome = outcomeOf(error, signal);
      throw error;
    } finally {
      const ms = performance.now() - started;
      metrics.queries.observe(ms / 1_000, { kind, outcome });
      if (ms >= SLOW_MS) log.warn({ tenantId, kind, outcome, ms: Math.round(ms) }, 'slow query');
    }
  };
  const watched: Pick<EventStore, 'query' | 'knownEvents' | 'knownProperties'> = {
    query: (tenantId, plan, signal) =>
      watch({ kind: kindOf(plan), tenantId, signal }, () => store.query(tenantId, plan, signal)),
    knownEvents: (tenantId, agentId) =>
      watch({ kind: 'discovery', tenantId }, () => store.knownEvents(tenantId, agentId)),
    knownProperties: (tenantId, agentId, eventNames) =>
      watch({ kind: 'discovery', tenantId }, () => store.knownProperties(tenantId, agentId, eventNames)),
  };
  return withMethods<Store>(store, watched as Partial<Store>);
}

export function outcomeOf(error: unknown, signal?: AbortSignal): QueryOutcome {
  if (signal?.aborted) return 'aborted';
  if (!(error instanceof RuntimeError)) return 'failed';
  if (error.code === 'timeout') return 'timeout';
  return error.code === 'unavailable' ? 'failed' : 'refused';
}

function kindOf(plan: QueryPlan): QueryKind {
  if (plan.kind === 'raw') return plan.columns.some(({ kind }) => kind === 'properties') ? 'feed' : 'raw';
  return plan.kind === 'aggregate' && plan.bucket !== null ? 'series' : plan.kind;
}

/** A repeated failure is logged at this interval, and counted in between. */
const REPEAT_MS = 60_000;
const LONG_MS = 1_000;

const MAX_FAILURES = 20;

interface Failure {
  /** Epoch milliseconds. */
  since: number;
  loggedAt: number;
  unlogged: number;
}

export class StoreNotices {
  private readonly log: Log;
  private readonly metrics: Metrics;
  private readonly now: () => number;
  /** Since the last successful flush, by message. */
  private readonly failing = new Map<string, Failure>();

  constructor(log: Log, metrics: Metrics, now: () => number = Date.now) {
    this.log = log;
    this.metrics = metrics;
    this.now = now;
  }

  fault(error: Error): void {
    this.metrics.faults.add(1);
    const now = this.now();
    const known = this.failing.get(error.message);
    if (known && now - known.loggedAt < REPEAT_MS) {
      known.unlogged += 1;
      return;
    }
    const repeated = known && { since: new Date(known.since).toISOString(), times: known.unlogged + 1 };
    this.log.error({ err: error, ...repeated }, 'event store');
    if (this.failing.size >= MAX_FAILURES) this.failing.clear();
    this.failing.set(error.message, { since: known?.since ?? now, loggedAt: now, unlogged: 0 });
  }

  notice(notice: StoreNotice): void {
    this.metrics.recordNotice(notice);
    const { kind, ...what } = notice;
    if (notice.kind === 'flushed') this.flushed(notice);
    else if (notice.kind === 'quarantined') {
      this.log.warn(
        { ...what, file: 'quarantine.ndjson' },
        'events were refused by the engine and set aside; see "Quarantine" in docs/operation.md',
      );
    } else if (notice.kind === 'compacted') {
      this.log[notice.ms >= LONG_MS ? 'info' : 'debug'](what, 'events were sorted');
    }
  }

  private flushed({ kind: _, ...what }: Extract<StoreNotice, { kind: 'flushed' }>): void {
    this.log.debug(what, 'flushed');
    if (this.failing.size === 0) return;
    const since = Math.min(...[...this.failing.values()].map((failure) => failure.since));
    this.failing.clear();
    this.log.info({ failedMs: this.now() - since }, 'event store works again');
  }
}
