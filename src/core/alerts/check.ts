import type { DateGrouping } from '../events/fields.ts';
import { askKpi, type QueryContext } from '../events/questions/ask.ts';
import type { KpiQuestion } from '../events/questions/kpi-question.ts';
import { bucketsBetween, formatUtc } from '../events/time.ts';
import type { Checked, Condition } from './conditions.ts';

type Unit = Exclude<DateGrouping, 'quarter' | 'year'>;

interface Season {
  /** Buckets of one season. */
  season: number;
  /** Buckets before the checked one that anomalies are judged by. */
  history: number;
}

/** A month has no season that a few years of data could show. */
export const SEASONS: Record<Unit, Season | null> = {
  hour: { season: 168, history: 4 * 168 },
  day: { season: 7, history: 8 * 7 },
  week: { season: 1, history: 12 },
  month: null,
};

const LONGEST_MS: Record<Unit, number> = {
  hour: 3_600_000,
  day: 25 * 3_600_000,
  week: (7 * 24 + 1) * 3_600_000,
  month: (31 * 24 + 1) * 3_600_000,
};

export interface CheckedQuestion {
  question: KpiQuestion;
  condition: Condition;
  unit: Unit;
  /** IANA name. */
  timezone: string;
}

/** Asks for the last complete bucket, and as many before it as the condition compares it with. */
export async function check(
  { question, condition, unit, timezone }: CheckedQuestion,
  context: QueryContext,
): Promise<Checked> {
  const wanted = 1 + bucketsBefore(condition, unit);
  const to = startOfBucket(context.effects.now(), unit, timezone);
  const from = startOfBucket(to - wanted * LONGEST_MS[unit], unit, timezone);
  const range = { dateFrom: formatUtc(from), dateTo: formatUtc(to), timezone, dateGrouping: unit };
  const { series, matched } = await askKpi({ ...question, ...range }, context);
  const points = (series ?? []).slice(-wanted).map(({ bucket, value }) => ({ bucket, value }));
  if (condition.type !== 'no_data') return { points, matched };
  const last = points.at(-1)?.bucket;
  const { matched: counted } = await askKpi({ ...question, ...range, dateFrom: last }, context);
  return { points, matched: counted };
}

function bucketsBefore({ type }: Condition, unit: Unit): number {
  if (type === 'anomaly') return SEASONS[unit]?.history ?? 0;
  return type === 'change' ? 1 : 0;
}

/** Of the bucket that holds the instant. */
export function startOfBucket(instant: number, unit: Unit, timezone: string): number {
  const range = { from: instant - LONGEST_MS[unit], to: instant + 1, timezone };
  const last = bucketsBetween(unit, range, 1_000).at(-1)!;
  return Date.parse(last.label);
}
