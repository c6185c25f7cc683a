import { filtersOf } from './filters.ts';
import { type Measure, type MeasureForm, measureFormOf, measureOf } from './measure.ts';
import { textOf } from './read.ts';
import type { Subject } from './words.ts';

/** What a question asks for, as the form holds it. The filters are those of both subjects. */
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
