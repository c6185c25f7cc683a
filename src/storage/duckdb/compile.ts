import { type DateGrouping, RESERVED_EVENT_PREFIX } from '../../core/events/fields.ts';
import type { FieldRef, PropertyPath } from '../../core/events/predicates.ts';
import type { AggregatePlan, FunnelPlan, Metric, QueryPlan, RawPlan, Selection } from '../../core/events/query-plan.ts';
import type { ZoneOffset } from '../../core/events/time.ts';
import { type CompiledQuery, conjunction, numberOf, orderBy, Scope } from './expressions.ts';

/** The only place where a plan becomes SQL. */
export interface CompiledPlan {
  /** One text column: each row a JSON array. */
  rows: CompiledQuery;
  /** From such an array to a row as the plan's type describes it. */
  toRow(values: unknown[]): unknown[];
  /** One row, one text column: `[total, matched, first timestamp, last timestamp]`. */
  totals: CompiledQuery;
}

export function compile(tenantId: string, plan: QueryPlan): CompiledPlan {
  switch (plan.kind) {
    case 'raw':
      return { ...rawRows(tenantId, plan), totals: totals(tenantId, plan.selection, []) };
    case 'aggregate':
      return {
        rows: aggregateRows(tenantId, plan),
        toRow: asItIs,
        totals: totals(tenantId, plan.selection, plan.groupBy),
      };
    case 'funnel':
      return { rows: funnelRows(tenantId, plan), toRow: asItIs, totals: funnelTotals(tenantId, plan) };
  }
}

function asItIs(values: unknown[]): unknown[] {
  return values;
}

/**
 * `WITH matching AS (...)`: the tenant's selected events with the property columns that `scope` was asked for. Every
 * statement begins here, so none can read past its tenant. The statement's own columns must be known by now. `through`
 * takes the place of the selection's end: inclusive.
 */
function matching(tenantId: string, selection: Selection, scope: Scope, through: number | null = null): string {
  const filter = conjunction(selection.predicates, scope);
  const bounds = [`tenant_id = ${scope.bind(tenantId)}`];
  if (selection.agentId !== null) bounds.push(`agent_id = ${scope.bind(selection.agentId)}`);
  bounds.push(
    selection.eventNames === null
      ? `NOT starts_with(event_name, ${scope.bind(RESERVED_EVENT_PREFIX)})`
      : `event_name IN (${scope.bindAll(selection.eventNames)})`,
  );
  if (selection.from !== null) bounds.push(`timestamp >= ${scope.bind(selection.from)}`);
  if (through !== null) bounds.push(`timestamp <= ${scope.bind(through)}`);
  else if (selection.to !== null) bounds.push(`timestamp < ${scope.bind(selection.to)}`);
  const columns = ['*', ...scope.propertyColumns()].join(', ');
  return `WITH matching AS (SELECT * FROM (SELECT ${columns} FROM events WHERE ${bounds.join(' AND ')}) WHERE ${filter})`;
}

function totals(tenantId: string, selection: Selection, groupBy: FieldRef[]): CompiledQuery {
  const scope = new Scope();
  const groups = groupBy.map((field) => scope.column(field)).join(', ');
  const total = groups ? `(SELECT count(*) FROM (SELECT DISTINCT ${groups} FROM matching))` : 'count(*)';
  const source = matching(tenantId, selection, scope);
  return {
    sql: `${source} SELECT json_array(${total}, count(*), min(timestamp), max(timestamp))::VARCHAR FROM matching`,
    params: scope.params,
  };
}

/**
 * The page first, from the columns that decide it; then what to show, from the page alone. An event may have a thousand
 * properties: they are read in one pass as one list, where an expression each takes hundreds of megabytes.
 */
function rawRows(tenantId: string, plan: RawPlan): Pick<CompiledPlan, 'rows' | 'toRow'> {
  const scope = new Scope();
  const sortColumn = scope.column(plan.sort.field);
  const isTime = plan.sort.field.kind === 'event' && plan.sort.field.name === 'timestamp';
  const tie = isTime && !plan.sort.descending ? 'timestamp ASC, id ASC' : 'timestamp DESC, id DESC';
  const order = isTime ? tie : `${orderBy(plan.sort.field, sortColumn, plan.sort.descending)}, ${tie}`;
  const source = matching(tenantId, plan.selection, scope);
  const limit = `LIMIT ${scope.bind(plan.limit)} OFFSET ${scope.bind(plan.offset)}`;
  const paths: PropertyPath[] = [];
  const fields: string[] = [];
  const readers = plan.columns.map((column) => {
    if (column.kind === 'property') {
      const first = paths.push(...column.paths) - column.paths.length;
      return ([listed]: unknown[]) => firstPresent((listed as unknown[]).slice(first, first + column.paths.length));
    }
    const at = fields.push(column.kind === 'properties' ? 'properties::JSON' : scope.column(column));
    return (values: unknown[]) => values[at];
  });
  const listed = paths.length > 0 ? scope.values(paths) : 'NULL';
  return {
    rows: {
      sql:
        `${source}, page AS (SELECT *, row_number() OVER () AS place FROM (SELECT * FROM matching ORDER BY ${order} ${limit})) ` +
        `SELECT json_array(${[listed, ...fields].join(', ')})::VARCHAR FROM page ORDER BY place`,
      params: scope.params,
    },
    toRow: (values) => readers.map((read) => read(values)),
  };
}

