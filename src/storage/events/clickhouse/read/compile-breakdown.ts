import type {
  BreakdownPart,
  BreakdownPlan,
  ClustersPlan,
  Period,
} from '../../../../core/analytics/events/query-plan.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { QueryScope, type Source } from './expressions.ts';
import { integer, number } from './literals.ts';
import { asTagged, shortened } from './property-sql.ts';

/**
 * Row: `[index of the property or -1, tagged value, period, values in all, ...parts]`. One scan for
 * all properties, by grouping sets.
 */
export function breakdownStatement(source: Source, plan: BreakdownPlan): string {
  const scope = new QueryScope(source);
  const values = plan.properties.map((field) => scope.column(field));
  const types = plan.properties.map((field) => scope.valueType(field));
  const parts = plan.parts.map((part, index) => `${partOf(part, scope)} AS m_${index}`);
  const period = periodOf(plan, scope);
  const events = matching(plan.selection, scope);
  const dated = `SELECT *, ${[...values.map((value, index) => `${value} AS g_${index}`), `${period} AS period_0`].join(', ')} FROM (${events}) WHERE ${period} >= 0`;
  return valuesOf(plan, { parts, types, dated });
}

/**
 * Row: as of the plan. Events without a value of the field are clusters of one: they are summed,
 * not grouped.
 */
export function clustersStatement(source: Source, plan: ClustersPlan): string {
  const scope = new QueryScope(source);
  const cluster = scope.column(plan.field);
  const adds = plan.parts.map((part, index) => `${number(plan.weights[index]!)} * ${ofEventOf(part, scope)}`);
  const shares = plan.groups.map(({ where, share }, index) => {
    const isIn = counting([where], scope);
    return `adds_0 * if(${isIn}, ${number(1 - share)}, ${number(-share)}) AS x_${index}`;
  });
  const period = periodOf(plan, scope);
  const sums = plan.groups.map((_, at) => `sum(x_${at}) AS s_${at}, sum(x_${at} * x_${at}) AS q_${at}`);
  const squares = plan.groups.map((_, at) => `sum(if(isNull(cluster_0), q_${at}, s_${at} * s_${at}))`);
  return (
    `SELECT period_0, sum(n_0), ${squares.join(', ')} ` +
    `FROM (SELECT cluster_0, period_0, count() AS n_0, ${sums.join(', ')} ` +
    `FROM (SELECT ${cluster} AS cluster_0, ${period} AS period_0, ${adds.join(' + ')} AS adds_0, ${shares.join(', ')} ` +
    `FROM (${matching(plan.selection, scope)}) WHERE ${period} >= 0) GROUP BY cluster_0, period_0) ` +
    'GROUP BY period_0 ORDER BY period_0'
  );
}

function periodOf({ periods }: Pick<BreakdownPlan, 'periods'>, scope: QueryScope): string {
  return scope.computed(`multiIf(${periods.map((one, index) => `${within(one)}, ${index}`).join(', ')}, -1)`);
}

type Types = ReturnType<QueryScope['valueType']>[];

function valuesOf(
  plan: BreakdownPlan,
  { parts, types, dated }: { parts: string[]; types: Types; dated: string },
): string {
  const names = types.map((_, index) => `g_${index}`);
  const sets = [...names.map((name) => `(${name}, period_0)`), '(period_0)'].join(', ');
  const ofSet = (then: (index: number) => string, none: string) =>
    names.length === 0
      ? none
      : `multiIf(${names.map((name, index) => `grouping(${name}) = 0, ${then(index)}`).join(', ')}, ${none})`;
  const measured =
    `SELECT toInt32(${ofSet(String, '-1')}) AS property_0, ` +
    `${ofSet((index) => `CAST(${asTagged(names[index]!, types[index]!)} AS Nullable(String))`, 'CAST(NULL AS Nullable(String))')} AS value_0, ` +
    `${['period_0', 'count() AS n_0', ...parts].join(', ')} FROM (${dated}) GROUP BY GROUPING SETS (${sets})`;
  const counted = `SELECT *, sum(n_0) OVER (PARTITION BY property_0, value_0) AS both_0 FROM (${measured})`;
  const shown = `if(startsWith(value_0, 's'), toJSONString(assumeNotNull(substring(value_0, 2))), substring(value_0, 2))`;
  const ranked = `SELECT *, dense_rank() OVER (PARTITION BY property_0 ORDER BY both_0 DESC, ${shown} ASC NULLS LAST) AS rank_0 FROM (${counted})`;
  const numbered = `SELECT *, max(rank_0) OVER (PARTITION BY property_0) AS all_0 FROM (${ranked})`;
  const row = [
    'property_0',
    shortened('value_0', 'tagged', plan.maxText),
    'period_0',
    'all_0',
    ...plan.parts.map((_, index) => `m_${index}`),
  ].join(', ');
  return (
    `SELECT ${row} FROM (${numbered}) WHERE rank_0 <= ${plan.values} OR property_0 < 0 ` +
    'ORDER BY property_0 < 0, property_0, rank_0, period_0'
  );
}

/** The value that one event adds to a part. */
function ofEventOf({ adds, field, where }: BreakdownPart, scope: QueryScope): string {
  const isCounted = counting(where, scope);
  if (field === null) return `toFloat64(${isCounted})`;
  if (adds === 'count') return `toFloat64(${isCounted} AND isNotNull(${scope.column(field)}))`;
  const number = scope.numberColumn(field);
  if (adds === 'numbers') return `toFloat64(${isCounted} AND isNotNull(${number}))`;
  return `if(${isCounted}, ifNull(${adds === 'squares' ? `${number} * ${number}` : number}, 0), 0)`;
}

function within({ from, to }: Period): string {
  return `timestamp >= ${integer(from)} AND timestamp < ${integer(to)}`;
}

function partOf({ adds, field, where }: BreakdownPart, scope: QueryScope): string {
  const isCounted = counting(where, scope);
  if (field === null) return `countIf(${isCounted})`;
  if (adds === 'count') return `countIf(${isCounted} AND isNotNull(${scope.column(field)}))`;
  const number = scope.numberColumn(field);
  const counted = where.length === 0 ? number : `if(${isCounted}, ${number}, NULL)`;
  if (adds === 'numbers') return `count(${counted})`;
  if (adds === 'squares') return `ifNull(sum(${counted} * ${number}), 0)`;
  return `ifNull(sumKahan(${counted}), 0)`;
}

function counting(where: BreakdownPart['where'], scope: QueryScope): string {
  return where.length === 0 ? 'true' : scope.computed(`ifNull(${conjunction(where, scope)}, false)`);
}
