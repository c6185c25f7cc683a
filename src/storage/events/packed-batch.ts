import type { StoredEvent } from '../../core/events/store.ts';

/** Text is cheaper to transfer and write than objects. */
export interface PackedBatch {
  tenantId: string;
  /** JSON of the events. */
  text: string;
  count: number;
  /** In the order of the events, null for an id of the server; null: none. */
  callerIds: (string | null)[] | null;
  visibleWithinMs: number | undefined;
}

export function pack(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): PackedBatch {
  const ids = events.map((event) => (event.idFromCaller ? event.id : null));
  return {
    tenantId,
    text: JSON.stringify(events),
    count: events.length,
    callerIds: ids.some((id) => id !== null) ? ids : null,
    visibleWithinMs,
  };
}

export function without({ tenantId, text }: PackedBatch, indexes: Set<number>): PackedBatch {
  const events = (JSON.parse(text) as StoredEvent[]).filter((_, index) => !indexes.has(index));
  return pack(tenantId, events);
}
