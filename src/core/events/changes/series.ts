import type { Period } from '../query-plan.ts';
import { askKpi, type QueryContext } from '../questions/ask.ts';
import type { KpiQuestion } from '../questions/kpi-question.ts';
import { formatUtc } from '../time.ts';
import { type Anomaly, anomaliesFrom, WEEKS_BEFORE } from './seasonal.ts';

interface SeriesNotes {
  anomalies: Anomaly[];
  notes: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Buckets of the period against the same times of the weeks before it. */
const UNITS = [
  { unit: 'hour' as const, longest: 2 * DAY },
  { unit: 'day' as const, longest: 92 * DAY },
];

/** Anomalies of the period's series, and whether its last bucket is incomplete. None for a period longer than 92 days. */
export async function seriesNotes(
  question: Omit<KpiQuestion, 'compareTo'>,
  { from, to }: Period,
  context: QueryContext,
): Promise<SeriesNotes> {
  const now = context.effects.now();
  const end = Math.min(to, now);
  const found = UNITS.find(({ longest }) => end - from <= longest);
  if (!found || end <= from) return { anomalies: [], notes: [] };
  const { unit } = found;
  const asked = { dateFrom: formatUtc(from - WEEKS_BEFORE[unit] * WEEK), dateTo: formatUtc(end), dateGrouping: unit };
  const { series } = await askKpi({ ...question, ...asked }, context);
  const points = series ?? [];
  const start = points.findIndex(({ bucket }) => Date.parse(bucket) >= from);
  const last = points.at(-1);
  const isIncomplete = last !== undefined && end === now && Date.parse(last.bucket) < now;
  const complete = isIncomplete ? points.slice(0, -1) : points;
  return {
    anomalies: start < 0 ? [] : anomaliesFrom(complete, start, unit),
    notes: isIncomplete ? [`The last ${unit}, ${last.bucket}, is incomplete and is not checked for anomalies.`] : [],
  };
}
