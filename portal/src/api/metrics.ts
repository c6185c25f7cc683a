import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isAnswer } from './answers.ts';
import { api } from './client.ts';
import { type KnownMetric, partsOf, usableFirst } from './metric-reference.ts';
import type { Schemas } from './schemas.ts';
import { invalidate, useSession } from './session.ts';

export const METRICS = '/api/v1/runtime/observability/metrics';
/** The API's limit: a tenant has no more. */
const MAX_METRICS = 1_000;

/** All metrics, by name, or best first for a search. */
export function metricsQuery(search?: string) {
  const query = { limit: MAX_METRICS, ...(search !== undefined && { search }) };
  return api.queryOptions('get', METRICS, { params: { query } }, { placeholderData: keepPreviousData });
}

/** The metrics that questions can use, approved ones first. Undefined until they are known. */
export function useKnownMetrics(isNeeded = true): readonly KnownMetric[] | undefined {
  const { can } = useSession();
  const { data } = useQuery({ ...metricsQuery(), enabled: isNeeded && can('metrics:read') });
  return data && usableFirst(data.metrics);
}

/** The metric that a reference (`name` or `name@2`) names. */
export function useKnownMetric(reference: string): KnownMetric | undefined {
  const [name] = partsOf(reference);
  return useKnownMetrics(reference !== '')?.find((metric) => metric.name === name);
}

/** One version of a metric; undefined until it is known. */
export function useMetricVersion(used: { name: string; version: number } | null | undefined) {
  const { can } = useSession();
  const { data } = useQuery({ ...versionsQuery(used?.name ?? ''), enabled: used != null && can('metrics:read') });
  return data?.versions.find(({ version }) => version === used?.version);
}

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
