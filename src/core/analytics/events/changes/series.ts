import { formatUtc, localDate, startOfBucket, startOfDay } from '../../../base/time/time.ts';
import type { Period } from '../query-plan.ts';
import { askKpi, type QueryContext } from '../questions/ask.ts';
import type { KpiQuestion } from '../questions/question.ts';
import { type Anomaly, anomaliesFrom, WEEKS_BEFORE } from './seasonal.ts';

interface SeriesNotes {
  anomalies: Anomaly[];
  notes: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Buckets of the period against the same times of the weeks before it. */
const UNITS = [
  { unit: 'hour' as const, longest: 2 * DAY },
  { unit: 'day' as const, longest: 92 * DAY },
];

/**
 * Anomalies of the period's series, and whether its last bucket is incomplete: not over, or cut off
 * by the period's end. None for a period longer than 92 days.
 */
export async function seriesNotes(
  question: Omit<KpiQuestion, 'compareTo'>,
  { from, to }: Period,
  context: QueryContext,
): Promise<SeriesNotes> {
  const end = Math.min(to, context.effects.now());
  const found = UNITS.find(({ longest }) => end - from <= longest);
  if (!found || end <= from) return { anomalies: [], notes: [] };
  const { unit } = found;
  const { timezone = context.caller.timezone } = question;
  const first = startOfDay(localDate(from, timezone).subtract({ weeks: WEEKS_BEFORE[unit] }), timezone);
  const asked = { dateFrom: formatUtc(first), dateTo: formatUtc(end), dateGrouping: unit };
  const { series } = await askKpi({ ...question, ...asked }, context);
  const points = series ?? [];
  const start = points.findIndex(({ bucket }) => Date.parse(bucket) >= from);
  const last = points.at(-1);
  const isIncomplete = last !== undefined && Date.parse(last.bucket) >= startOfBucket(end, unit, timezone).at;
  const complete = isIncomplete ? points.slice(0, -1) : points;
  return {
    anomalies: start < 0 ? [] : anomaliesFrom(complete, start, unit),
    notes: isIncomplete ? [`The last ${unit}, ${last.bucket}, is incomplete and is not checked for anomalies.`] : [],
  };
}
