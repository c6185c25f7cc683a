import type { EventStore, StoredEvent } from './store.ts';

/** The delay lets one flush take many events. */
const VISIBLE_WITHIN_MS = 1_000;
/** Limits an append after a long outage. */
const MAX_BATCH = 5_000;

export interface OutboxParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
}

/** Queue of the runtime's own events until the event store accepts them. */
export class EventOutbox {
  /** In characters, roughly. */
  size = 0;
  private readonly parts: OutboxParts;
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

  /** A tenant's failure does not stop the others; throws the first. Not for concurrent calls. */
  async write(): Promise<void> {
    // The event store commits concurrent appends together.
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
