import type { OutboxParts } from '../../events/outbox.ts';
import type { StoredEvent } from '../../events/store.ts';
import type { ChatFacts } from '../../executions/schema.ts';
import type { ExecutionFacts, ExecutionStore, RunningChat } from '../../executions/store.ts';
import type { Effects } from '../../shared/effects.ts';
import { chatEvent } from './chat-execution.ts';

/** However many there are, they take no more memory than these. */
const AT_ONCE = 500;

type Fault = NonNullable<ChatFacts['error']>;
const CRASHED: Fault = { kind: 'internal', message: 'The server ended before the answer did.', status: null };
const UNRECORDED: Fault = { kind: 'unrecorded', message: 'How the chat ended could not be recorded.', status: null };

export interface AbandonedParts extends OutboxParts {
  executions: Pick<ExecutionStore, 'runningChats' | 'failChats'>;
  effects: Effects;
}

/** Chats that are recorded as running while nobody runs them: a crash left them, or a disk did not take their end. */
export class AbandonedChats {
  private readonly parts: AbandonedParts;
  private readonly since: number;

  constructor(parts: AbandonedParts) {
    this.parts = parts;
    this.since = parts.effects.now();
  }

  /**
   * Ends them as failed, each with one event. The event goes first, under an id that is made of the execution's: should
   * a crash or a full disk come between the two, the next time finds the chat again and stores no second event.
   */
  async end(isUnderWay: (executionId: string) => boolean): Promise<void> {
    const { auth, executions, events } = this.parts;
    let last: RunningChat | null = null;
    for (;;) {
      const running: RunningChat[] = await executions.runningChats(last, AT_ONCE);
      const abandoned = running
        .filter(({ tenantId, execution }) => !auth.isShut(tenantId) && !isUnderWay(execution.id))
        // Callers may say of a chat that has ended that it runs.
        .filter(({ execution }) => execution.chat?.latencyMs === null)
        .map(({ tenantId, execution }) => ({ tenantId, execution: this.failed(execution) }));
      for (const [tenantId, chats] of Map.groupBy(abandoned, ({ tenantId }) => tenantId)) {
        await events.append(tenantId, chats.map(eventOf));
      }
      await executions.failChats(abandoned);
      if (running.length < AT_ONCE) return;
      last = running.at(-1)!;
    }
  }

  private failed(execution: ExecutionFacts): ExecutionFacts {
    const now = this.parts.effects.now();
    const error = execution.createdAt < this.since ? CRASHED : UNRECORDED;
    return {
      ...execution,
      status: 'failed',
      completedAt: now,
      updatedAt: now,
      chat: { ...execution.chat!, error },
    };
  }
}

function eventOf({ execution }: RunningChat): StoredEvent {
  // Usage would be what callers have said.
  const event = chatEvent({ ...execution, usage: null }, `runtime.chat_failed:${execution.id}`);
  return { ...event, idFromCaller: true };
}
