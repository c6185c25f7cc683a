import type { KnownMetric } from '../../api/metric-reference.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LOCALE, t } from '../../language/index.ts';
import { EVENT_FIELDS, METRIC_STATES } from './words.ts';

type KnownProperty = Schemas['DiscoveredProperty'];

interface Option {
  value: string;
  label: string;
}

const numbers = new Intl.NumberFormat(LOCALE);

/** Scalar values with their counts. The number 1 and the text "1" look the same. */
export function valueSuggestions(values: readonly { value?: unknown; count: number }[]) {
  const counts = new Map<string, number>();
  for (const { value, count } of values) {
    if (value !== null && typeof value !== 'object')
      counts.set(String(value), (counts.get(String(value)) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, aside: numbers.format(count) }));
}

export function eventSuggestions(events: readonly Schemas['DiscoveredEvent'][]) {
  return events.map(({ eventName, count }) => ({ value: eventName, aside: numbers.format(count) }));
}

/** Properties with numbers come first if `numericFirst`; the fields of every event are added at the end if `withFields`. */
export function propertySuggestions(
  properties: readonly KnownProperty[],
  { numericFirst = false, withFields = false }: { numericFirst?: boolean; withFields?: boolean } = {},
) {
  const isNumeric = ({ type }: KnownProperty) => type.split('|').includes('number');
  const sorted = numericFirst
    ? [...properties.filter(isNumeric), ...properties.filter((one) => !isNumeric(one))]
    : properties;
  const known = sorted.map(({ key, type }) => ({ value: key, aside: typeInWords(type) }));
  if (!withFields) return known;
  const fields = EVENT_FIELDS.filter((field) => !known.some(({ value }) => value === field));
  return [...known, ...fields.map((value) => ({ value, aside: t('of every event') }))];
}

/** "number or string" for `number|string`. */
function typeInWords(type: string): string {
  return type.split('|').reduce((before, next) => t('{before} or {next}', { before, next }));
}

/** The choices of a combobox. */
export function metricSuggestions(known: readonly KnownMetric[]) {
  return known.map(({ name, title, description, state }) => ({
    value: name,
    title,
    detail: description,
    aside: METRIC_STATES[state],
  }));
}

/** The versions of a metric, newest first, after the one that its name stands for. */
export function versionOptions(
  metric: Pick<KnownMetric, 'version' | 'latestVersion' | 'approvedVersion'>,
  chosen: string,
): Option[] {
  const { version, latestVersion, approvedVersion } = metric;
  const all = Array.from({ length: latestVersion }, (_, index) => String(latestVersion - index));
  const labelOf = (one: string) => {
    if (one === String(approvedVersion)) return t('Always version {version}, approved', { version: one });
    if (one === String(latestVersion)) return t('Always version {version}, newest', { version: one });
    return t('Always version {version}', { version: one });
  };
  const byDefault =
    approvedVersion === null
      ? t('The newest, now version {version}', { version })
      : t('The approved one, now version {version}', { version });
  return [
    { value: '', label: byDefault },
    ...(chosen === '' || all.includes(chosen) ? all : [chosen, ...all]).map((one) => ({
      value: one,
      label: labelOf(one),
    })),
  ];
}

interface Named {
  name: string;
  title?: string | undefined;
}

/** The name that people use. */
export function segmentTitle({ name, title = name }: Named): string {
  return title;
}

/** All events, then the segments by title. The one that a question names stays a choice when it was deleted. */
export function segmentOptions(known: readonly Named[], chosen: string): Option[] {
  const options = known
    .map((segment) => ({ value: segment.name, label: segmentTitle(segment) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, LOCALE));
  const isMissing = chosen !== '' && !known.some(({ name }) => name === chosen);
  return [
    { value: '', label: t('All events') },
    ...options,
    ...(isMissing ? [{ value: chosen, label: t('{name}, which is not there any more', { name: chosen }) }] : []),
  ];
}
