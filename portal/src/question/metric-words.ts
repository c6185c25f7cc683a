import type { Schemas } from '../api/schemas.ts';

export type KnownMetric = Pick<
  Schemas['Metric'],
  'name' | 'title' | 'description' | 'state' | 'version' | 'latestVersion' | 'approvedVersion' | 'formula'
>;

const STATES: readonly string[] = ['approved', 'proposed'];

/** Approved metrics, then proposed ones; deprecated ones are left out. */
export function usableFirst<Metric extends Pick<KnownMetric, 'state'>>(metrics: readonly Metric[]): Metric[] {
  return STATES.flatMap((state) => metrics.filter((metric) => metric.state === state));
}

/** `name@2`: the name and the version; the version is empty for the one that the name stands for. */
export function partsOf(reference: string): [name: string, version: string] {
  const [, name = reference, version = ''] = /^(.+)@(\d+)$/.exec(reference) ?? [];
  return [name, version];
}

/** For a combobox. */
export function metricSuggestions(known: readonly KnownMetric[]) {
  return known.map(({ name, title, description, state }) => ({
    value: name,
    title,
    detail: description,
    aside: state,
  }));
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
export function versionOptions(
  metric: Pick<KnownMetric, 'version' | 'latestVersion' | 'approvedVersion'>,
  chosen: string,
): Option[] {
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
