import type { RetentionPlan } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql, periodSql } from './bucket-sql.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { type Source, SqlScope } from './expressions.ts';
import { integer } from './literals.ts';

/** One scan for starts and returns. Row: `[cohort, period or -1 for all of the cohort, actors]`. */
export function retentionStatement(source: Source, plan: RetentionPlan): string {
  const { selection, bucket, through } = plan;
  const scope = new SqlScope(source);
  scope.keep('timestamp');
  const actor = scope.column(plan.by);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${integer(selection.to)}`;
  const isStart = scope.computed(`ifNull(${conjunction(plan.start, scope)}${inRange}, false)`);
  const isReturn = scope.computed(`ifNull(${conjunction(plan.returned, scope)}, false)`);
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const actors =
    `SELECT minOrNullIf(timestamp, ${isStart}) AS started_0, groupArrayIf(timestamp, ${isReturn}) AS times_0 ` +
    `FROM (${events}) WHERE isNotNull(${actor}) GROUP BY ${actor} HAVING isNotNull(started_0)`;
  const starts = `SELECT assumeNotNull(started_0) AS start_0, times_0 FROM (${actors})`;
  const cohorts = `SELECT *, ${bucketSql(bucket, 'start_0')} AS cohort_0 FROM (${starts})`;
  const later = 'arrayFilter(time -> time > start_0, times_0)';
  const period = periodSql(bucket.unit, 'cohort_0', `(${bucketSql(bucket, 'time')})`);
  const returned = `arrayFilter(one -> one BETWEEN 0 AND ${plan.periods}, arrayDistinct(arrayMap(time -> toInt64(${period}), ${later})))`;
  return (
    'SELECT cohort_0, period_0, count() FROM ' +
    `(SELECT cohort_0, arrayJoin(arrayPushFront(${returned}, toInt64(-1))) AS period_0 FROM (${cohorts})) GROUP BY cohort_0, period_0`
  );
}
