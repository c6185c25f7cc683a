import type { BreakdownPart, BreakdownPlan, ClustersPlan, Period } from '../../../core/analytics/events/query-plan.ts';
import { holds } from './conditions.ts';
import type { EventScope } from './scope.ts';
import { matching } from './selection.ts';

/**
 * Row: `[index of the property or -1, value, period, values in all, ...parts]`. One scan for all
 * properties, by grouping sets.
 */
export function breakdownStatement(scope: EventScope, plan: BreakdownPlan): string {
  const { engine } = scope;
  const values = plan.properties.map((field) => scope.column(field));
  const types = plan.properties.map((field) => scope.valueType(field));
  const parts = plan.parts.map((part, index) => `${partOf(part, scope)} AS m_${index}`);
  const period = periodOf(plan, scope);
  const names = values.map((_, index) => `g_${index}`);
  const dated = `SELECT *, ${[...values.map((value, index) => `${value} AS g_${index}`), `${period} AS period_0`].join(', ')} FROM (${matching(plan.selection, scope)}) WHERE ${period} >= 0`;
  const sets = [...names.map((name) => `(${name}, period_0)`), '(period_0)'].join(', ');
  const ofSet = (then: (index: number) => string, none: string) =>
    names.length === 0
      ? none
      : `CASE ${names.map((name, index) => `WHEN grouping(${name}) = 0 THEN ${then(index)}`).join(' ')} ELSE ${none} END`;
  const measured =
    `SELECT ${ofSet(String, '-1')} AS property_0, ` +
    `${ofSet((index) => engine.asMixed(names[index]!, types[index]!), engine.noText)} AS value_0, ` +
    `${['period_0', 'count(*) AS n_0', ...parts].join(', ')} FROM (${dated}) GROUP BY GROUPING SETS (${sets})`;
  const counted = `SELECT *, sum(n_0) OVER (PARTITION BY property_0, value_0) AS both_0 FROM (${measured})`;
  const ranked = `SELECT *, dense_rank() OVER (PARTITION BY property_0 ORDER BY both_0 DESC, ${engine.jsonOf('value_0')} ASC NULLS LAST) AS rank_0 FROM (${counted})`;
  const numbered = `SELECT *, max(rank_0) OVER (PARTITION BY property_0) AS all_0 FROM (${ranked})`;
  const shown = plan.maxText === undefined ? 'value_0' : engine.shortened('value_0', 'mixed', plan.maxText);
  const row = ['property_0', shown, 'period_0', 'all_0', ...plan.parts.map((_, index) => `m_${index}`)];
  return (
    `SELECT ${row.join(', ')} FROM (${numbered}) WHERE rank_0 <= ${plan.values} OR property_0 < 0 ` +
    'ORDER BY property_0 < 0, property_0, rank_0, period_0'
  );
}

/**
 * Row: as of the plan. Events without a value of the field are clusters of one: they are summed,
 * not grouped, which a million would make expensive.
 */
export function clustersStatement(scope: EventScope, plan: ClustersPlan): string {
  const { number } = scope.engine;
  const cluster = scope.column(plan.field);
  const adds = plan.parts.map((part, index) => `${number(plan.weights[index]!)} * ${ofEventOf(part, scope)}`);
  const shares = plan.groups.map(
    ({ where, share }, index) =>
      `adds_0 * CASE WHEN ${holds([where], scope)} THEN ${number(1 - share)} ELSE ${number(-share)} END AS x_${index}`,
  );
  const period = periodOf(plan, scope);
  const sums = plan.groups.map((_, at) => `sum(x_${at}) AS s_${at}, sum(x_${at} * x_${at}) AS q_${at}`);
  const squares = plan.groups.map(
    (_, at) => `sum(CASE WHEN cluster_0 IS NULL THEN q_${at} ELSE s_${at} * s_${at} END)`,
  );
  const dated = `SELECT *, ${cluster} AS cluster_0, ${period} AS period_0, ${adds.join(' + ')} AS adds_0 FROM (${matching(plan.selection, scope)}) WHERE ${period} >= 0`;
  const shared = `SELECT cluster_0, period_0, ${shares.join(', ')} FROM (${dated})`;
  const clustered = `SELECT cluster_0, period_0, ${['count(*) AS n_0', ...sums].join(', ')} FROM (${shared}) GROUP BY cluster_0, period_0`;
  return `SELECT ${['period_0', 'sum(n_0)', ...squares].join(', ')} FROM (${clustered}) GROUP BY period_0 ORDER BY period_0`;
}

function periodOf({ periods }: Pick<BreakdownPlan, 'periods'>, scope: EventScope): string {
  const cases = periods.map((one, index) => `WHEN ${within(one, scope)} THEN ${index}`);
  return scope.computed(`CASE ${cases.join(' ')} ELSE -1 END`);
}

function within({ from, to }: Period, scope: EventScope): string {
  const time = scope.stored('timestamp');
  return `${time} >= ${scope.engine.integer(from)} AND ${time} < ${scope.engine.integer(to)}`;
}

/** The value that one event adds to a part, as a double. */
function ofEventOf({ adds, field, where }: BreakdownPart, scope: EventScope): string {
  const value = () => {
    if (field === null) return '1e0';
    if (adds === 'count') return `CASE WHEN ${scope.column(field)} IS NOT NULL THEN 1e0 ELSE 0e0 END`;
    const number = scope.numberColumn(field);
    if (adds === 'numbers') return `CASE WHEN ${number} IS NOT NULL THEN 1e0 ELSE 0e0 END`;
    return `coalesce(${adds === 'squares' ? squareOf(number) : `${number} + 0e0`}, 0e0)`;
  };
  return `CASE WHEN ${holds(where, scope)} THEN ${value()} ELSE 0e0 END`;
}

function partOf({ adds, field, where }: BreakdownPart, scope: EventScope): string {
  const filter = where.length === 0 ? '' : ` FILTER (WHERE ${holds(where, scope)})`;
  if (field === null) return `count(*)${filter}`;
  if (adds === 'count') return `count(${scope.column(field)})${filter}`;
  const number = scope.numberColumn(field);
  if (adds === 'numbers') return `count(${number})${filter}`;
  if (adds === 'squares') return `coalesce(sum(${squareOf(number)})${filter}, 0)`;
  return `coalesce(${scope.engine.exactSum(number)}${filter}, 0)`;
}

/** The square of an integer may be too large for the engine. */
function squareOf(number: string): string {
  return `(${number} + 0e0) * ${number}`;
}
