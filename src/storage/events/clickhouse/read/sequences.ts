import type { DateGrouping } from '../../../../core/analytics/events/fields.ts';
import type { FunnelPlan, RetentionPlan } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql } from '../../compile/bucket.ts';
import { conjunction, holds } from '../../compile/conditions.ts';
import type { EventScope } from '../../compile/scope.ts';
import { matching } from '../../compile/selection.ts';
import { throughLastStep } from '../../shared/selections.ts';
import { CLICKHOUSE, dateOf } from './sql.ts';

/**
 * For each event and step, the latest start from which an event before it reached the step before.
 * The latest is best: whatever an earlier start allows, it allows too. `windowFunnel` takes events
 * of one time in any order, and one event for several steps.
 */
export function funnelStatement(scope: EventScope, plan: FunnelPlan): string {
  const { text, integer } = CLICKHOUSE;
  const actor = scope.column(plan.by);
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const isStep = plan.steps.map(({ eventName, predicates }, index) => {
    const inRange = index === 0 && plan.selection.to !== null ? ` AND timestamp < ${integer(plan.selection.to)}` : '';
    return scope.computed(
      `ifNull(event_name = ${text(eventName)} AND ${conjunction(predicates, scope)}${inRange}, false)`,
    );
  });
  const events = matching(throughLastStep(plan), scope);
  const isAny = isStep.join(' OR ');
  let reached =
    `SELECT *, ${actor} AS actor_0, if(${isStep[0]}, timestamp, NULL) AS start_0 ` +
    `FROM (${events}) WHERE isNotNull(${actor}) AND (${isAny})`;
  for (let index = 1; index < isStep.length; index++) {
    const before = `start_${index - 1}`;
    const window = 'PARTITION BY actor_0 ORDER BY timestamp, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
    reached =
      `SELECT *, if(${isStep[index]} AND isNotNull(latest_${index}) AND timestamp <= latest_${index} + ${integer(plan.windowMs)}, latest_${index}, NULL) AS start_${index} ` +
      `FROM (SELECT *, max(${before}) OVER (${window}) AS latest_${index} FROM (${reached}))`;
  }
  const steps = isStep.map((_, index) => `count(start_${index}) > 0 AS has_${index}`);
  const counts = isStep.map((_, index) => `countIf(has_${index})`);
  return `SELECT ${counts.join(', ')} FROM (SELECT ${steps.join(', ')} FROM (${reached}) GROUP BY actor_0)`;
}

/** One scan for starts and returns. Row: `[cohort, period or -1 for all of the cohort, actors]`. */
export function retentionStatement(scope: EventScope, plan: RetentionPlan): string {
  const { selection, bucket, through } = plan;
  scope.keep('timestamp');
  const actor = scope.column(plan.by);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${CLICKHOUSE.integer(selection.to)}`;
  const isStart = scope.computed(`ifNull(${conjunction(plan.start, scope)}${inRange}, false)`);
  const isReturn = holds(plan.returned, scope);
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const actors =
    `SELECT minOrNullIf(timestamp, ${isStart}) AS started_0, groupArrayIf(timestamp, ${isReturn}) AS times_0 ` +
    `FROM (${events}) WHERE isNotNull(${actor}) GROUP BY ${actor} HAVING isNotNull(started_0)`;
  const starts = `SELECT assumeNotNull(started_0) AS start_0, times_0 FROM (${actors})`;
  const cohorts = `SELECT *, ${bucketSql(bucket, 'start_0', CLICKHOUSE)} AS cohort_0 FROM (${starts})`;
  const later = 'arrayFilter(time -> time > start_0, times_0)';
  const period = periodSql(bucket.unit, 'cohort_0', `(${bucketSql(bucket, 'time', CLICKHOUSE)})`);
  const returned = `arrayFilter(one -> one BETWEEN 0 AND ${plan.periods}, arrayDistinct(arrayMap(time -> toInt64(${period}), ${later})))`;
  return (
    'SELECT cohort_0, period_0, count() FROM ' +
    `(SELECT cohort_0, arrayJoin(arrayPushFront(${returned}, toInt64(-1))) AS period_0 FROM (${cohorts})) GROUP BY cohort_0, period_0`
  );
}

const MS_OF_UNIT = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** The number of units from one bucket key to another. */
function periodSql(unit: DateGrouping, from: string, to: string): string {
  if (unit in MS_OF_UNIT) return `intDiv(${to} - ${from}, ${MS_OF_UNIT[unit as keyof typeof MS_OF_UNIT]})`;
  const number = (key: string) =>
    ({
      month: `toInt64(toYear(${dateOf(key)})) * 12 + toMonth(${dateOf(key)})`,
      quarter: `toInt64(toYear(${dateOf(key)})) * 4 + toQuarter(${dateOf(key)})`,
      year: `toInt64(toYear(${dateOf(key)}))`,
    })[unit as 'month' | 'quarter' | 'year'];
  return `(${number(to)}) - (${number(from)})`;
}
