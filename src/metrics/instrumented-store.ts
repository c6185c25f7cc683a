import type { QueryPlan } from '../core/analytics/events/query-plan.ts';
import type { EventStore } from '../core/analytics/events/store.ts';
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
