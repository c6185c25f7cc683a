import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import { agentToRead } from '../../../base/shared/agent.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { type CountedEvents, encodeHandle } from '../cases/handle.ts';
import type { ReviewedAs } from '../schema.ts';
import type { Basis, QueryBasis } from './answer-schema.ts';
import type { Matched, QueryContext } from './ask.ts';
import { segmentBasis } from './explain-segment.ts';
import { shownFilters } from './fit.ts';
import { type DefinedSegment, eventNamesOf, eventsIn, type KpiQuestion, type TableQuestion } from './question.ts';
import { retentionOf } from './retention.ts';

interface Asked {
  agentId?: string | undefined;
  filters?: EventFilter[] | undefined;
  segment?: DefinedSegment | undefined;
  review?: ReviewedAs | undefined;
}

/**
 * `eventName` is shown; `counted` are the events that the answer has a handle of, if it has one.
 */
export function basisOf(
  eventName: string,
  input: Asked,
  found: Matched,
  context: QueryContext,
  counted?: CountedEvents,
): Basis {
  const { range, matched, lastAt } = found;
  const { from, to, timezone } = range;
  const now = context.effects.now();
  // Timestamps may be ahead of now.
  const end = to ?? Math.max(now, lastAt ?? 0, from ?? 0);
  const cases = counted && casesOf(counted, input, found, context);
  return {
    eventName,
    agentId: agentOf(input, context),
    filters: shownFilters(input.filters),
    ...(input.segment ? { segment: segmentBasis(input.segment, { now, timezone }) } : {}),
    from: from === null ? null : formatUtc(from),
    to: formatUtc(end),
    timezone,
    matchedEvents: matched,
    lastEventAt: lastAt === null ? null : formatUtc(lastAt),
    ...(cases === undefined ? {} : { cases }),
  };
}

/**
 * The handle. Of a range that still goes on it holds the part until the last event, or until now.
 */
export function casesOf(
  events: CountedEvents,
  { filters = [], segment, review, ...input }: Asked,
  { range: { from, to, timezone }, lastAt }: Pick<Matched, 'range' | 'lastAt'>,
  context: QueryContext,
): string | undefined {
  const now = context.effects.now();
  const known = lastAt === null ? Math.max(now, from ?? now) : lastAt + 1;
  return encodeHandle({
    events,
    ...(filters.length > 0 ? { filters } : {}),
    agentId: agentOf(input, context) ?? undefined,
    from: from ?? undefined,
    to: to === null || to > now ? known : to,
    now,
    timezone,
    segment: segment && heldSegment(segment),
    review,
  });
}

function heldSegment({ name, by, conditions }: DefinedSegment) {
  return { name, by, conditions };
}

/** A rate is about all events of its name, a formula about those of its parts. */
export function countedBy({ eventName, formula }: KpiQuestion): CountedEvents {
  if (!formula) return [{ eventName }];
  return Object.values(formula.parts).map((part) => ({
    eventName: part.eventName,
    ...(part.filters?.length ? { filters: part.filters } : {}),
  }));
}

export function shownNames(input: KpiQuestion): string {
  return input.formula ? eventNamesOf(input).join(', ') : input.eventName;
}

export function agentOf({ agentId }: { agentId?: string | undefined }, { caller }: QueryContext): string | null {
  return agentToRead(caller, agentId);
}

/** The events that a table counts; of a retention, those that start. */
export function countedIn(input: TableQuestion): CountedEvents {
  if (input.mode !== 'retention') return eventsIn(input);
  const { eventName, filters } = retentionOf(input).start;
  return [{ eventName, ...(filters.length > 0 ? { filters } : {}) }];
}

/** The definitions of a retention, with their defaults. */
export function shownRetention(input: TableQuestion): Pick<QueryBasis, 'retention'> {
  if (input.mode !== 'retention') return {};
  const { start, returned, ...rest } = retentionOf(input);
  const shown = ({ eventName, filters }: typeof start) => ({ eventName, filters: shownFilters(filters) });
  return { retention: { start: shown(start), returned: shown(returned), ...rest } };
}
