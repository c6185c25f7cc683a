import { z } from 'zod';
import { AGGREGATION_SPELLINGS, GROUPING_SPELLINGS, spelled } from '../../base/filters/spellings.ts';
import { eventNameSchema, propertyKeySchema } from '../../base/shared/name-schemas.ts';
import { cappedSchema } from '../../base/shared/paging.ts';
import { requestSchemas } from '../../base/shared/schema-names.ts';
import { AGGREGATIONS, DATE_GROUPINGS } from '../events/fields.ts';
import { numeratorSchema } from '../events/measure-schema.ts';
import { retentionShape } from '../events/retention-schema.ts';
import {
  compareToSchema,
  eventsQuerySchema,
  funnelSchema,
  groupKeysSchema,
  MAX_GROUPS,
  MAX_QUERY_ROWS,
  measureOrMetric,
  metricReferenceSchema,
  narrowing,
  oneMeasure,
  QUERY_MODES,
} from '../events/schema.ts';

export const CARD_TYPES = ['number', 'rate', 'line', 'bar', 'pie', 'table', 'funnel', 'gauge'] as const;
export type CardType = (typeof CARD_TYPES)[number];

export const DEFAULT_DATE_FROM = '-30d';

// The agent is that of the card.
const { filters, dateFrom, dateTo, timezone, segment } = narrowing;
const common = {
  filters,
  segment,
  dateTo,
  timezone,
  dateFrom: dateFrom.describe(`Included, as in events/query; default ${DEFAULT_DATE_FROM}.`),
};

const measure = {
  metric: metricReferenceSchema.optional(),
  eventName: eventNameSchema.optional(),
  aggregation: spelled(AGGREGATIONS, AGGREGATION_SPELLINGS).optional(),
  propertyKey: propertyKeySchema.optional().describe('Needed by all but count.'),
};

const onOneLine = (schema: z.ZodString, maximum: number) =>
  schema
    .max(maximum, `must have at most ${maximum} characters`)
    .refine((text) => text.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode')
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain line breaks or other control characters');
const shortText = (maximum: number) => onOneLine(z.string(), maximum);
export const oneLineName = (maximum: number) => onOneLine(z.string().trim().min(1, 'must not be empty'), maximum);

export const numberFormatSchema = z
  .strictObject({
    prefix: shortText(20).optional(),
    suffix: shortText(20).optional(),
    decimals: z.int('must be a whole number').min(0, 'must be 0 to 10').max(10, 'must be 0 to 10').optional(),
    percent: z.boolean('must be true or false').optional().describe('Writes 0.25 as 25%, as a rate is by default.'),
  })
  .describe('How the value is written. Its members replace those of the metric.');
export type NumberFormat = z.output<typeof numberFormatSchema>;

const comparable = { compareTo: compareToSchema.optional(), format: numberFormatSchema.optional() };

const chart = z
  .strictObject({
    ...measure,
    ...common,
    dateGrouping: spelled(DATE_GROUPINGS, GROUPING_SPELLINGS).optional(),
    groupBy: groupKeysSchema.optional(),
    limit: cappedSchema(MAX_GROUPS).optional().describe('Top groups; the rest is "other".'),
  })
  .superRefine(oneMeasure);

const scaleValue = z.number().describe('A point of the scale, in the unit of the value.');

const gauge = z
  .strictObject({
    ...measure,
    ...common,
    min: scaleValue,
    max: scaleValue,
    target: scaleValue.optional(),
    thresholds: z
      .array(z.strictObject({ value: scaleValue, label: shortText(50).optional(), color: shortText(30).optional() }))
      .max(10, 'must have at most 10 thresholds')
      .optional()
      .describe('Where a new zone of the scale begins, ascending.'),
  })
  .superRefine(oneMeasure)
  .superRefine(({ min, max, target, thresholds = [] }, context) => {
    const report = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (max <= min) report(['max'], 'must be greater than min');
    if (target !== undefined && (target < min || target > max)) report(['target'], 'must lie between min and max');
    for (const [index, { value }] of thresholds.entries()) {
      const path = ['thresholds', index, 'value'];
      if (value < min || value > max) report(path, 'must lie between min and max');
      if (index > 0 && value <= thresholds[index - 1]!.value) report(path, 'must be greater than the one before');
    }
  });

const { columns, groupBy, metrics, sortBy, sortOrder, offset } = eventsQuerySchema.shape;

/** A config is stored as sent, without defaults. */
export const configSchemas = {
  number: z.strictObject({ ...measure, ...common, ...comparable }).superRefine(oneMeasure),
  rate: z
    .strictObject({
      metric: measure.metric,
      eventName: measure.eventName,
      numerator: numeratorSchema.optional(),
      ...common,
      ...comparable,
    })
    .superRefine((config, context) => measureOrMetric(config, context, ['eventName', 'numerator'])),
  line: chart,
  bar: chart,
  pie: z
    .strictObject({ ...measure, ...common, groupBy: groupKeysSchema, limit: chart.shape.limit })
    .superRefine(oneMeasure),
  table: z.strictObject({
    eventName: eventNameSchema,
    ...common,
    mode: z.enum(QUERY_MODES),
    columns,
    groupBy,
    metrics,
    sortBy,
    sortOrder,
    ...retentionShape,
    limit: cappedSchema(MAX_QUERY_ROWS).optional(),
    offset: offset.removeDefault().optional(),
  }),
  funnel: z.strictObject({
    steps: funnelSchema.shape.steps,
    by: funnelSchema.shape.by.removeDefault().optional(),
    windowSeconds: funnelSchema.shape.windowSeconds.removeDefault().optional(),
    ...common,
  }),
  gauge,
} satisfies Record<CardType, z.ZodType>;
requestSchemas
  .add(configSchemas.number, { id: 'NumberConfig' })
  .add(configSchemas.rate, { id: 'RateConfig' })
  .add(configSchemas.line, { id: 'ChartConfig' })
  .add(configSchemas.pie, { id: 'PieConfig' })
  .add(configSchemas.table, { id: 'TableConfig' })
  .add(configSchemas.funnel, { id: 'FunnelConfig' })
  .add(configSchemas.gauge, { id: 'GaugeConfig' });

export type CardContent = {
  [Type in CardType]: { cardType: Type; config: z.output<(typeof configSchemas)[Type]> };
}[CardType];
