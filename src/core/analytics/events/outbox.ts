import type { RuntimeEvent, RuntimeEventName, TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import { Alarm } from '../../base/concurrency/timers.ts';
import { agentOfWrites, DEFAULT_AGENT } from '../../base/shared/agent.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { EventStore, StoredEvent } from './store.ts';

/** A commit costs the same for one event as for a hundred. */
const PAUSE_MS = 250;
const RETRY_MS = 1_000;
/** The delay lets one flush of the store take many events. */
const VISIBLE_WITHIN_MS = 1_000;
/** Limits an append after a long outage. */
const MAX_BATCH = 5_000;
/** Characters. Further events are dropped. */
const MAX_PENDING = 16 * 1024 * 1024;
const CLOSE_MS = 5_000;

export interface OutboxParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
  effects: Effects;
  onError(error: unknown): void;
  /** Called for each event that was dropped. */
  onLost(): void;
}

/**
 * The only writer of the runtime's own events. What must survive a crash has a row of its own from
 * which the event is made again: it is stored by `store` under an id derived from the row. Anything
 * else is recorded in the background, and a crash loses up to a quarter of a second. Events of
 * tenants that are being erased are dropped.
 */
export class EventOutbox {
  private readonly parts: OutboxParts;
  private readonly queued = new Map<string, StoredEvent[]>();
  private readonly alarm = new Alarm(() => void this.flush());
  private writing: Promise<boolean> = Promise.resolve(true);
  private next: Promise<boolean> | null = null;
  /** Characters that wait, roughly. */
  size = 0;
  /** Whether the last write failed. It is repeated after a second. */
  isFailing = false;

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  /** Resolves once the events are durable. Returns those of tenants that are not being erased. */
  async store<Event extends TenantRuntimeEvent>(events: readonly Event[]): Promise<(Event & { id: string })[]> {
    const { tenants, effects } = this.parts;
    const stored: (Event & { id: string })[] = [];
    for (const [tenantId, own] of Map.groupBy(events, (event) => event.tenantId)) {
      if (tenants.isBlocked(tenantId)) continue;
      const written = own.map((event) => storedEvent(event, effects));
      await this.parts.events.append(tenantId, written);
      for (const [index, event] of own.entries()) stored.push({ ...event, id: written[index]!.id });
    }
    return stored;
  }

  /** In the background. False: more than `maxPending` characters wait, and the event is lost. */
  add(tenantId: string, event: RuntimeEvent, maxPending = MAX_PENDING): boolean {
    if (this.size > maxPending) {
      this.parts.onLost();
      return false;
    }
    const stored = storedEvent(event, this.parts.effects);
    const events = this.queued.get(tenantId);
    if (events) events.push(stored);
    else this.queued.set(tenantId, [stored]);
    this.size += sizeOf(stored);
    this.writeLater();
    return true;
  }

  /** An event in the caller's name, as `add`. */
  record(caller: Caller, eventName: RuntimeEventName, properties: object): void {
    this.add(caller.tenantId, callerEvent(caller, eventName, properties, this.parts.effects.now()));
  }

  /** Writes what waits. Calls during a write share the next one. False: something waits still. */
  flush(): Promise<boolean> {
    this.next ??= this.writing.then(() => {
      this.next = null;
      this.writing = this.write();
      return this.writing;
    });
    return this.next;
  }

  /** Writes what waits, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    await this.writing;
    while (this.queued.size > 0 && performance.now() < end) {
      if (!(await this.flush())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    this.alarm.cancel();
  }

  private writeLater(): void {
    this.alarm.set(this.isFailing ? RETRY_MS : PAUSE_MS);
  }

  /** A tenant whose append fails does not stop the others. */
  private async write(): Promise<boolean> {
    // The event store commits concurrent appends together.
    const results = await Promise.allSettled([...this.queued].map((queue) => this.writeTenant(...queue)));
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    this.isFailing = failure !== undefined;
    if (failure) this.parts.onError(failure.reason);
    this.alarm.cancel();
    if (this.queued.size > 0) this.writeLater();
    return !this.isFailing;
  }

  private async writeTenant(tenantId: string, events: StoredEvent[]): Promise<void> {
    const { tenants, events: store } = this.parts;
    while (events.length > 0) {
      const batch = events.slice(0, MAX_BATCH);
      if (!tenants.isBlocked(tenantId)) await store.append(tenantId, batch, VISIBLE_WITHIN_MS);
      events.splice(0, batch.length);
      for (const event of batch) this.size -= sizeOf(event);
    }
    this.queued.delete(tenantId);
  }
}

/** An event in the caller's name; with an access token, the ids of person and application. */
export function callerEvent(
  caller: Caller,
  eventName: RuntimeEventName,
  properties: object,
  timestamp: number,
): RuntimeEvent {
  const { userId, grant } = caller;
  const attribution = grant ? { userId, clientId: grant.clientId } : {};
  return { agentId: agentOfWrites(caller), eventName, timestamp, properties: { ...properties, ...attribution } };
}

function storedEvent(event: RuntimeEvent, { newId }: Effects): StoredEvent {
  const { id, agentId = DEFAULT_AGENT, eventName, timestamp, threadId = null, executionId = null } = event;
  return {
    id: id ?? newId(),
    idFromCaller: id !== undefined,
    agentId,
    eventName,
    timestamp,
    threadId,
    executionId,
    properties: JSON.stringify(event.properties),
  };
}

function sizeOf({ properties }: StoredEvent): number {
  return 500 + properties.length;
}
