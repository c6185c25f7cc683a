import type { Period } from '../query-plan.ts';
import { askKpi, type QueryContext } from '../questions/ask.ts';
import type { KpiQuestion } from '../questions/kpi-question.ts';
import { formatUtc } from '../time.ts';
import type { OddPoint } from './seasonal.ts';
import { oddPoints } from './seasonal.ts';

interface SeriesRemarks {
  oddPoints: OddPoint[];
  notes: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Buckets of the period against the same times of the weeks before it. */
const UNITS = [
  { unit: 'hour' as const, longest: 2 * DAY, season: 168, weeks: 4 },
  { unit: 'day' as const, longest: 92 * DAY, season: 7, weeks: 8 },
];

/** Odd points of the period's series, and whether its last bucket is incomplete. None for a period longer than 92 days. */
export async function seriesRemarks(
  question: Omit<KpiQuestion, 'compareTo'>,
  { from, to }: Period,
  context: QueryContext,
): Promise<SeriesRemarks> {
  const now = context.effects.now();
  const end = Math.min(to, now);
  const found = UNITS.find(({ longest }) => end - from <= longest);
  if (!found || end <= from) return { oddPoints: [], notes: [] };
  const { unit, season, weeks } = found;
  const asked = { dateFrom: formatUtc(from - weeks * WEEK), dateTo: formatUtc(end), dateGrouping: unit };
  const { series } = await askKpi({ ...question, ...asked }, context);
  const points = series ?? [];
  const start = points.findIndex(({ bucket }) => Date.parse(bucket) >= from);
  const last = points.at(-1);
  const isIncomplete = last !== undefined && end === now && Date.parse(last.bucket) < now;
  const complete = isIncomplete ? points.slice(0, -1) : points;
  return {
    oddPoints: start < 0 ? [] : oddPoints(complete, start, season),
    notes: isIncomplete ? [`The last ${unit}, ${last.bucket}, is incomplete, and not judged as a point.`] : [],
  };
}
