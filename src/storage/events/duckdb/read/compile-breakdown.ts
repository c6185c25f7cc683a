import type {
  BreakdownPart,
  BreakdownPlan,
  ClustersPlan,
  Period,
} from '../../../../core/analytics/events/query-plan.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';
import { shortened } from './property-sql.ts';

/** One scan for all properties, by grouping sets. */
export function breakdownStatement(source: Source, plan: BreakdownPlan): CompiledQuery {
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const values = plan.properties.map((field) => scope.column(field));
  const parts = plan.parts.map((part, index) => `${partOf(part, scope)} AS m${index}`);
  const events = matching(plan.selection, scope);
  const names = values.map((_, index) => `g${index}`);
  const columns = values.map((value, index) => `${value} AS g${index}`);
  const sets = [...names.map((name) => `(${name}, period)`), '(period)'].join(', ');
  const ofSet = (then: (index: number) => string) =>
    names.length === 0
      ? 'NULL'
      : `CASE ${names.map((name, index) => `WHEN grouping(${name}) = 0 THEN ${then(index)}`).join(' ')} END`;
  const measured = [
    `${ofSet((index) => String(index))} AS property`,
    `${ofSet((index) => `to_json(g${index})`)} AS value`,
    'period',
    'count(*) AS events',
    ...parts,
  ].join(', ');
  const row = [
    'property',
    shortened('value', 'json', plan.maxText),
    'period',
    'values_in_all',
    ...plan.parts.map((_, index) => `m${index}`),
  ].join(', ');
  return scope.statement(
    `${events}, dated AS NOT MATERIALIZED (SELECT *, ${[...columns, `${periodOf(plan, scope)} AS period`].join(', ')} FROM matching), ` +
      `measured AS (SELECT ${measured} FROM dated WHERE period IS NOT NULL GROUP BY GROUPING SETS (${sets})), ` +
      'counted AS (SELECT *, sum(events) OVER (PARTITION BY property, value) AS both_periods FROM measured), ' +
      'ranked AS (SELECT *, dense_rank() OVER (PARTITION BY property ORDER BY both_periods DESC, value) AS rank FROM counted), ' +
      'numbered AS (SELECT *, max(rank) OVER (PARTITION BY property) AS values_in_all FROM ranked), ' +
      `lines AS (SELECT json_array(${row})::VARCHAR AS line, property, rank, period FROM numbered ` +
      `WHERE rank <= ${plan.values} OR property IS NULL) ` +
      'SELECT line FROM lines ORDER BY property NULLS LAST, rank NULLS LAST, period NULLS LAST',
  );
}

/**
 * Events without a value of the field are clusters of one: they are summed, not grouped, which a
 * million would make expensive.
 */
export function clustersStatement(source: Source, plan: ClustersPlan): CompiledQuery {
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const cluster = scope.column(plan.field);
  const adds = plan.parts.map((part, index) => `${scope.bind(plan.weights[index]!)} * ${ofEventOf(part, scope)}`);
  const shares = plan.groups.map(({ where, share }, index) => {
    const isIn = `coalesce(${conjunction([where], scope)}, false)`;
    return `adds * CASE WHEN ${isIn} THEN ${scope.bind(1 - share)} ELSE ${scope.bind(-share)} END AS x${index}`;
  });
  const sums = plan.groups.map((_, index) => `sum(x${index}) AS s${index}, sum(x${index} * x${index}) AS q${index}`);
  const squares = plan.groups.map((_, at) => `sum(CASE WHEN cluster IS NULL THEN q${at} ELSE s${at} * s${at} END)`);
  const row = ['period', 'sum(events)', ...squares].join(', ');
  return scope.statement(
    `${matching(plan.selection, scope)}, ` +
      `dated AS NOT MATERIALIZED (SELECT *, ${cluster} AS cluster, ${periodOf(plan, scope)} AS period, ${adds.join(' + ')} AS adds FROM matching), ` +
      `shared AS NOT MATERIALIZED (SELECT cluster, period, ${shares.join(', ')} FROM dated WHERE period IS NOT NULL), ` +
      `clustered AS (SELECT cluster, period, count(*) AS events, ${sums.join(', ')} FROM shared GROUP BY cluster, period) ` +
      `SELECT json_array(${row})::VARCHAR FROM clustered GROUP BY period ORDER BY period`,
  );
}

function periodOf({ periods }: Pick<BreakdownPlan, 'periods'>, scope: StatementBuilder): string {
  return `CASE ${periods.map((one, index) => `WHEN ${within(one, scope)} THEN ${index}`).join(' ')} END`;
}

/** The value that one event adds to a part. */
function ofEventOf({ adds, field, where }: BreakdownPart, scope: StatementBuilder): string {
  const isCounted = where.length === 0 ? 'true' : `coalesce(${conjunction(where, scope)}, false)`;
  if (field === null) return `(${isCounted})::DOUBLE`;
  if (adds === 'count') return `(${isCounted} AND ${scope.column(field)} IS NOT NULL)::DOUBLE`;
  const { number } = scope.numberColumn(field);
  if (adds === 'numbers') return `(${isCounted} AND ${number} IS NOT NULL)::DOUBLE`;
  const value = adds === 'squares' ? `${number}::DOUBLE * ${number}` : `${number}::DOUBLE`;
  return `CASE WHEN ${isCounted} THEN coalesce(${value}, 0) ELSE 0 END`;
}

function within({ from, to }: Period, scope: StatementBuilder): string {
  return `timestamp >= ${scope.bind(from)} AND timestamp < ${scope.bind(to)}`;
}

function partOf({ adds, field, where }: BreakdownPart, scope: StatementBuilder): string {
  const condition = conjunction(where, scope);
  const counted = (column: string) => (where.length === 0 ? column : `CASE WHEN ${condition} THEN ${column} END`);
  if (field === null) return `count(${counted('1')})`;
  if (adds === 'count') return `count(${counted(scope.column(field))})`;
  const number = counted(scope.numberColumn(field).number);
  if (adds === 'numbers') return `count(${number})`;
  if (adds === 'squares') return `coalesce(sum(${number}::DOUBLE * ${number}), 0)`;
  return `coalesce(fsum(${number}), 0)`;
}
