import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/session.ts';
import { isAnswer } from '../../question/answers.ts';
import { METRICS } from '../../question/known-metrics.ts';

export type Metric = Schemas['Metric'];
export type MetricVersion = Omit<Metric, 'latestVersion' | 'approvedVersion'>;

export function metricQuery(name: string) {
  return api.queryOptions('get', `${METRICS}/{name}`, { params: { path: { name } } });
}

export function versionsQuery(name: string) {
  return api.queryOptions('get', `${METRICS}/{name}/versions`, { params: { path: { name } } });
}

/** After a change: lists, versions and answers to questions. */
export const invalidateMetrics = () => invalidate((path) => path.startsWith(METRICS) || isAnswer(path));
