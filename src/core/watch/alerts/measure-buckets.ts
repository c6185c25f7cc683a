import { bucketsBeforeAnomaly } from '../../analytics/events/changes/seasonal.ts';
import type { DateGrouping } from '../../analytics/events/fields.ts';
import type { Measured } from '../../analytics/events/service.ts';
import { formatUtc, LONGEST_BUCKET, startOfBucket } from '../../base/time/time.ts';
import type { AlertBucket, Condition, MeasuredBuckets } from './conditions.ts';

export interface BucketRequest {
  condition: Condition;
  unit: AlertBucket;
  /** IANA name. */
  timezone: string;
  now: number;
}

/** The members of a question that say when. */
export interface BucketRange {
  dateFrom: string;
  dateTo: string;
  timezone: string;
  dateGrouping?: DateGrouping;
}

export interface BucketMeasurement extends MeasuredBuckets {
  /** The handle of the events of the last bucket; null: there is none. */
  cases: string | null;
}

/**
 * Asks for the last complete bucket, and for as many before it as the condition compares it with.
 */
export async function measureBuckets(
  { condition, unit, timezone, now }: BucketRequest,
  ask: (range: BucketRange) => Promise<Measured>,
): Promise<BucketMeasurement> {
  const before = bucketsBefore(condition, unit);
  const to = startOfBucket(now, unit, timezone).at;
  const { at, label } = startOfBucket(to - 1, unit, timezone);
  if (before === 0) {
    const { result, cases } = await ask({ dateFrom: formatUtc(at), dateTo: formatUtc(to), timezone });
    const points = [{ bucket: label, value: result.overall.value }];
    return { points, matched: result.matched, cases: cases(at, to) };
  }
  const from = startOfBucket(to - (1 + before) * LONGEST_BUCKET[unit], unit, timezone).at;
  const range = { dateFrom: formatUtc(from), dateTo: formatUtc(to), timezone, dateGrouping: unit };
  const { result, cases } = await ask(range);
  const points = (result.series ?? []).slice(-1 - before).map(({ bucket, value }) => ({ bucket, value }));
  return { points, matched: result.matched, cases: cases(at, to) };
}

function bucketsBefore({ type }: Condition, unit: AlertBucket): number {
  if (type === 'anomaly' && unit !== 'month') return bucketsBeforeAnomaly(unit);
  return type === 'change' ? 1 : 0;
}