function firstPresent(values: unknown[]): unknown {
  return values.find((value) => value !== null) ?? null;
}

function aggregateRows(tenantId: string, plan: AggregatePlan): CompiledQuery {
  const scope = new Scope();
  const groups = plan.groupBy.map((field) => scope.column(field));
  const metrics = plan.metrics.map((metric) => metricColumns(metric, scope));
  const bucket = plan.bucket ? bucketOf(plan.bucket.unit, plan.bucket.offsets, scope) : null;
  const source = matching(tenantId, plan.selection, scope);
  const body = plan.top === null ? allGroups(plan, groups, metrics, bucket) : topGroups(plan, groups, metrics, bucket);
  const page = plan.limit === null ? '' : ` LIMIT ${scope.bind(plan.limit)} OFFSET ${scope.bind(plan.offset)}`;
  return { sql: `${source} ${body}${page}`, params: scope.params };
}

function allGroups(plan: AggregatePlan, groups: string[], metrics: string[][], bucket: string | null): string {
  const keys = groups.map((group, index) => `${group} AS g${index}`);
  const names = groups.map((_, index) => `g${index}`);
  const grouping = [...names, ...(bucket ? ['bucket'] : [])].join(', ');
  const columns = [...keys, `${bucket ?? 'NULL'} AS bucket`, ...namedMetrics(metrics)].join(', ');
  const byGroup = plan.groupBy.map(groupOrder);
  const first =
    plan.sort.by === 'metric'
      ? `m${plan.sort.index} ${plan.sort.descending ? 'DESC' : 'ASC'} NULLS LAST`
      : orderBy(plan.groupBy[plan.sort.index]!, `g${plan.sort.index}`, plan.sort.descending);
  const order = bucket ? 'bucket' : [first, ...byGroup].join(', ');
  return (
    `SELECT json_array(${[...names, ...metricNames(metrics), 'bucket', 'false'].join(', ')})::VARCHAR FROM ` +
    `(SELECT ${columns} FROM matching${grouping ? ` GROUP BY ${grouping}` : ''}) ORDER BY ${order}`
  );
}

/** Groups by rank of the first metric; what is beyond `top` is one group, computed from its events and not from groups. */
function topGroups(plan: AggregatePlan, groups: string[], metrics: string[][], bucket: string | null): string {
  const top = plan.top ?? 0;
  const keys = groups.map((group, index) => `${group} AS g${index}`).join(', ');
  const names = groups.map((_, index) => `g${index}`);
  const byGroup = plan.groupBy.map(groupOrder).join(', ');
  const same = groups.map((group, index) => `matching.${group} IS NOT DISTINCT FROM ranked.g${index}`).join(' AND ');
  const kept = groups.map((group, index) => `any_value(CASE WHEN slot <= ${top} THEN ${group} END) AS g${index}`);
  const columns = [...kept, `${bucket ?? 'NULL'} AS bucket`, ...namedMetrics(metrics)].join(', ');
  return (
    `, ranked AS (SELECT ${names.join(', ')}, row_number() OVER (ORDER BY m0 DESC NULLS LAST, ${byGroup}) AS place ` +
    `FROM (SELECT ${keys}, ${metrics[0]![0]} AS m0 FROM matching GROUP BY ALL)), ` +
    `placed AS (SELECT matching.*, least(place, ${top + 1}) AS slot FROM matching JOIN ranked ON ${same}) ` +
    `SELECT json_array(${[...names, ...metricNames(metrics), 'bucket', `slot > ${top}`].join(', ')})::VARCHAR FROM ` +
    `(SELECT slot, ${columns} FROM placed GROUP BY slot${bucket ? ', bucket' : ''}) ORDER BY slot, bucket`
  );
}

