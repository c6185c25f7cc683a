import type { Schemas } from './schemas.ts';

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

/** The event whose properties suit filters and groups: of a formula, that of its first part. */
export function eventOf({ formula }: Pick<KnownMetric, 'formula'>): string {
  return 'expression' in formula ? (Object.values(formula.parts)[0]?.eventName ?? '') : formula.eventName;
}
