import type { StoredEvent } from '../../../core/events/store.ts';

/** A batch as it travels to the spool: text costs less to hand over and to write than objects do. */
export interface PackedBatch {
  tenantId: string;
  /** JSON of the events. */
  text: string;
  /** How many events there are. */
  count: number;
  /** The ids that callers chose, in the order of the events, null for one that the server made; null: all are the server's. */
  callerIds: (string | null)[] | null;
  /** Undefined: as soon as others. */
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

/** The batch without the events at these places. */
export function without({ tenantId, text }: PackedBatch, places: Set<number>): PackedBatch {
  const events = (JSON.parse(text) as StoredEvent[]).filter((_, index) => !places.has(index));
  return pack(tenantId, events);
}
