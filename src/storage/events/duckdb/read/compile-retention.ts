import type { RetentionPlan } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql } from './bucket-sql.ts';
import { matching } from './compile-selection.ts';
import { conjunction } from './conditions.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';

/** One scan for starts and returns. */
export function retentionStatement(source: Source, plan: RetentionPlan): CompiledQuery {
  const { selection, bucket, through } = plan;
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const actor = scope.column(plan.by);
  const start = conjunction(plan.start, scope);
  const returned = conjunction(plan.returned, scope);
  const events = matching({ ...selection, to: through, anyOf: [plan.start, plan.returned] }, scope);
  const inRange = selection.to === null ? '' : ` AND timestamp < ${scope.bind(selection.to)}`;
  const time = (key: string) => `make_timestamp(${key} * 1000)`;
  const period = `date_diff('${bucket.unit}', ${time('cohort')}, ${time('bucket')})`;
  return scope.statement(
    `${events}, ` +
      `starts AS (SELECT ${actor} AS actor, min(timestamp) AS timestamp FROM matching WHERE ${start}${inRange} AND ${actor} IS NOT NULL GROUP BY ${actor}), ` +
      `cohorts AS (SELECT actor, timestamp AS started, ${bucketSql(bucket, scope)} AS cohort FROM starts), ` +
      `later AS (SELECT ${actor} AS actor, timestamp, ${bucketSql(bucket, scope)} AS bucket FROM matching WHERE ${returned}), ` +
      `returns AS (SELECT DISTINCT cohort, ${period} AS period, cohorts.actor FROM cohorts JOIN later ON cohorts.actor = later.actor WHERE later.timestamp > started) ` +
      'SELECT json_array(cohort, NULL, count(*))::VARCHAR FROM cohorts GROUP BY cohort UNION ALL ' +
      `SELECT json_array(cohort, period, count(*))::VARCHAR FROM returns WHERE period BETWEEN 0 AND ${plan.periods} GROUP BY cohort, period`,
  );
}
