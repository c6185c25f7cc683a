import { RESERVED_EVENT_PREFIX } from '../../../core/events/fields.ts';
import type { FunnelPlan, Selection } from '../../../core/events/query-plan.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, Scope, type Source } from './expressions.ts';

/*
 * The only place where plans become SQL, in this file and those beside it. Every statement has one text column whose
 * rows are JSON arrays. Every statement reads from `matching`, and so from its own tenant alone.
 */

/**
 * `WITH matching AS (...)`: the tenant's selected events, with the value columns that `scope` was asked for. The
 * statement's own columns must be known by now.
 */
export function matching(selection: Selection, scope: Scope): string {
  const filter = conjunction(selection.predicates, scope);
  const bounds: string[] = [];
  if (selection.agentId !== null) bounds.push(`${scope.read('agent_id')} = ${scope.bind(selection.agentId)}`);
  const name = scope.read('event_name');
  if (selection.eventNames === null) bounds.push(`NOT starts_with(${name}, ${scope.bind(RESERVED_EVENT_PREFIX)})`);
  else if (selection.eventNames.length === 1) bounds.push(`${name} = ${scope.bind(selection.eventNames[0]!)}`);
  else bounds.push(`${name} IN (${scope.bindAll(selection.eventNames)})`);
  if (selection.from !== null) bounds.push(`${scope.read('timestamp')} >= ${scope.bind(selection.from)}`);
  if (selection.to !== null) bounds.push(`${scope.read('timestamp')} < ${scope.bind(selection.to)}`);
  return `WITH matching AS (${scope.events(bounds.join(' AND '), filter)})`;
}

/** One row: `[matched, first timestamp, last timestamp]`. */
export function matchedStatement(source: Source, selection: Selection): CompiledQuery {
  const scope = new Scope(source);
  scope.use('timestamp');
  const events = matching(selection, scope);
  return scope.statement(
    `${events} SELECT json_array(count(*), min(timestamp), max(timestamp))::VARCHAR FROM matching`,
  );
}

/** The same from the counts that are kept of event names. */
export function listedStatement(source: Source, selection: Selection): CompiledQuery {
  const scope = new Scope(source);
  return scope.statement(
    `SELECT json_array(all_events, first_at, last_at)::VARCHAR FROM (${listedEvents(selection, scope)})`,
  );
}

/**
 * One row: `all_events, first_at, last_at` of a selection without predicates and range, from the counts that are kept of
 * event names, whatever the number of events. They are exact if all of the tenant's names are listed.
 */
export function listedEvents({ agentId, eventNames }: Selection, scope: Scope): string {
  const bounds = [`tenant = ${scope.bind(scope.source.tenant)}`];
  if (agentId !== null) bounds.push(`agent_id = ${scope.bind(agentId)}`);
  if (eventNames === null) bounds.push(`NOT starts_with(event_name, ${scope.bind(RESERVED_EVENT_PREFIX)})`);
  else bounds.push(`event_name IN (${scope.bindAll(eventNames)})`);
  return (
    'SELECT coalesce(sum(events), 0)::BIGINT AS all_events, min(first_seen) AS first_at, max(last_seen) AS last_at ' +
    `FROM known_events WHERE ${bounds.join(' AND ')}`
  );
}

/**
 * How many actors reach each step: one row for each, `[count]`. Each start of an actor follows its earliest next event,
 * step by step. Taking the earliest is best: whatever a later one allows, it allows too.
 */
export function funnelStatement(source: Source, plan: FunnelPlan): CompiledQuery {
  const scope = new Scope(source);
  const actor = scope.column(plan.by);
  for (const column of ['event_name', 'timestamp', 'id']) scope.use(column);
  const steps = plan.steps.map(
    (step) => `event_name = ${scope.bind(step.eventName)} AND ${conjunction(step.predicates, scope)}`,
  );
  const events = matching(throughLastStep(plan), scope);
  const start = plan.selection.to === null ? '' : ` AND timestamp < ${scope.bind(plan.selection.to)}`;
  const window = scope.bind(plan.windowMs);
  const reached = [`reached0 AS (SELECT actor, place, timestamp AS started FROM ordered WHERE ${steps[0]}${start})`];
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    reached.push(
      `reached${index} AS (SELECT before.actor, next.place, before.started FROM reached${index - 1} AS before ` +
        `ASOF JOIN (SELECT actor, place, timestamp FROM ordered WHERE ${step}) AS next ` +
        `ON before.actor = next.actor AND before.place < next.place WHERE next.timestamp <= before.started + ${window})`,
    );
  }
  const counts = steps.map(
    (_, index) => `SELECT ${index} AS step, count(DISTINCT actor) AS actors FROM reached${index}`,
  );
  return scope.statement(
    `${events}, ordered AS (SELECT *, ${actor} AS actor, row_number() OVER (PARTITION BY ${actor} ORDER BY timestamp, id) AS place ` +
      `FROM matching WHERE ${actor} IS NOT NULL), ${reached.join(', ')} ` +
      `SELECT json_array(actors)::VARCHAR FROM (${counts.join(' UNION ALL ')}) ORDER BY step`,
  );
}

/** The range bounds the first step; the last may come a window later. */
export function throughLastStep({ selection, windowMs }: FunnelPlan): Selection {
  return { ...selection, to: selection.to === null ? null : selection.to + windowMs + 1 };
}
