import type { RetentionPlan, Selection } from '../../../core/events/query-plan.ts';
import { bucketSql, periodSql } from './bucket-sql.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { Scope, type Source } from './expressions.ts';
import { integer } from './literals.ts';

/** One scan for starts and returns. Row: `[cohort, period or -1 for all of the cohort, actors]`. */
export function retentionStatement(source: Source, plan: RetentionPlan): string {
  const { selection, bucket, through } = plan;
  const scope = new Scope(source);
  scope.keep('timestamp');
  const actor = scope.column(plan.by);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${integer(selection.to)}`;
  const isStart = scope.computed(`ifNull(${conjunction(plan.start, scope)}${inRange}, false)`);
  const isReturn = scope.computed(`ifNull(${conjunction(plan.returned, scope)}, false)`);
  const bucketed = scope.computed(bucketSql(bucket, 'timestamp'));
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const cells =
    `SELECT ${actor} AS actor_0, ${bucketed} AS bucket_0, minOrNullIf(timestamp, ${isStart}) AS start_0, ` +
    `maxOrNullIf(timestamp, ${isReturn}) AS last_0 FROM (${events}) WHERE isNotNull(${actor}) GROUP BY ${actor}, ${bucketed}`;
  const started = `SELECT *, min(start_0) OVER (PARTITION BY actor_0) AS started_0 FROM (${cells})`;
  const cohorts = `SELECT *, ${bucketSql(bucket, 'started_0')} AS cohort_0 FROM (${started}) WHERE isNotNull(started_0)`;
  // The cell of the start stands for its actor; any other cell for a return, if its last one is later than the start.
  const period = periodSql(bucket.unit, 'cohort_0', 'bucket_0');
  const returned = `arrayFilter(one -> one >= 0, if(last_0 > started_0, [assumeNotNull(toInt64(${period}))], []))`;
  const periods = `arrayConcat(if(start_0 = started_0, [toInt64(-1)], []), ${returned})`;
  return (
    `SELECT cohort_0, period_0, count() FROM (SELECT cohort_0, arrayJoin(${periods}) AS period_0 FROM (${cohorts})) ` +
    `WHERE period_0 BETWEEN -1 AND ${plan.periods} GROUP BY cohort_0, period_0`
  );
}

export function startsOf({ selection, start }: RetentionPlan): Selection {
  return { ...selection, predicates: [...selection.predicates, ...start] };
}
