import type { Aggregation } from '../../../../core/analytics/events/fields.ts';
import type { FieldRef } from '../../../../core/analytics/events/predicates.ts';
import type { AggregatePlan, Metric, PartMetric, PlainMetric } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql } from './bucket-sql.ts';
import { matching, storedCounts } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';
import { decimalSql, formulaColumns } from './formula-sql.ts';
import { orderBy, shortened } from './property-sql.ts';

/** The plan's rows, each with the totals of all groups: `[groups, matched, first, last]`. */
export function aggregateStatement(source: Source, plan: AggregatePlan, fromStoredCounts: boolean): CompiledQuery {
  const { scope, shape, events } = shapeOf(source, plan, fromStoredCounts);
  const body = plan.top === null ? allGroups(shape, scope) : topGroups(shape, scope);
  const names = fromStoredCounts ? `, stored_counts AS (${storedCounts(plan.selection, scope)})` : '';
  return scope.statement(`${events}${names}, ${body}`);
}

/** Totals for a page without groups. */
export function summaryStatement(source: Source, plan: AggregatePlan): CompiledQuery {
  const { scope, shape, events } = shapeOf(source, plan, false);
  const { names, keys } = shape;
  const by = names.length > 0 ? ` GROUP BY ${names.join(', ')}` : '';
  return scope.statement(
    `${events}, grouped AS (SELECT ${[...keys, ...shape.counted].join(', ')} FROM matching${by}) ` +
      `SELECT json_array(count(*), coalesce(sum(events), 0)::BIGINT, min(first_at), max(last_at))::VARCHAR FROM grouped`,
  );
}

interface Shape {
  plan: AggregatePlan;
  groups: string[];
  names: string[];
  keys: string[];
  metrics: MetricColumns[];
  bucket: string | null;
  fromStoredCounts: boolean;
  counted: string[];
}

function shapeOf(
  source: Source,
  plan: AggregatePlan,
  fromStoredCounts: boolean,
): { scope: StatementBuilder; shape: Shape; events: string } {
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const groups = plan.groupBy.map((field) => scope.column(field));
  const metrics = plan.metrics.map((metric, index) => metricColumns(metric, `m${index}`, plan.metrics, scope));
  const bucket = plan.bucket ? bucketSql(plan.bucket, scope) : null;
  const names = groups.map((_, index) => `g${index}`);
  const keys = groups.map((group, index) => `${group} AS g${index}`);
  const shape = {
    plan,
    groups,
    names,
    keys,
    metrics,
    bucket,
    fromStoredCounts,
    counted: fromStoredCounts ? [] : COUNTED,
  };
  return { scope, shape, events: matching(plan.selection, scope) };
}

const COUNTED = ['count(*) AS events', 'min(timestamp) AS first_at', 'max(timestamp) AS last_at'];
const SUMMED = ['all_events', 'first_at', 'last_at'];

function allGroups(
  { plan, names, keys, metrics, bucket, fromStoredCounts, counted }: Shape,
  scope: StatementBuilder,
): string {
  const grouping = [...names, ...(bucket ? ['bucket'] : [])].join(', ');
  const columns = [
    ...keys,
    `${bucket ?? 'NULL'} AS bucket`,
    ...metrics.flatMap(({ defined }) => defined),
    ...counted,
  ].join(', ');
  const first =
    plan.sort.by === 'metric'
      ? `m${plan.sort.index} ${plan.sort.descending ? 'DESC' : 'ASC'} NULLS LAST`
      : orderBy(`g${plan.sort.index}`, scope.valueType(plan.groupBy[plan.sort.index]!), plan.sort.descending);
  const order = bucket ? 'bucket' : [first, ...groupOrders(plan.groupBy, scope)].join(', ');
  const limit = plan.limit === null ? '' : ` LIMIT ${scope.bind(plan.limit)} OFFSET ${scope.bind(plan.offset)}`;
  const total =
    bucket && names.length > 0
      ? `(SELECT count(*) FROM (SELECT DISTINCT ${names.join(', ')} FROM grouped))`
      : 'count(*) OVER ()';
  const all = ['(sum(events) OVER ())::BIGINT', 'min(first_at) OVER ()', 'max(last_at) OVER ()'];
  const summary = [total, ...(fromStoredCounts ? SUMMED : all)];
  const shown = shownNames(plan, names, scope);
  const row = [...shown, ...metrics.flatMap((metric) => metric.shown), 'bucket', 'false', ...summary].join(', ');
  return (
    `grouped AS (SELECT ${columns} FROM matching${grouping ? ` GROUP BY ${grouping}` : ''}) ` +
    `SELECT json_array(${row})::VARCHAR FROM grouped${fromStoredCounts ? ', stored_counts' : ''} ORDER BY ${order}${limit}`
  );
}

