import { type DateContext, resolveRange } from '../../../base/time/dates.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { aggregatePlan } from '../query-plan.ts';
import type { QueryContext } from './ask.ts';
import { explainEvent } from './explain-event.ts';
import { shownFilters } from './fit.ts';
import { endingBy, planSegment } from './plan-segment.ts';
import type { DefinedSegment, SegmentBasis } from './question.ts';

export function segmentBasis({ name, by, conditions, until }: DefinedSegment, dates: DateContext): SegmentBasis {
  return {
    name,
    by,
    conditions: conditions.map(({ eventName, filters, atLeast = 1, ...range }) => {
      const { from, to } = endingBy(until, resolveRange(range, dates));
      return {
        eventName,
        ...(filters ? { filters: shownFilters(filters) } : {}),
        atLeast,
        ...(from === null ? {} : { from: formatUtc(from) }),
        ...(to === null ? {} : { to: formatUtc(to) }),
      };
    }),
  };
}

/** Why no event matched a question about a segment. */
export async function explainSegment(
  segment: DefinedSegment,
  dates: DateContext,
  { store, caller, signal }: QueryContext,
): Promise<string[]> {
  const plan = planSegment(segment, dates);
  const names = [...new Set(segment.conditions.map(({ eventName }) => eventName))];
  const { rows } = await store.query(
    caller.tenantId,
    aggregatePlan({
      selection: { agentId: null, eventNames: names, from: null, to: null, predicates: [], segments: [plan] },
      groupBy: [],
      metrics: [{ aggregation: 'distinct_count', field: plan.by }],
    }),
    signal,
  );
  const subjects = rows[0]?.[0] as number;
  const [name, by] = [segment.name, segment.by].map((text) => JSON.stringify(text));
  if (subjects > 0) {
    const values = subjects === 1 ? 'one value' : `${subjects} values`;
    return [
      `The segment ${name} has ${values} of ${by}; no matching event has ${subjects === 1 ? 'it' : 'one of them'}.`,
    ];
  }
  const known = await store.knownEvents(caller.tenantId, null);
  const asked = { agentId: null, matched: 0, narrowed: true, filters: [], keys: [] };
  const unknown = names.filter((one) => known.every(({ eventName }) => eventName !== one));
  return [
    `The segment ${name} is empty: no value of ${by} meets its conditions.`,
    ...unknown.flatMap((eventName) => explainEvent(eventName, known, { ...asked, eventName })),
  ];
}
