import type { EventOutbox } from '../../analytics/events/outbox.ts';
import type { TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import { Alarm } from '../../base/concurrency/timers.ts';
import { faultOfTime } from '../../base/time/plausible.ts';
import { MAX_TOOLS } from './merge.ts';
import type { EndedExecution, ExecutionEnds } from './store.ts';

/** One append takes the events of many executions. */
const PAUSE_MS = 1_000;
const RETRY_MS = 5_000;
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
export class CompletionEvents {
  private readonly parts: CompletionParts;
  private readonly alarm = new Alarm(() => void this.run());
  private running: Promise<void> = Promise.resolve();

  constructor(parts: CompletionParts) {
    this.parts = parts;
  }

  /** Some execution may have ended. */
  wake(): void {
    this.alarm.set(PAUSE_MS);
  }

  /** Resolves once no event is on its way. Never rejects. */
  run(): Promise<void> {
    this.running = this.running.then(() => this.send());
    return this.running;
  }

  async close(): Promise<void> {
    await this.run();
    this.alarm.cancel();
  }

  private async send(): Promise<void> {
    const { store, outbox, onError } = this.parts;
    this.alarm.cancel();
    try {
      for (;;) {
        const ended = await store.unsentEnds(AT_ONCE);
        await outbox.store(ended.map(completionEvent));
        await store.endsSent(ended);
        if (ended.length < AT_ONCE) return;
      }
    } catch (error) {
      onError(error);
      this.alarm.set(RETRY_MS);
    }
  }
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
