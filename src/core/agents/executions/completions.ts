import type { EventOutbox } from '../../analytics/events/outbox.ts';
import type { TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import { DelayedWork } from '../../base/concurrency/delayed-work.ts';
import { faultOfTime } from '../../base/time/plausible.ts';
import { MAX_TOOLS } from './merge.ts';
import type { EndedExecution, ExecutionEnds } from './store.ts';

/** One append takes the events of many executions. */
const PAUSE_MS = 1_000;
const AT_ONCE = 500;

export interface CompletionParts {
  store: ExecutionEnds;
  outbox: Pick<EventOutbox, 'store'>;
  onError(error: unknown): void;
}

/**
 * Stores the event `runtime.execution_completed` of each execution that ended, exactly once: the
 * execution's row says whether it is stored, and the event's id is derived from the execution's, so
 * that a repetition after a crash adds none.
 */
export function completionEvents({ store, outbox, onError }: CompletionParts): DelayedWork {
  const run = async () => {
    for (;;) {
      const ended = await store.unsentEnds(AT_ONCE);
      await outbox.store(ended.map(completionEvent));
      await store.endsSent(ended);
      if (ended.length < AT_ONCE) return;
    }
  };
  return new DelayedWork({ pauseMs: PAUSE_MS, run, onError });
}

function completionEvent({ tenantId, execution, stepTools }: EndedExecution): TenantRuntimeEvent & { id: string } {
  const { id, agentId, threadId, completedAt, updatedAt, name, provider, model, status, userId, source } = execution;
  const { inputTokens, outputTokens, totalTokens, cost, latencyMs, errorKind } = execution;
  const tools = [...new Set([...execution.tools, ...stepTools])].slice(0, MAX_TOOLS);
  const properties = {
    ...{ name, provider, model, status, inputTokens, outputTokens, totalTokens, cost, latencyMs },
    ...{ tools: tools.length === 0 ? null : tools, errorKind, userId, source },
  };
  return {
    tenantId,
    id: `runtime.execution_completed:${id}`,
    agentId,
    eventName: 'runtime.execution_completed',
    // The times of executions that former versions recorded may be implausible.
    timestamp: completedAt === null || faultOfTime(completedAt, updatedAt) !== null ? updatedAt : completedAt,
    threadId,
    executionId: id,
    properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
  };
}
