import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { bucketsBetween, type TimeBucket, zoneOffsets } from '../../../base/time/time.ts';
import { RESERVED_EVENT_PREFIX } from '../fields.ts';
import { fieldOf, predicatesOf } from '../predicates.ts';
import { type AggregatePlan, aggregatePlan, type PlanResult, type RetentionPlan } from '../query-plan.ts';
import { ANY_EVENT, type CohortGrouping } from '../retention-schema.ts';
import type { Column } from '../schema.ts';
import { oneOf, type PlanContext, planSelection, type ResolvedRange } from './plan.ts';
import type { TableQuestion } from './question.ts';

/*
 * Actors by the bucket of their first event, and how many of them return in each bucket after it.
 */

const DEFAULT_PERIODS = 8;
const MAX_COHORTS = 1_000;

/** With its defaults. */
interface Retention {
  start: { eventName: string; filters: EventFilter[] };
  returned: { eventName: string; filters: EventFilter[] };
  by: string;
  dateGrouping: CohortGrouping;
  periods: number;
}

/** Throws `invalid` for members of other modes. */
export function retentionOf(input: TableQuestion): Retention {
  const { eventName, start, returned, by = 'threadId', dateGrouping = 'week', periods = DEFAULT_PERIODS } = input;
  if (input.events)
    throw invalid('cases: not for mode retention, which counts the events of two names; send eventName');
  for (const member of ['columns', 'groupBy', 'metrics', 'sortBy', 'sortOrder'] as const) {
    if (input[member] === undefined) continue;
    throw invalid(`${member}: not for mode retention, whose rows are cohorts in order of time; leave it out`);
  }
  return {
    start: { eventName, filters: start?.filters ?? [] },
    returned: { eventName: returned?.eventName ?? eventName, filters: returned?.filters ?? [] },
    ...{ by, dateGrouping, periods },
  };
}

/** Times of starts in epoch milliseconds. */
type Edges = Pick<PlanResult, 'firstAt' | 'lastAt'>;

interface PlannedRetention {
  range: ResolvedRange;
  /** The periods that have begun. */
  cohorts: TimeBucket[];
  /** The key of the bucket that is not over; later ones have not begun. */
  running: number;
  plan: RetentionPlan;
}

/** `edges` bound the cohorts where the range is open or ends in the future. */
export function planRetention(input: TableQuestion, context: PlanContext, edges?: Edges): PlannedRetention {
  const { start, returned, by, dateGrouping: unit, periods } = retentionOf(input);
  const { selection, range } = planSelection({ ...input, eventName: undefined }, context);
  const dates = { now: context.now, timezone: range.timezone };
  const isAny = returned.eventName === ANY_EVENT;
  if (isAny && start.eventName.startsWith(RESERVED_EVENT_PREFIX)) {
    throw invalid('returned.eventName: "*" leaves out the runtime\'s own events; name the event that comes after one');
  }
  const known = Math.max(context.now, edges?.lastAt ?? context.now) + 1;
  const end = Math.min(range.to ?? known, known);
  const begin = Math.min(range.from ?? edges?.firstAt ?? end, end);
  // Two days more: for clock changes, and for a zone that crossed the date line.
  const through = end + ((periods + 1) * MOST_DAYS[unit] + 2) * DAY;
  return {
    range,
    cohorts: bucketsBetween(unit, { from: begin, to: end, timezone: range.timezone }, MAX_COHORTS),
    running: bucketsBetween(unit, { from: context.now, to: context.now + 1, timezone: range.timezone }, 1)[0]!.key,
    plan: {
      kind: 'retention',
      selection: { ...selection, eventNames: isAny ? null : [...new Set([start.eventName, returned.eventName])] },
      start: [oneOf('eventName', [start.eventName]), ...predicatesOf(start.filters, 'start.filters', dates)],
      returned: [
        ...(isAny ? [] : [oneOf('eventName', [returned.eventName])]),
        ...predicatesOf(returned.filters, 'returned.filters', dates),
      ],
      by: fieldOf(by),
      bucket: { unit, offsets: zoneOffsets(range.timezone, begin, through) },
      periods,
      through: range.to === end ? through : null,
    },
  };
}

const DAY = 86_400_000;
const MOST_DAYS = { day: 1, week: 7, month: 31, quarter: 92, year: 366 };

/** For the edges. */
export function planStarts(input: TableQuestion, context: PlanContext): AggregatePlan {
  const { selection, range } = planSelection(input, context);
  const filters = predicatesOf(retentionOf(input).start.filters, 'start.filters', { ...range, now: context.now });
  return aggregatePlan({
    selection: { ...selection, predicates: [...selection.predicates, ...filters] },
    groupBy: [],
    metrics: [{ aggregation: 'count', field: null }],
  });
}

/** The page of the grid, a row for each cohort. A period that has not begun is null. */
export function retentionTable(
  { cohorts, running, plan }: PlannedRetention,
  { rows }: PlanResult,
  { limit, offset }: { limit: number; offset: number },
) {
  const { unit } = plan.bucket;
  const counts = new Map(rows.map(([cohort, period, actors]) => [`${cohort} ${period}`, actors as number]));
  const periods = Array.from({ length: plan.periods + 1 }, (_, period) => period);
  const page = cohorts.slice(offset, offset + limit);
  const columns: Column[] = [
    { key: 'cohort', type: 'string' },
    ...['size', ...periods.map(nameOf)].map((key): Column => ({ key, type: 'number' })),
  ];
  return {
    columns,
    total: cohorts.length,
    rows: page.map(({ key }) => ({
      cohort: dateOf(key),
      size: counts.get(`${key} null`) ?? 0,
      ...Object.fromEntries(
        periods.map((period) => {
          const hasBegun = periodKey(key, unit as CohortGrouping, period) <= running;
          return [nameOf(period), counts.get(`${key} ${period}`) ?? (hasBegun ? 0 : null)];
        }),
      ),
    })),
  };
}

function nameOf(period: number): string {
  return `period_${period}`;
}

/** The key of a cohort's period. Keys are local dates as if in UTC. */
function periodKey(cohort: number, unit: CohortGrouping, period: number): number {
  if (unit === 'day' || unit === 'week') return cohort + period * MOST_DAYS[unit] * DAY;
  const date = new Date(cohort);
  return date.setUTCMonth(date.getUTCMonth() + period * MONTHS[unit]);
}

const MONTHS = { month: 1, quarter: 3, year: 12 };

/** The first local day of a bucket. */
function dateOf(key: number): string {
  return new Date(key).toISOString().slice(0, 10);
}

/** On the counts that are not final. */
export function notesOnRetention(
  { cohorts, running, plan }: PlannedRetention,
  { rows, matched }: PlanResult,
  { by }: Retention,
): string[] {
  if (matched > 0 && rows.length === 0) {
    return [`No cohort has members: none of the ${matched} starting events has a value of ${JSON.stringify(by)}.`];
  }
  const unit = plan.bucket.unit as CohortGrouping;
  const last = cohorts.at(-1);
  if (!last || periodKey(last.key, unit, plan.periods) < running) return [];
  return [
    `The ${unit} of ${dateOf(running)} is not over, so its counts may still grow; null is a period that has not begun.`,
  ];
}
