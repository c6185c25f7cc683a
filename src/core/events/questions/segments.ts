import { z } from 'zod';
import { invalid, RuntimeError } from '../../shared/errors.ts';
import { type DateContext, resolveRange } from '../dates.ts';
import { fieldOf, predicatesOf } from '../predicates.ts';
import { aggregatePlan, type SegmentPlan } from '../query-plan.ts';
import type { SegmentDefinition } from '../segment-schema.ts';
import { formatUtc } from '../time.ts';
import type { QueryContext } from './ask.ts';
import { explainEvent } from './explain-event.ts';
import { shownFilters } from './fit.ts';

export interface DefinedSegment extends SegmentDefinition {
  name: string;
}

/** A question in which a segment's name is replaced by its definition: all that is needed for a plan. */
export type WithSegment<Question> = Omit<Question, 'segment'> & { segment?: DefinedSegment | undefined };

/** Where questions find segments. The caller's rights have been checked. */
export interface SegmentSource {
  /** Throws `invalid` that names the nearest segments. */
  resolve(tenantId: string, name: string): Promise<DefinedSegment>;
  /** By name. With `search`, those whose name or title has it. */
  listed(tenantId: string, search?: string): Promise<ListedSegment[]>;
}

export interface ListedSegment {
  name: string;
  by: string;
  title?: string;
}

/** Which segment an answer used, with the conditions as they were read. */
export const segmentBasisSchema = z.object({
  name: z.string(),
  by: z.string(),
  conditions: z.array(z.record(z.string(), z.unknown())),
});
type SegmentBasis = z.output<typeof segmentBasisSchema>;

/** Throws `invalid`, with paths in the definition. */
export function planSegment({ by, conditions }: SegmentDefinition, dates: DateContext, path = ''): SegmentPlan {
  return {
    by: fieldOf(by),
    conditions: conditions.map(({ eventName, filters = [], atLeast = 1, ...range }, index) => ({
      eventName,
      atLeast,
      ...rangeOf(range, `${path}conditions[${index}]`, dates),
      predicates: predicatesOf(filters, `${path}conditions[${index}].filters`, dates),
    })),
  };
}

function rangeOf(range: Parameters<typeof resolveRange>[0], path: string, dates: DateContext) {
  try {
    return resolveRange(range, dates);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((message) => `${path}.${message}`));
  }
}

export function segmentBasis({ name, by, conditions }: DefinedSegment, dates: DateContext): SegmentBasis {
  return {
    name,
    by,
    conditions: conditions.map(({ eventName, filters, atLeast = 1, ...range }) => {
      const { from, to } = resolveRange(range, dates);
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
  if (subjects > 0) return [`The segment ${name} has ${subjects} values of ${by}; no matching event has one of them.`];
  const known = await store.knownEvents(caller.tenantId, null);
  const asked = { agentId: null, matched: 0, narrowed: true, filters: [], keys: [] };
  const unknown = names.filter((one) => known.every(({ eventName }) => eventName !== one));
  return [
    `The segment ${name} is empty: no value of ${by} meets its conditions.`,
    ...unknown.flatMap((eventName) => explainEvent(eventName, known, { ...asked, eventName })),
  ];
}
