import { z } from 'zod';

const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof OPERATORS)[number];

const operatorSchema = z.enum(OPERATORS, `must be one of ${OPERATORS.join(', ')}`);
const numberSchema = z.number('must be a number');

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
  /** Events that the last bucket counts. */
  matched: number;
}

export interface Verdict {
  state: 'ok' | 'alerting' | 'no_data';
  /** Null: there is none. */
  bucket: string | null;
  value: number | null;
  /** What the value was compared with: the limit, the value before, the median of earlier weeks. */
  comparedWith: number | null;
}

export function isBeyond(value: number, operator: Operator, limit: number): boolean {
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
