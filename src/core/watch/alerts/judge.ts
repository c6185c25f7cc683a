import { lastAnomaly } from '../../analytics/events/changes/seasonal.ts';
import { change } from '../../analytics/events/questions/answer.ts';
import { type Condition, isBeyond, type MeasuredBuckets, type Verdict } from './conditions.ts';
import type { AlertBucket } from './schema.ts';

export interface JudgeOptions {
  /** Whether the alert holds already: a threshold then ends at `clear`. */
  isAlerting: boolean;
  /** Of the buckets. */
  unit: AlertBucket;
}

/**
 * Whether the condition holds for the last bucket. Plain arithmetic: the same buckets give the same
 * verdict.
 */
export function judge(condition: Condition, checked: MeasuredBuckets, options: JudgeOptions): Verdict {
  const last = checked.points.at(-1);
  const { bucket, value } = last ?? { bucket: null, value: null };
  const verdict = (state: Verdict['state'], comparedWith: number | null = null): Verdict => ({
    state,
    bucket,
    value,
    comparedWith,
  });
  if (condition.type === 'no_data') return verdict(checked.matched === 0 ? 'alerting' : 'ok');
  if (value === null) return verdict('no_data');
  switch (condition.type) {
    case 'threshold': {
      const limit = options.isAlerting ? (condition.clear ?? condition.value) : condition.value;
      return verdict(isBeyond(value, condition.operator, limit) ? 'alerting' : 'ok', condition.value);
    }
    case 'change': {
      const before = checked.points.at(-2)?.value ?? null;
      if (before === null) return verdict('ok', before);
      return verdict(isBeyond(ratioOf(value, before), condition.operator, condition.ratio) ? 'alerting' : 'ok', before);
    }
    case 'anomaly': {
      const anomaly = options.unit === 'month' ? null : lastAnomaly(checked.points, options.unit);
      return verdict(anomaly ? 'alerting' : 'ok', anomaly?.expected ?? null);
    }
  }
}

/** From nothing, any change is infinite. */
function ratioOf(value: number, before: number): number {
  if (value === before) return 0;
  return change({ value }, { value: before }).changeRatio ?? (value - before) / 0;
}
