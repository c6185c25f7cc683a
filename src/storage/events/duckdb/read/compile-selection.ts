import { RESERVED_EVENT_PREFIX } from '../../../../core/analytics/events/fields.ts';
import type { SegmentPlan, Selection } from '../../../../core/analytics/events/query-plan.ts';
import { bound, propertyTestsOf } from '../../shared/selections.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';

/* Every statement reads a single tenant and has one text column of JSON arrays. */

/** The selected events, with the columns requested so far. */
export function matching(selection: Selection, scope: StatementBuilder): string {
  return `WITH matching AS (${selected(selection, scope)})`;
}

function selected(selection: Selection, scope: StatementBuilder): string {
  const { predicates, anyOf, segments = [] } = selection;
  const alternatives = anyOf?.map((all) => `(${conjunction(all, scope)})`).join(' OR ');
  const filter = [
    conjunction(predicates, scope),
    ...(alternatives === undefined ? [] : [`(${alternatives})`]),
    ...segments.map((segment) => isSubject(segment, scope)),
  ].join(' AND ');
  const bounds: string[] = [];
  if (selection.agentId !== null) bounds.push(`${scope.readColumn('agent_id')} = ${scope.bind(selection.agentId)}`);
  const name = scope.readColumn('event_name');
  if (selection.eventNames === null) {
    if (!selection.includesOwn) bounds.push(`NOT starts_with(${name}, ${scope.bind(RESERVED_EVENT_PREFIX)})`);
  } else if (selection.eventNames.length === 1) bounds.push(`${name} = ${scope.bind(selection.eventNames[0]!)}`);
  else bounds.push(`${name} IN (${scope.bindAll(selection.eventNames)})`);
  if (selection.from !== null) bounds.push(`${scope.readColumn('timestamp')} >= ${scope.bind(selection.from)}`);
  if (selection.to !== null) bounds.push(`${scope.readColumn('timestamp')} < ${scope.bind(selection.to)}`);
  return scope.events(bounds.join(' AND ') || 'true', filter);
}

/** A semi-join. One scan counts the events of all conditions. */
function isSubject({ by, conditions }: SegmentPlan, scope: StatementBuilder): string {
  const inner = scope.nested();
  const subject = inner.column(by);
  const tests = conditions.map(propertyTestsOf);
  const counted = tests.map(
    (all, index) => `count(*) FILTER (WHERE ${conjunction(all, inner)}) >= ${inner.bind(conditions[index]!.atLeast)}`,
  );
  const events = selected(
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
export function matchedStatement(source: Source, selection: Selection): CompiledQuery {
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const events = matching(selection, scope);
  return scope.statement(
    `${events} SELECT json_array(count(*), min(timestamp), max(timestamp))::VARCHAR FROM matching`,
  );
}

export function storedCountsStatement(source: Source, selection: Selection): CompiledQuery {
  const scope = new StatementBuilder(source);
  return scope.statement(
    `SELECT json_array(all_events, first_at, last_at)::VARCHAR FROM (${storedCounts(selection, scope)})`,
  );
}

/** Needs a selection without predicates and range, and that all the tenant's names are listed. */
export function storedCounts({ agentId, eventNames, includesOwn }: Selection, scope: StatementBuilder): string {
  const bounds = [`tenant = ${scope.bind(scope.source.tenant)}`];
  if (agentId !== null) bounds.push(`agent_id = ${scope.bind(agentId)}`);
  if (eventNames === null) {
    if (!includesOwn) bounds.push(`NOT starts_with(event_name, ${scope.bind(RESERVED_EVENT_PREFIX)})`);
  } else bounds.push(`event_name IN (${scope.bindAll(eventNames)})`);
  return (
    'SELECT coalesce(sum(events), 0)::BIGINT AS all_events, min(first_seen) AS first_at, max(last_seen) AS last_at ' +
    `FROM known_events WHERE ${bounds.join(' AND ')}`
  );
}