/** Groups by rank of the first metric; the rest is one group, from its events. */
function topGroups(
  { plan, groups, names, keys, metrics, bucket, fromStoredCounts, counted }: Shape,
  scope: StatementBuilder,
): string {
  const top = plan.top ?? 0;
  const rank = ['m0 DESC NULLS LAST', ...groupOrders(plan.groupBy, scope)].join(', ');
  const same = groups.map((group, index) => `matching.${group} IS NOT DISTINCT FROM ranked.g${index}`).join(' AND ');
  const kept = groups.map((group, index) => `any_value(CASE WHEN slot <= ${top} THEN ${group} END) AS g${index}`);
  const columns = [...kept, `${bucket ?? 'NULL'} AS bucket`, ...metrics.flatMap(({ defined }) => defined)].join(', ');
  const all = ['sum(events)::BIGINT AS all_events', 'min(first_at) AS first_at', 'max(last_at) AS last_at'];
  const row = [
    ...shownNames(plan, names, scope),
    ...metrics.flatMap(({ shown }) => shown),
    'bucket',
    `slot > ${top}`,
    'all_groups',
    ...SUMMED,
  ].join(', ');
  return (
    `measured AS MATERIALIZED (SELECT ${[...keys, ...metrics[0]!.ranking, ...counted].join(', ')} FROM matching GROUP BY ${names.join(', ')}), ` +
    `ranked AS (SELECT ${names.join(', ')}, row_number() OVER (ORDER BY ${rank}) AS rank FROM measured), ` +
    `assigned AS (SELECT matching.*, least(rank, ${top + 1}) AS slot FROM matching JOIN ranked ON ${same}), ` +
    `page AS (SELECT slot, ${columns} FROM assigned GROUP BY slot${bucket ? ', bucket' : ''}), ` +
    `summary AS (SELECT ${['count(*) AS all_groups', ...(fromStoredCounts ? [] : all)].join(', ')} FROM measured) ` +
    `SELECT json_array(${row})::VARCHAR FROM page, summary${fromStoredCounts ? ', stored_counts' : ''} ORDER BY slot, bucket`
  );
}

function shownNames({ groupBy, maxText }: AggregatePlan, names: string[], scope: StatementBuilder): string[] {
  return names.map((name, index) => shortened(name, scope.valueType(groupBy[index]!), maxText));
}

/** Ascending and total: `true` and `"true"` are equal as text but are two groups. */
function groupOrders(groupBy: FieldRef[], scope: StatementBuilder): string[] {
  return groupBy.flatMap((field, index) => {
    const type = scope.valueType(field);
    const order = orderBy(`g${index}`, type, false);
    return type === 'json' ? [order, `g${index}::VARCHAR ASC`] : [order];
  });
}

interface MetricColumns {
  /** `expression AS name`, in an order in which each uses only earlier names. */
  defined: string[];
  /** The aggregates that the metric's own value needs. */
  ranking: string[];
  /** Names of the columns in a row. */
  shown: string[];
}

function metricColumns(metric: Metric, name: string, all: Metric[], scope: StatementBuilder): MetricColumns {
  if (metric.aggregation === 'formula') {
    const parts = metric.parts.map((_, index) => `${name}_${index + 1}`);
    const values = metric.parts.map((part, index) => plainColumns(part, parts[index]!, metric.parts, scope));
    const bind = (value: number) => scope.bind(value);
    const defined = [
      ...values.flatMap((one) => one.defined),
      ...formulaColumns(metric.formula, metric.parts, { name, parts }, bind),
    ];
    return { defined, ranking: defined, shown: [name, ...values.flatMap((one) => one.shown)] };
  }
  if (metric.aggregation !== 'rate') return plainColumns(metric, name, all, scope);
  const numerator = `count(*) FILTER (WHERE ${conjunction(metric.numerator, scope)})`;
  const denominator = `count(*) FILTER (WHERE ${conjunction(metric.denominator, scope)})`;
  const rate = `(${numerator}::DOUBLE / nullif(${denominator}, 0))`;
  const value = `${decimalSql(rate, rate)} AS ${name}`;
  const counts = [`${numerator} AS ${name}_1`, `${denominator} AS ${name}_2`];
  return { defined: [value, ...counts], ranking: [value], shown: [name, `${name}_1`, `${name}_2`] };
}

