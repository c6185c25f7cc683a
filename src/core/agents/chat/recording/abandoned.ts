import type { EventOutbox } from '../../../analytics/events/outbox.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import type { ChatFacts } from '../../executions/schema.ts';
import type { AbandonableChat, ExecutionFacts, ExecutionStore } from '../../executions/store.ts';
import { chatEvent } from './chat-execution.ts';

const AT_ONCE = 500;

type Fault = NonNullable<ChatFacts['error']>;
const CRASHED: Fault = { kind: 'internal', message: 'The server ended before the answer did.', status: null };
const UNRECORDED: Fault = { kind: 'unrecorded', message: 'How the chat ended could not be recorded.', status: null };

export interface AbandonedParts {
  tenants: { isBlocked(tenantId: string): boolean };
  outbox: Pick<EventOutbox, 'store'>;
  executions: Pick<ExecutionStore, 'runningChats' | 'failChats'>;
  effects: Effects;
}

/**
 * Chats stored as running that do not run: after the crash of their process, or a failed write of
 * this one.
 */
export class AbandonedChats {
  private readonly parts: AbandonedParts;

  constructor(parts: AbandonedParts) {
    this.parts = parts;
  }

  /** Idempotent: stores each event first, under an id derived from the execution's. */
  async end(isUnderWay: (executionId: string) => boolean): Promise<void> {
    const { tenants, executions, outbox } = this.parts;
    let last: AbandonableChat | null = null;
    for (;;) {
      const running: AbandonableChat[] = await executions.runningChats(last, AT_ONCE);
      const abandoned = running
        .filter(({ tenantId, execution }) => !tenants.isBlocked(tenantId) && !isUnderWay(execution.id))
        // Callers may set the status of an ended chat to running.
        .filter(({ execution }) => execution.chat?.latencyMs === null)
        .map(({ tenantId, execution, isOwn }) => ({
          tenantId,
          execution: this.failed(execution, isOwn ? UNRECORDED : CRASHED),
        }));
      await outbox.store(
        abandoned.map(({ tenantId, execution }) => {
          const event = chatEvent({ ...execution, usage: null });
          return { ...event, tenantId, id: `${event.eventName}:${execution.id}` };
        }),
      );
      await executions.failChats(abandoned);
      if (running.length < AT_ONCE) return;
      last = running.at(-1)!;
    }
  }

  private failed(execution: ExecutionFacts, error: Fault): ExecutionFacts {
    const now = this.parts.effects.now();
    return {
      ...execution,
      status: 'failed',
      completedAt: now,
      updatedAt: now,
      errorKind: error.kind,
      chat: { ...execution.chat!, error },
    };
  }
}
