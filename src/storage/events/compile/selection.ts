import { RESERVED_EVENT_PREFIX } from '../../../core/analytics/events/fields.ts';
import type { SegmentPlan, Selection } from '../../../core/analytics/events/query-plan.ts';
import { bound, propertyTestsOf } from '../shared/selections.ts';
import { anyOf, conjunction, holds } from './conditions.ts';
import type { EventScope } from './scope.ts';

/**
 * A subquery of the selected events, with the columns requested so far. `also`: further conditions
 * on the table.
 */
export function matching(selection: Selection, scope: EventScope, also: string[] = []): string {
  const { predicates, segments = [] } = selection;
  const alternatives = selection.anyOf?.map((all) => `(${conjunction(all, scope)})`);
  const filter = [
    ...(predicates.length === 0 ? [] : [conjunction(predicates, scope)]),
    ...(alternatives === undefined ? [] : [anyOf(alternatives)]),
    ...segments.map((segment) => isSubject(segment, scope)),
  ].join(' AND ');
  return scope.select([...also, ...boundsOf(selection, scope)], filter || 'true');
}

function boundsOf({ agentId, eventNames, includesOwn, from, to }: Selection, scope: EventScope): string[] {
  const { engine } = scope;
  const bounds: string[] = [];
  if (agentId !== null) bounds.push(`${scope.stored('agent_id')} = ${engine.text(agentId)}`);
  if (eventNames !== null) {
    bounds.push(eventNames.length === 0 ? 'false' : engine.isOneOf(scope.stored('event_name'), eventNames));
  } else if (!includesOwn) {
    bounds.push(`NOT ${engine.startsWith(scope.stored('event_name'), RESERVED_EVENT_PREFIX, { anyCase: false })}`);
  }
  if (from !== null) bounds.push(`${scope.stored('timestamp')} >= ${engine.integer(from)}`);
  if (to !== null) bounds.push(`${scope.stored('timestamp')} < ${engine.integer(to)}`);
  return bounds;
}

/** A semi-join. One scan counts the events of all conditions. */
function isSubject({ by, conditions, among = [] }: SegmentPlan, scope: EventScope): string {
  const inner = scope.nested();
  const subject = inner.column(by);
  const tests = conditions.map(propertyTestsOf);
  const counted = tests.map(
    (all, index) => `count(*) FILTER (WHERE ${holds(all, inner)}) >= ${conditions[index]!.atLeast}`,
  );
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
      segments: among,
    },
    inner,
  );
  return `${scope.value(by)} IN (SELECT ${subject} FROM (${events}) GROUP BY ${subject} HAVING ${counted.join(' AND ')})`;
}

/** One row: `[matched, first timestamp, last timestamp]`. Without events the times do not count. */
export function matchedStatement(scope: EventScope, selection: Selection): string {
  scope.keep('timestamp');
  return `SELECT count(*), min(timestamp), max(timestamp) FROM (${matching(selection, scope)})`;
}
