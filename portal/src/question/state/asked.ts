import type { Schemas } from '../../api/schemas.ts';
import { type FilterRow, filterPaths, filtersOf, rowsOf } from '../filters/filters.ts';
import { AGGREGATIONS, type Aggregation, type Subject } from '../words/words.ts';
import { textOf } from './text.ts';

/** A measure of events, as the form holds it. */
export interface MeasureForm {
  eventName: string;
  aggregation: Aggregation | 'rate';
  propertyKey: string;
  /** The numerator of a rate. An empty name means the same event. */
  numerator: { eventName: string; filters: FilterRow[] };
  filters: FilterRow[];
}

export type Measure = Pick<Required<Schemas['AggregateEvents']>, 'eventName' | 'aggregation'> &
  Pick<Schemas['AggregateEvents'], 'propertyKey' | 'numerator' | 'filters'>;

/** The members of the request, without those that the aggregation does not take. */
export function measureOf(form: MeasureForm): Measure {
  const { eventName, aggregation, propertyKey, numerator } = form;
  const filters = filtersOf(form.filters);
  return {
    eventName,
    aggregation,
    ...(propertyKey !== '' && aggregation !== 'rate' && { propertyKey }),
    ...(aggregation === 'rate' && { numerator: numeratorOf(numerator) }),
    ...(filters && { filters }),
  };
}

function numeratorOf({ eventName, filters }: MeasureForm['numerator']) {
  const given = filtersOf(filters);
  return { ...(eventName !== '' && { eventName }), ...(given && { filters: given }) };
}

/** The form of members from an untrusted source, without those that it cannot hold. */
export function measureFormOf(given: Record<string, unknown>): MeasureForm {
  const numerator = (given.numerator ?? {}) as Record<string, unknown>;
  const known = AGGREGATIONS.find(({ value }) => value === given.aggregation)?.value;
  return {
    eventName: textOf(given.eventName),
    aggregation: given.aggregation === 'rate' ? 'rate' : (known ?? 'count'),
    propertyKey: textOf(given.propertyKey),
    numerator: { eventName: textOf(numerator.eventName), filters: rowsOf(numerator.filters) },
    filters: rowsOf(given.filters),
  };
}

/** The paths of the fields in the request, after `prefix`: "formula." in a metric. */
export function measurePaths({ filters, numerator }: MeasureForm, prefix = ''): string[] {
  const own = ['eventName', 'aggregation', 'propertyKey', 'numerator', 'numerator.eventName'];
  return [
    ...own.map((member) => prefix + member),
    ...filterPaths(`${prefix}filters`, filters),
    ...filterPaths(`${prefix}numerator.filters`, numerator.filters),
  ];
}

/** The subject of a question, as the form holds it. The filters are those of both subjects. */
export interface AskedForm extends MeasureForm {
  subject: Subject;
  /** A name, or `name@version`. */
  metric: string;
  /** The name of a segment; empty: all events. */
  segment: string;
}

/** The members of the request: a metric, or a measure of events. */
export function askedOf(form: AskedForm): Partial<Measure> & { metric?: string; segment?: string } {
  const { subject, metric, segment } = form;
  const ofSegment = segment === '' ? {} : { segment };
  if (subject === 'event') return { ...measureOf(form), ...ofSegment };
  const filters = filtersOf(form.filters);
  return { metric, ...(filters && { filters }), ...ofSegment };
}

/** The form of members from an untrusted source; `byDefault`: the subject if there is neither a metric nor an event. */
export function askedFormOf(given: Record<string, unknown>, byDefault: Subject = 'event'): AskedForm {
  const named: Subject = typeof given.metric === 'string' ? 'metric' : 'event';
  const isGiven = given.metric !== undefined || given.eventName !== undefined;
  return {
    ...measureFormOf(given),
    subject: isGiven ? named : byDefault,
    metric: textOf(given.metric),
    segment: textOf(given.segment),
  };
}

/** False while neither a metric nor an event is chosen. */
export function isAsked({ metric = '', eventName = '' }: { metric?: string; eventName?: string }): boolean {
  return metric !== '' || eventName !== '';
}
