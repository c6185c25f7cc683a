import type { EventStore, StoredEvent } from './store.ts';

/** These are looked at by people, and moving what many tell at once costs little more than what one tells. */
const VISIBLE_WITHIN_MS = 1_000;
/** As many as an ingest may bring: after a long time without room there may be very many. */
const MAX_BATCH = 5_000;

export interface OutboxParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
}

/** Events that the runtime records of itself, until the event store has taken them. */
export class EventOutbox {
  /** Characters that wait, roughly. */
  size = 0;
  private readonly parts: OutboxParts;
  /** By tenant. */
  private readonly waiting = new Map<string, StoredEvent[]>();

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  add(tenantId: string, event: StoredEvent): void {
    const events = this.waiting.get(tenantId);
    if (events) events.push(event);
    else this.waiting.set(tenantId, [event]);
    this.size += sizeOf(event);
  }

  /**
   * Hands over what waits. A tenant whose events are not taken holds up no other; then it throws, once all had their turn. Not
   * to be called again before it is done.
   */
  async write(): Promise<void> {
    // At once: the event store commits together what comes together.
    const written = await Promise.allSettled(
      [...this.waiting].map(([tenantId, events]) => this.writeOf(tenantId, events)),
    );
    const failure = written.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure) throw failure.reason;
  }

  private async writeOf(tenantId: string, events: StoredEvent[]): Promise<void> {
    while (events.length > 0) {
      const batch = events.slice(0, MAX_BATCH);
      if (!this.parts.tenants.isBlocked(tenantId)) await this.parts.events.append(tenantId, batch, VISIBLE_WITHIN_MS);
      events.splice(0, batch.length);
      for (const event of batch) this.size -= sizeOf(event);
    }
    this.waiting.delete(tenantId);
  }
}

function sizeOf({ properties }: StoredEvent): number {
  return 500 + properties.length;
}
