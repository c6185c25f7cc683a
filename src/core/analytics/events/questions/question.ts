import { z } from 'zod';
import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import type { Reader } from '../../../base/shared/caller.ts';
import { invalid } from '../../../base/shared/errors.ts';
import type { NumberFormat } from '../../dashboards/config-schema.ts';
import type { CountedEvents } from '../cases/handle.ts';
import type { Aggregation } from '../fields.ts';
import type { FormulaDefinition, MeasureDefinition } from '../measure-schema.ts';
import type { AggregateEvents, EventsQuery, ReviewedAs } from '../schema.ts';
import type { SegmentDefinition } from '../segment-schema.ts';

export const METRIC_STATES = ['proposed', 'approved', 'deprecated'] as const;
export type MetricState = (typeof METRIC_STATES)[number];

/** The definition of a metric that an answer used. */
export const metricBasisSchema = z.object({
  name: z.string(),
  version: z.int(),
  state: z.enum(METRIC_STATES),
});
type MetricBasis = z.output<typeof metricBasisSchema>;

export const GOOD_DIRECTIONS = ['up', 'down', 'none'] as const;

/** How the values of a metric are written, and whether a rise or a fall is good. */
export interface ShownAs {
  format?: NumberFormat | undefined;
  unit?: string | undefined;
  goodDirection: (typeof GOOD_DIRECTIONS)[number];
}

/** One version of a metric, as questions use it. */
export interface DefinedMetric extends MetricBasis, ShownAs {
  title: string;
  formula: MeasureDefinition | FormulaDefinition;
  approvedVersion: number | null;
}

/** The approved version of a metric, as far as raw questions are compared with it. */
export interface ApprovedMetric {
  name: string;
  /** Each part of a formula apart. */
  measures: Pick<MeasureDefinition, 'eventName' | 'aggregation' | 'propertyKey'>[];
}

/** A workspace's metrics, and the words of its business. */
export interface Vocabulary {
  /** Approved ones first; deprecated ones are left out. */
  metrics: { name: string; title: string; state: MetricState; unit?: string; description?: string }[];
  terms: { term: string; definition: string; metric?: string }[];
}

/**
 * Where questions find definitions. The caller's rights have been checked, not its limits: what
 * lies outside is left out of lists, and `forbidden` where it is named.
 */
export interface MetricSource {
  /** With `search`, those that share words with it, best first. */
  vocabulary(reader: Reader, search?: string): Promise<Vocabulary>;
  /** By name, `name@version`, title or synonym. Throws `invalid` that names the nearest metrics. */
  resolve(reader: Reader, reference: string): Promise<DefinedMetric>;
  approved(reader: Reader): Promise<readonly ApprovedMetric[]>;
}

type WithoutMeasure = Omit<WithSegment<AggregateEvents>, 'metric' | 'eventName' | 'aggregation'>;

/**
 * An `aggregate_events` in which names of a metric and a segment are replaced by definitions: all
 * that is needed for a plan.
 */
export interface KpiQuestion extends WithoutMeasure {
  /** Null where raw events are asked although there are approved metrics; undefined without any. */
  metric?: MetricBasis | null | undefined;
  /** How values of the metric are written. */
  shown?: ShownAs | undefined;
  /** For a formula, the event of its first part. */
  eventName: string;
  aggregation: Aggregation | 'rate' | 'formula';
  formula?: FormulaDefinition | undefined;
}

/** Filters of the definition and of the question all apply. */
export function kpiQuestion(
  { metric: _, ...asked }: WithSegment<AggregateEvents>,
  metric: DefinedMetric | null,
): KpiQuestion {
  if (metric === null) {
    const { eventName, aggregation, ...rest } = asked;
    if (eventName === undefined || aggregation === undefined) throw invalid('eventName: is required');
    return { ...rest, eventName, aggregation };
  }
  const { name, version, state, formula, format, unit, goodDirection } = metric;
  const basis = { metric: { name, version, state }, shown: { format, unit, goodDirection } };
  if ('expression' in formula) {
    const [first] = Object.values(formula.parts);
    return { ...asked, ...basis, eventName: first!.eventName, aggregation: 'formula', formula };
  }
  const { filters, ...measured } = formula;
  return { ...asked, ...basis, ...measured, filters: joined(filters, asked.filters) };
}

function joined(one: EventFilter[] = [], other: EventFilter[] = []): EventFilter[] | undefined {
  return one.length + other.length > 0 ? [...one, ...other] : undefined;
}

/** Every event that a question counts, the first one first. */
export function eventNamesOf({ eventName, aggregation, numerator, formula }: KpiQuestion): string[] {
  const parts = Object.values(formula?.parts ?? {}).map((part) => part.eventName);
  const others = aggregation === 'rate' && numerator?.eventName ? [numerator.eventName] : [];
  return [...new Set([eventName, ...others, ...parts])];
}

/**
 * A table of the events of one name, or of those behind a number: all that is needed for a plan.
 */
export interface TableQuestion extends Omit<WithSegment<EventsQuery>, 'eventName' | 'cases'> {
  eventName: string;
  /** In place of the event: any of these. */
  events?: CountedEvents | undefined;
  review?: ReviewedAs | undefined;
}

export function eventsIn({ eventName, events }: TableQuestion): CountedEvents {
  return events ?? [{ eventName }];
}

export interface DefinedSegment extends SegmentDefinition {
  name: string;
  /** Where conditions without an end stop, in epoch milliseconds; left out: nowhere. */
  until?: number | undefined;
}

/**
 * A question in which a segment's name is replaced by its definition: all that is needed for a
 * plan.
 */
export type WithSegment<Question> = Omit<Question, 'segment'> & { segment?: DefinedSegment | undefined };

/** Where questions find segments, as `MetricSource`. */
export interface SegmentSource {
  /** Throws `invalid` that names the nearest segments. */
  resolve(reader: Reader, name: string): Promise<DefinedSegment>;
  /** By name. With `search`, those whose name or title has it. */
  listed(reader: Reader, search?: string): Promise<ListedSegment[]>;
}

export interface ListedSegment {
  name: string;
  by: string;
  title?: string;
}

/** The segment that an answer used, with the conditions as they were read. */
export const segmentBasisSchema = z.object({
  name: z.string(),
  by: z.string(),
  conditions: z.array(z.record(z.string(), z.unknown())),
});
export type SegmentBasis = z.output<typeof segmentBasisSchema>;
