import type { QueryPlan, Selection } from '../../../core/analytics/events/query-plan.ts';
import { startsOf, throughLastStep } from './selections.ts';

/** Events that an answer may have read: of these names, at these times. */
export interface Reach {
  /** Null for every name; `includesOwn`: also the runtime's own. */
  names: string[] | null;
  includesOwn: boolean;
  /** At or after `from` and before `to`, in epoch milliseconds; null: no limit. */
  from: number | null;
  to: number | null;
}

/** An answer changes only with an event in one of these. */
export function reachOf(plan: QueryPlan): Reach[] {
  switch (plan.kind) {
    case 'funnel':
      return ofSelection(throughLastStep(plan));
    case 'retention':
      return ofSelection({ ...startsOf(plan), to: plan.through });
    default:
      return ofSelection(plan.selection);
  }
}

function ofSelection({ eventNames: names, includesOwn, from, to, segments = [] }: Selection): Reach[] {
  const conditions = segments.flatMap((segment) => segment.conditions);
  return [
    { names, includesOwn: includesOwn === true, from, to },
    ...conditions.map(({ eventName, from, to }) => ({ names: [eventName], includesOwn: true, from, to })),
  ];
}

const MS_OF_DAY = 86_400_000;

/** The number of a day in UTC since the epoch. */
export function dayOf(timestamp: number): number {
  return Math.floor(timestamp / MS_OF_DAY);
}

/** The first and last day of a range. */
export function daysOf({ from, to }: Pick<Reach, 'from' | 'to'>): { first: number; last: number } {
  return {
    first: from === null ? Number.NEGATIVE_INFINITY : dayOf(from),
    last: to === null ? Number.POSITIVE_INFINITY : dayOf(to - 1),
  };
}
