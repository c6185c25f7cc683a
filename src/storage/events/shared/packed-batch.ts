import type { StoredEvent } from '../../../core/analytics/events/store.ts';
import { TimeSlices } from '../../../core/base/concurrency/time-slices.ts';

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

export function packBatch(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): PackedBatch {
  return {
    tenantId,
    text: JSON.stringify(events),
    count: events.length,
    callerIds: callerIdsOf(events),
    visibleWithinMs,
  };
}

function callerIdsOf(events: StoredEvent[]): PackedBatch['callerIds'] {
  const ids = events.map((event) => (event.idFromCaller ? event.id : null));
  return ids.some((id) => id !== null) ? ids : null;
}

/** A batch in parts: of each the JSON of its events, without brackets. */
export interface SlicedBatch<Part> extends Omit<PackedBatch, 'text'> {
  parts: Part[];
}

/** Like `packBatch`, in several turns of the event loop. */
export async function packInSlices<Part>(
  tenantId: string,
  events: StoredEvent[],
  visibleWithinMs: number | undefined,
  partOf: (text: string) => Part,
): Promise<SlicedBatch<Part>> {
  const slices = new TimeSlices();
  const parts: Part[] = [];
  for (let start = 0; start < events.length; start += PART) {
    parts.push(partOf(JSON.stringify(events.slice(start, start + PART)).slice(1, -1)));
    await slices.pause();
  }
  return { tenantId, parts, count: events.length, callerIds: callerIdsOf(events), visibleWithinMs };
}

export function wholeBatch({ parts, ...batch }: SlicedBatch<string>): PackedBatch {
  return { ...batch, text: `[${parts.join(',')}]` };
}

/** Events that are written together: a few megabytes at most. */
const PART = 50;

/** The events of a text; none, and the text itself, if it is not a JSON array. */
export function unpacked(text: string): { events: StoredEvent[]; unreadable?: string } {
  try {
    const events: unknown = JSON.parse(text);
    if (Array.isArray(events)) return { events: events as StoredEvent[] };
  } catch {
    // The text is unreadable.
  }
  return { events: [], unreadable: text };
}

export function without({ tenantId, text }: PackedBatch, indexes: Set<number>): PackedBatch {
  const events = (JSON.parse(text) as StoredEvent[]).filter((_, index) => !indexes.has(index));
  return packBatch(tenantId, events);
}
