import type { DefinedSegment } from '../../src/core/analytics/events/questions/question.ts';
import type { EventFilter } from '../../src/core/base/filters/filter-schema.ts';
import { bucketOf, bucketsBetween, type Dates, meaningOf, Refused } from './calendar.ts';
import { DAY } from './datasets.ts';
import { ofSubjects } from './segments.ts';
import { byCodePoint, identity, keeps, type ReferenceEvent, read, type Value } from './values.ts';

/** One tenant's events, the agent and the time of the query. */
export interface AgentData {
  events: ReferenceEvent[];
  agentId: string | null;
  timezone: string;
  now: number;
}

export interface Range {
  from: number | null;
  to: number | null;
  timezone: string;
}

interface Asked {
  agentId?: string | undefined;
  filters?: EventFilter[] | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timezone?: string | undefined;
  segment?: DefinedSegment | undefined;
}

export function rangeOf(input: Asked, agentData: AgentData): Range {
  const timezone = input.timezone ?? agentData.timezone;
  const dates = { now: agentData.now, timezone };
  const first = input.dateFrom === undefined ? null : meaningOf(input.dateFrom, dates);
  const last = input.dateTo === undefined ? null : meaningOf(input.dateTo, dates);
  if (last?.form === 'length') throw new Refused('a length of time is no end');
  const from = first?.start ?? null;
  const to = last?.end ?? (first?.form === 'period' ? first.end : null);
  if (from !== null && to !== null && from > to) throw new Refused('the range ends before it begins');
  // The day that a zone skipped has no length and excludes nothing.
  const isWhole = last !== null && ['day', 'period'].includes(last.form) && last.start < last.end;
  // `mtd` to `yesterday` is empty on the first of a month.
  const isTurning = last?.form === 'day' && (first?.form === 'period' || first?.form === 'untilNow');
  if (isWhole && from === to && !isTurning)
    throw new Refused('the range includes nothing of the day or period that ends it');
  return { from, to, timezone };
}

/** As many local days before whole local days, otherwise the same elapsed length; it ends where the range begins. */
export function periodBefore({ from, to, timezone }: Range, { now }: Pick<AgentData, 'now'>): Range {
  const end = Math.max(from!, Math.min(to ?? now, now));
  const beginsDay = (at: number) => bucketOf('day', timezone, at) !== bucketOf('day', timezone, at - 1);
  const daysOf = (begin: number, after: number) => bucketsBetween('day', timezone, begin, after, 1e6);
  if (!beginsDay(from!) || !beginsDay(end) || end === from) return { from: from! - (end - from!), to: from, timezone };
  const length = daysOf(from!, end).length;
  const first = daysOf(from! - (length + 3) * DAY, from!).at(-length)!;
  return { from: Date.parse(first.label), to: from, timezone };
}

export function select(input: Asked, names: string[], range: Range, agentData: AgentData): ReferenceEvent[] {
  const dates = { now: agentData.now, timezone: range.timezone };
  const isOfSegment = input.segment ? ofSubjects(input.segment, dates, agentData) : () => true;
  return agentData.events.filter(
    (event) =>
      isOfSegment(event) &&
      isOfAgent(event, input, agentData) &&
      names.includes(event.eventName) &&
      isWithin(range, event) &&
      passes(input.filters, event, dates),
  );
}

export function isOfAgent(
  event: ReferenceEvent,
  input: { agentId?: string | undefined },
  agentData: AgentData,
): boolean {
  const agentId = input.agentId ?? agentData.agentId;
  return agentId === null || event.agentId === agentId;
}

export function isWithin({ from, to }: Range, { timestamp }: ReferenceEvent): boolean {
  return (from === null || timestamp >= from) && (to === null || timestamp < to);
}

export function passes(filters: EventFilter[] | undefined, event: ReferenceEvent, dates: Dates) {
  return (filters ?? []).every((filter) => keeps(filter, event, dates));
}

/** Without keys everything is one group, even without events. */
export function groupsOf(events: ReferenceEvent[], keys: string[]): { values: Value[]; events: ReferenceEvent[] }[] {
  if (keys.length === 0) return [{ values: [], events }];
  const groups = new Map<string, { values: Value[]; events: ReferenceEvent[] }>();
  for (const event of events) {
    const values = keys.map((key) => read(event, key));
    const name = values.map(identity).join('\n');
    const group = groups.get(name) ?? { values, events: [] };
    group.events.push(event);
    groups.set(name, group);
  }
  return [...groups.values()];
}

export function newestFirst(one: ReferenceEvent, other: ReferenceEvent): number {
  return other.timestamp - one.timestamp || byCodePoint(other.id, one.id);
}

export function lastOf(events: ReferenceEvent[]): number | null {
  return events.length === 0 ? null : Math.max(...events.map((event) => event.timestamp));
}

export function shown(key: string, value: Value): unknown {
  if (value === undefined) return null;
  return key === 'timestamp' ? isoOf(value as number) : value;
}

export function isoOf(instant: number): string {
  return new Date(instant).toISOString();
}

export function page<Row>(rows: Row[], { limit, offset }: { limit: number; offset: number }): Row[] {
  return rows.slice(offset, offset + limit);
}

export function keysOf(keys: string | string[] | undefined): string[] {
  return keys === undefined ? [] : [keys].flat();
}
