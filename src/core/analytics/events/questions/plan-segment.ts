import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import { type DateContext, resolveRange } from '../../../base/time/dates.ts';
import { fieldOf, predicatesOf } from '../predicates.ts';
import type { SegmentPlan } from '../query-plan.ts';
import type { SegmentDefinition } from '../segment-schema.ts';
import type { DefinedSegment } from './question.ts';

/** Throws `invalid`, with paths in the definition. */
export function planSegment(
  { by, conditions, until }: SegmentDefinition & Pick<DefinedSegment, 'until'>,
  dates: DateContext,
  path = '',
): SegmentPlan {
  return {
    by: fieldOf(by),
    conditions: conditions.map(({ eventName, filters = [], atLeast = 1, ...range }, index) => ({
      eventName,
      atLeast,
      ...endingBy(until, rangeOf(range, `${path}conditions[${index}]`, dates)),
      predicates: predicatesOf(filters, `${path}conditions[${index}].filters`, dates),
    })),
  };
}

/** Only where the range has no end. */
export function endingBy<Range extends { to: number | null }>(until: number | undefined, range: Range): Range {
  return { ...range, to: range.to ?? until ?? null };
}

function rangeOf(range: Parameters<typeof resolveRange>[0], path: string, dates: DateContext) {
  try {
    return resolveRange(range, dates);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((message) => `${path}.${message}`));
  }
}
