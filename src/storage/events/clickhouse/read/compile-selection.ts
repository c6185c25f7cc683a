import { RESERVED_EVENT_PREFIX } from '../../../../core/analytics/events/fields.ts';
import type { SegmentPlan, Selection } from '../../../../core/analytics/events/query-plan.ts';
import { bound, propertyTestsOf } from '../../shared/selections.ts';
import { conjunction } from './conditions.ts';
import { QueryScope, type Source } from './expressions.ts';
import { integer, text } from './literals.ts';

/**
 * A subquery of the selected events, with the columns requested so far. `also`: further conditions
 * on the table.
 */
export function matching(selection: Selection, scope: QueryScope, also: string[] = []): string {
  const { predicates, anyOf, segments = [], agentId, eventNames, from, to } = selection;
  const alternatives = anyOf?.map((all) => `(${conjunction(all, scope)})`).join(' OR ');
  const filter = [
    ...(predicates.length === 0 ? [] : [conjunction(predicates, scope)]),
    ...(alternatives === undefined ? [] : [`(${alternatives || 'false'})`]),
    ...segments.map((segment) => isSubject(segment, scope)),
  ].join(' AND ');
  const bounds = [...also];
  if (agentId !== null) bounds.push(`agent_id = ${text(agentId)}`);
  if (eventNames === null) {
    if (!selection.includesOwn) bounds.push(`NOT startsWith(event_name, ${text(RESERVED_EVENT_PREFIX)})`);
  } else if (eventNames.length === 1) bounds.push(`event_name = ${text(eventNames[0]!)}`);
  else bounds.push(eventNames.length === 0 ? 'false' : `event_name IN (${eventNames.map(text).join(', ')})`);
  if (from !== null) bounds.push(`timestamp >= ${integer(from)}`);
  if (to !== null) bounds.push(`timestamp < ${integer(to)}`);
  return scope.select(bounds, filter || 'true');
}

/** A semi-join. One scan counts the events of all conditions. */
function isSubject({ by, conditions }: SegmentPlan, scope: QueryScope): string {
  const inner = scope.nested();
  const subject = inner.column(by);
  const tests = conditions.map(propertyTestsOf);
  const counted = tests.map((all, index) => {
    const passes = inner.computed(`ifNull(${conjunction(all, inner)}, false)`);
    return `countIf(${passes}) >= ${conditions[index]!.atLeast}`;
  });
  const events = matching(
    {
      agentId: null,
      eventNames: [...new Set(conditions.map(({ eventName }) => eventName))],
      from: bound(
        conditions.map(({ from }) => from),
        Math.min,
      ),
      to: bound(
        conditions.map(({ to }) => to),
        Math.max,
      ),
      predicates: [{ field: by, test: { kind: 'present' }, negated: false }],
      anyOf: tests,
    },
    inner,
  );
  return `${scope.value(by)} IN (SELECT ${subject} FROM (${events}) GROUP BY ${subject} HAVING ${counted.join(' AND ')})`;
}

/** One row: `[matched, first timestamp, last timestamp]`. */
export function matchedStatement(source: Source, selection: Selection): string {
  const scope = new QueryScope(source);
  scope.keep('timestamp');
  return `SELECT count(), minOrNull(timestamp), maxOrNull(timestamp) FROM (${matching(selection, scope)})`;
}