/**
 * `siblings`: the metrics of the same SELECT, which may share an expression. An average has its
 * columns of `exactDecimals`.
 */
function plainColumns(
  metric: PlainMetric | PartMetric,
  name: string,
  siblings: Metric[],
  scope: StatementBuilder,
): MetricColumns {
  const value = [`${plainMetric(metric, siblings, scope)} AS ${name}`];
  if (metric.aggregation !== 'avg' || metric.field === null) return { defined: value, ranking: value, shown: [name] };
  const { number, isInteger } = numberOf(metric, metric.field, scope);
  const sum = isInteger ? `sum(${number})::DOUBLE` : `fsum(${number})`;
  const size = isInteger ? `abs(sum(${number}))::DOUBLE` : `sum(abs(${number}))`;
  const extra = [finite(sum), finite(size), `count(${number})`].map((one, at) => `${one} AS ${name}_a${at}`);
  return { defined: [...value, ...extra], ranking: value, shown: [name, ...extra.map((_, at) => `${name}_a${at}`)] };
}

function numberOf(metric: PlainMetric | PartMetric, field: FieldRef, scope: StatementBuilder) {
  const { number, isInteger } = scope.numberColumn(field);
  const isPart = 'where' in metric;
  return { isInteger, number: isPart ? `CASE WHEN ${conjunction(metric.where, scope)} THEN ${number} END` : number };
}

function plainMetric(metric: PlainMetric | PartMetric, siblings: Metric[], scope: StatementBuilder): string {
  const { aggregation, field } = metric;
  const condition = 'where' in metric ? conjunction(metric.where, scope) : null;
  const counted = (column: string) => (condition === null ? column : `CASE WHEN ${condition} THEN ${column} END`);
  if (field === null) return condition === null ? 'count(*)' : `count(*) FILTER (WHERE ${condition})`;
  if (aggregation === 'count') return `count(${counted(scope.column(field))})`;
  if (aggregation === 'distinct_count') return `count(DISTINCT ${counted(scope.column(field))})`;
  return ofNumbers(aggregation, numberOf(metric, field, scope), percentilesBeside(metric, siblings));
}

/** Aggregates of the same values: the engine computes all of one expression at once. */
function percentilesBeside(metric: PlainMetric | PartMetric, siblings: Metric[]): Percentile[] {
  const source = (one: PlainMetric | PartMetric) => JSON.stringify([one.field, 'where' in one ? one.where : null]);
  const same = siblings.filter(
    (one): one is PlainMetric => 'field' in one && isPercentile(one.aggregation) && source(one) === source(metric),
  );
  return [...new Set(same.map(({ aggregation }) => aggregation as Percentile))];
}

function ofNumbers(
  aggregation: Exclude<Aggregation, 'count' | 'distinct_count'>,
  { number, isInteger }: { number: string; isInteger: boolean },
  percentiles: Percentile[],
): string {
  switch (aggregation) {
    case 'min':
    case 'max':
      return finite(`${aggregation}(${number})::DOUBLE`);
    // Without favg, a query for both sums once.
    case 'sum':
      if (isInteger) return finite(`sum(${number})::DOUBLE`);
      return decimalSql(`fsum(${number})`, `sum(abs(${number}))`);
    case 'avg':
      if (isInteger) return decimalSql(`avg(${number})`, `abs(avg(${number}))`);
      return decimalSql(`(fsum(${number}) / count(${number}))`, `(sum(abs(${number})) / count(${number}))`);
    default: {
      const value = percentile(aggregation, percentiles, number);
      // The engine's place of a percentile among n values is wrong by up to n roundings; the middle
      // is exact.
      return decimalSql(value, aggregation === 'median' ? `abs(${value})` : `(abs(${value}) * count(${number}))`);
    }
  }
}

function finite(value: string): string {
  return `CASE WHEN isfinite(${value}) THEN ${value} END`;
}

const FRACTIONS = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 };
type Percentile = keyof typeof FRACTIONS;

function isPercentile(aggregation: string): aggregation is Percentile {
  return aggregation in FRACTIONS;
}

function percentile(wanted: Percentile, all: Percentile[], number: string): string {
  const fractions = all.map((one) => FRACTIONS[one]).join(', ');
  return `quantile_cont(${number}, [${fractions}])[${all.indexOf(wanted) + 1}]`;
}