/** Ascending, and total: `true` and `"true"` read alike as text but are two groups. */
function groupOrder(field: FieldRef, index: number): string {
  return `${orderBy(field, `g${index}`, false)}, g${index}::VARCHAR ASC`;
}

function namedMetrics(metrics: string[][]): string[] {
  return metrics.flatMap((columns, index) => columns.map((column, part) => `${column} AS ${metricName(index, part)}`));
}

function metricNames(metrics: string[][]): string[] {
  return metrics.flatMap((columns, index) => columns.map((_, part) => metricName(index, part)));
}

function metricName(index: number, part: number): string {
  return part === 0 ? `m${index}` : `m${index}_${part}`;
}

function metricColumns(metric: Metric, scope: Scope): string[] {
  if (metric.aggregation === 'rate') {
    const numerator = `count(*) FILTER (WHERE ${conjunction(metric.numerator, scope)})`;
    const denominator = `count(*) FILTER (WHERE ${conjunction(metric.denominator, scope)})`;
    return [`${numerator}::DOUBLE / nullif(${denominator}, 0)`, numerator, denominator];
  }
  if (metric.field === null) return ['count(*)'];
  if (metric.aggregation === 'count') return [`count(${scope.column(metric.field)})`];
  if (metric.aggregation === 'distinct_count') return [`count(DISTINCT ${scope.column(metric.field)})`];
  const value = aggregateOfNumbers[metric.aggregation](numberOf(metric.field, scope));
  return [`CASE WHEN isfinite(${value}) THEN ${value} END`];
}

const aggregateOfNumbers = {
  sum: (number: string) => `sum(${number})`,
  avg: (number: string) => `avg(${number})`,
  min: (number: string) => `min(${number})`,
  max: (number: string) => `max(${number})`,
  median: (number: string) => `quantile_cont(${number}, 0.5)`,
  p90: (number: string) => `quantile_cont(${number}, 0.9)`,
  p95: (number: string) => `quantile_cont(${number}, 0.95)`,
  p99: (number: string) => `quantile_cont(${number}, 0.99)`,
};

/** The bucket's key, as `core/events/time.ts` defines it: local time is UTC plus the zone's offset. */
function bucketOf(unit: DateGrouping, offsets: ZoneOffset[], scope: Scope): string {
  const cases = offsets.filter((offset) => offset.until !== null);
  const last = offsets.at(-1)?.offset ?? 0;
  const offset =
    cases.length === 0
      ? scope.bind(last)
      : `CASE ${cases.map(({ until, offset }) => `WHEN timestamp < ${scope.bind(until ?? 0)} THEN ${scope.bind(offset)}`).join(' ')} ELSE ${scope.bind(last)} END`;
  const local = `(timestamp + (${offset})::BIGINT)`;
  if (unit === 'hour') return `timestamp - (((${local} % 3600000) + 3600000) % 3600000)`;
  return `epoch_ms(date_trunc('${unit}', make_timestamp(${local} * 1000)))`;
}

/**
 * Each start of an actor follows its earliest next event, step by step. Taking the earliest is best: whatever a later
 * one allows, it allows too.
 */
function funnelRows(tenantId: string, plan: FunnelPlan): CompiledQuery {
  const scope = new Scope();
  const actor = scope.column(plan.by);
  const steps = plan.steps.map(
    (step) => `event_name = ${scope.bind(step.eventName)} AND ${conjunction(step.predicates, scope)}`,
  );
  const source = matching(tenantId, plan.selection, scope, lastStep(plan));
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
  return {
    sql:
      `${source}, ordered AS (SELECT *, ${actor} AS actor, row_number() OVER (PARTITION BY ${actor} ORDER BY timestamp, id) AS place ` +
      `FROM matching WHERE ${actor} IS NOT NULL), ${reached.join(', ')} ` +
      `SELECT json_array(actors)::VARCHAR FROM (${counts.join(' UNION ALL ')}) ORDER BY step`,
    params: scope.params,
  };
}

function funnelTotals(tenantId: string, plan: FunnelPlan): CompiledQuery {
  const scope = new Scope();
  const source = matching(tenantId, plan.selection, scope, lastStep(plan));
  return {
    sql: `${source} SELECT json_array(${plan.steps.length}, count(*), min(timestamp), max(timestamp))::VARCHAR FROM matching`,
    params: scope.params,
  };
}

/** The range bounds the first step; the last may come a window later. Epoch milliseconds, inclusive. */
function lastStep({ selection, windowMs }: FunnelPlan): number | null {
  return selection.to === null ? null : selection.to + windowMs;
}
