import type { Predicate } from '../../../core/analytics/events/predicates.ts';
import type {
  FunnelPlan,
  RetentionPlan,
  SegmentCondition,
  Selection,
} from '../../../core/analytics/events/query-plan.ts';

/** Tests of the events that count for a condition of a segment. */
export function propertyTestsOf({ eventName, from, to, predicates }: SegmentCondition): Predicate[] {
  const timestamp = { kind: 'event', name: 'timestamp' } as const;
  const bounds = [
    ...(from === null ? [] : [{ operator: 'gte', value: from } as const]),
    ...(to === null ? [] : [{ operator: 'lt', value: to } as const]),
  ];
  return [
    { field: { kind: 'event', name: 'eventName' }, test: { kind: 'oneOf', values: [eventName] }, negated: false },
    ...bounds.map((one): Predicate => ({ field: timestamp, test: { kind: 'compare', ...one }, negated: false })),
    ...predicates,
  ];
}

/** Null, no limit, if one of them has none. */
export function bound(limits: (number | null)[], widest: (...values: number[]) => number): number | null {
  return limits.includes(null) ? null : widest(...(limits as number[]));
}

export function startsOf({ selection, start }: RetentionPlan): Selection {
  return { ...selection, predicates: [...selection.predicates, ...start] };
}

/** The range bounds the first step; the last may come a window later. */
export function throughLastStep({ selection, windowMs }: FunnelPlan): Selection {
  return { ...selection, to: selection.to === null ? null : selection.to + windowMs + 1 };
}
