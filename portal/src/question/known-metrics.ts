import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useSession } from '../api/use-session.ts';

export type KnownMetric = Pick<
  Schemas['Metric'],
  'name' | 'title' | 'description' | 'state' | 'version' | 'latestVersion' | 'approvedVersion' | 'formula'
>;

const METRICS = '/api/v1/runtime/observability/metrics';
/** A workspace has no more. */
const MAX_METRICS = 1_000;
const STATES: readonly string[] = ['approved', 'proposed'];

/** The metrics that questions can use, approved ones first. Undefined until they are known. */
export function useKnownMetrics(isNeeded = true): readonly KnownMetric[] | undefined {
  const { can } = useSession();
  const asked = { params: { query: { limit: MAX_METRICS } } };
  const { data } = useQuery(api.queryOptions('get', METRICS, asked, { enabled: isNeeded && can('metrics:read') }));
  return data && usableFirst(data.metrics);
}

/** Approved metrics, then proposed ones; deprecated ones are left out. */
export function usableFirst<Metric extends Pick<KnownMetric, 'state'>>(metrics: readonly Metric[]): Metric[] {
  return STATES.flatMap((state) => metrics.filter((metric) => metric.state === state));
}

/** The metric that a reference (`name` or `name@2`) names. */
export function useKnownMetric(reference: string): KnownMetric | undefined {
  const [name] = partsOf(reference);
  return useKnownMetrics(reference !== '')?.find((metric) => metric.name === name);
}

/** One version of a metric; undefined until it is known. */
export function useMetricVersion(used: { name: string; version: number } | null | undefined) {
  const { can } = useSession();
  const asked = { params: { path: { name: used?.name ?? '' } } };
  const isNeeded = used != null && can('metrics:read');
  const { data } = useQuery(api.queryOptions('get', `${METRICS}/{name}/versions`, asked, { enabled: isNeeded }));
  return data?.versions.find(({ version }) => version === used?.version);
}

/** `name@2`: the name and the version; the version is empty for the one that the name stands for. */
export function partsOf(reference: string): [name: string, version: string] {
  const [, name = reference, version = ''] = /^(.+)@(\d+)$/.exec(reference) ?? [];
  return [name, version];
}

/** The event whose properties suit filters and groups: of a formula, that of its first part. */
export function eventOf({ formula }: Pick<KnownMetric, 'formula'>): string {
  return 'expression' in formula ? (Object.values(formula.parts)[0]?.eventName ?? '') : formula.eventName;
}

interface Option {
  value: string;
  label: string;
}

/** The versions of a metric, newest first, after the one that its name stands for. */
export function versionOptions(metric: Omit<KnownMetric, 'formula'>, chosen: string): Option[] {
  const { version, latestVersion, approvedVersion } = metric;
  const byDefault = approvedVersion === null ? 'The newest' : 'The approved one';
  const all = Array.from({ length: latestVersion }, (_, index) => String(latestVersion - index));
  const states: Record<string, string> = {
    [String(latestVersion)]: ', newest',
    [String(approvedVersion)]: ', approved',
  };
  return [
    { value: '', label: `${byDefault}, now version ${version}` },
    ...(chosen === '' || all.includes(chosen) ? all : [chosen, ...all]).map((one) => ({
      value: one,
      label: `Always version ${one}${states[one] ?? ''}`,
    })),
  ];
}
