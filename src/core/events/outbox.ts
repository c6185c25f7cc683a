import type { EventStore, StoredEvent } from './store.ts';

/** These events may wait: flushing many at once costs little more than one. */
const VISIBLE_WITHIN_MS = 1_000;
/** As many as one ingest may bring; after a long outage very many events wait. */
const MAX_BATCH = 5_000;

export interface OutboxParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
}

/** Queue of the runtime's own events until the event store accepts them. */
export class EventOutbox {
  /** Characters in the queue, roughly. */
  size = 0;
  private readonly parts: OutboxParts;
  /** By tenant. */
  private readonly queued = new Map<string, StoredEvent[]>();

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  get isEmpty(): boolean {
    return this.queued.size === 0;
  }

  add(tenantId: string, event: StoredEvent): void {
    const events = this.queued.get(tenantId);
    if (events) events.push(event);
    else this.queued.set(tenantId, [event]);
    this.size += sizeOf(event);
  }

  /**
   * Appends all queued events. A tenant whose append fails does not stop the others; the first
   * failure is thrown at the end. Must not be called again before it has finished.
   */
  async write(): Promise<void> {
    // Concurrently: the event store commits concurrent appends together.
    const results = await Promise.allSettled(
      [...this.queued].map(([tenantId, events]) => this.writeTenant(tenantId, events)),
    );
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure) throw failure.reason;
  }

  private async writeTenant(tenantId: string, events: StoredEvent[]): Promise<void> {
    while (events.length > 0) {
      const batch = events.slice(0, MAX_BATCH);
      if (!this.parts.tenants.isBlocked(tenantId)) await this.parts.events.append(tenantId, batch, VISIBLE_WITHIN_MS);
      events.splice(0, batch.length);
      for (const event of batch) this.size -= sizeOf(event);
    }
    this.queued.delete(tenantId);
  }
}

function sizeOf({ properties }: StoredEvent): number {
  return 500 + properties.length;
}
