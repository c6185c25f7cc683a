import { agentToWrite } from '../../base/shared/agent.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { RESERVED_EVENT_PREFIX } from './fields.ts';
import { EventOutbox, type OutboxParts } from './outbox.ts';
import type { StoredEvent } from './store.ts';

/** A commit costs the same for one event as for a hundred. */
const PAUSE_MS = 250;
const RETRY_MS = 1_000;
/** Characters. Further events are dropped. */
const MAX_PENDING = 16 * 1024 * 1024;
const CLOSE_MS = 5_000;

export interface EventRecorderParts extends OutboxParts {
  effects: Effects;
  onError(error: unknown): void;
  /** One event was dropped. */
  onLost(): void;
}

export type RuntimeEventName = `${typeof RESERVED_EVENT_PREFIX}${string}`;

/**
 * An event of the runtime itself, in the caller's name; of an access token with the ids of person
 * and application.
 */
export function runtimeEvent(
  caller: Caller,
  eventName: RuntimeEventName,
  properties: object,
  effects: Effects,
): StoredEvent {
  return {
    id: effects.newId(),
    idFromCaller: false,
    agentId: agentToWrite(caller),
    eventName,
    timestamp: effects.now(),
    threadId: null,
    executionId: null,
    properties: JSON.stringify({ ...properties, ...attributionOf(caller) }),
  };
}

function attributionOf({ userId, grant }: Caller): object {
  return grant ? { userId, clientId: grant.clientId } : {};
}

/**
 * Records the runtime's own events in the background. A crash loses up to a quarter of a second.
 */
export class EventRecorder {
  private readonly parts: EventRecorderParts;
  private readonly outbox: EventOutbox;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<boolean> = Promise.resolve(true);

  constructor(parts: EventRecorderParts) {
    this.parts = parts;
    this.outbox = new EventOutbox(parts);
  }

  record(caller: Caller, eventName: RuntimeEventName, properties: object): void {
    if (this.outbox.size > MAX_PENDING) {
      this.parts.onLost();
      return;
    }
    this.outbox.add(caller.tenantId, runtimeEvent(caller, eventName, properties, this.parts.effects));
    this.schedule(PAUSE_MS);
  }

  /** At graceful shutdown, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    clearTimeout(this.timer);
    await this.writing;
    while (!this.outbox.isEmpty && performance.now() < end) {
      if (!(await this.write())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.writing = this.write().then((isWritten) => {
        this.timer = undefined;
        if (!this.outbox.isEmpty) this.schedule(isWritten ? PAUSE_MS : RETRY_MS);
        return isWritten;
      });
    }, ms).unref();
  }

  private async write(): Promise<boolean> {
    try {
      await this.outbox.write();
      return true;
    } catch (error) {
      this.parts.onError(error);
      return false;
    }
  }
}
