import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { queryClient } from '../../api/session.ts';
import { METRICS } from '../../question/known-metrics.ts';

export type Metric = Schemas['Metric'];
export type MetricVersion = Omit<Metric, 'latestVersion' | 'approvedVersion'>;

export function metricQuery(name: string) {
  return api.queryOptions('get', `${METRICS}/{name}`, { params: { path: { name } } });
}

export function versionsQuery(name: string) {
  return api.queryOptions('get', `${METRICS}/{name}/versions`, { params: { path: { name } } });
}

/** After a change: lists, versions and answers to questions about the metric are out of date. */
export async function forgetMetrics(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => {
      const asked = String(path);
      return asked.startsWith(METRICS) || asked.endsWith('/portal/aggregate') || asked.endsWith('/explain');
    },
  });
}
