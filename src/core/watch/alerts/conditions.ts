import { z } from 'zod';
import { lastAnomaly } from '../../analytics/events/changes/seasonal.ts';
import type { DateGrouping } from '../../analytics/events/fields.ts';
import { change } from '../../analytics/events/questions/answer.ts';

/** The bucket lengths that an alert can check. */
export type AlertBucket = Exclude<DateGrouping, 'quarter' | 'year'>;

const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof OPERATORS)[number];

const operatorSchema = z.enum(OPERATORS);
const numberSchema = z.number();

/** When an alert holds. */
export const conditionSchema = z.discriminatedUnion(
  'type',
  [
    z
      .strictObject({
        type: z.literal('threshold').describe('The value is beyond a limit.'),
        operator: operatorSchema,
        value: numberSchema.describe('The limit.'),
        clear: numberSchema.optional().describe('The value at which the alert ends; default the limit.'),
      })
      .refine(({ operator, value, clear = value }) => !(operator.startsWith('g') ? clear > value : clear < value), {
        path: ['clear'],
        message: 'must not be beyond value: the alert would end and begin again with each check',
      }),
    z.strictObject({
      type: z.literal('change').describe('The value changed against the bucket before.'),
      operator: operatorSchema,
      ratio: numberSchema.describe('The change divided by the value before: -0.2 is a fall by a fifth.'),
      compareTo: z.literal('previous_period', 'must be previous_period').default('previous_period'),
    }),
    z.strictObject({
      type: z.literal('anomaly').describe('The value is unlike the median of the same times in earlier weeks.'),
    }),
    z.strictObject({ type: z.literal('no_data').describe('No event was counted.') }),
  ],
  'must be an object such as {"type": "threshold", "operator": "lt", "value": 100}',
);
export type Condition = z.output<typeof conditionSchema>;

/** A complete bucket and those before it, oldest first. */
export interface MeasuredBuckets {
  points: { bucket: string; value: number | null }[];
  /** Events that the answer counts, which is the last bucket alone where none is compared with. */
  matched: number;
}

export interface Verdict {
  state: 'ok' | 'alerting' | 'no_data';
  /** Null if there is none. */
  bucket: string | null;
  value: number | null;
  /** The value compared with: the limit, the value before, the median of earlier weeks. */
  comparedWith: number | null;
}

export interface JudgeOptions {
  /** Whether the alert holds already: a threshold then ends at `clear`. */
  isAlerting: boolean;
  /** The unit of the buckets. */
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

function isBeyond(value: number, operator: Operator, limit: number): boolean {
  switch (operator) {
    case 'gt':
      return value > limit;
    case 'gte':
      return value >= limit;
    case 'lt':
      return value < limit;
    case 'lte':
      return value <= limit;
  }
}
