import { z } from 'zod';
import { AGGREGATIONS, DATE_GROUPINGS } from '../events/fields.ts';
import { numeratorSchema } from '../events/measure-schema.ts';
import {
  agentIdSchema,
  callerIdSchema,
  eventNameSchema,
  propertyKeySchema,
  readAgentSchema,
} from '../events/name-schemas.ts';
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
  receiptSchema,
} from '../events/schema.ts';
import { AGGREGATION_SPELLINGS, GROUPING_SPELLINGS, spelled } from '../events/spellings.ts';
import { memberHints } from '../shared/issues.ts';
import { freeObject } from '../shared/json.ts';
import { cappedSchema } from '../shared/paging.ts';
import { requestSchemas, responseSchemas } from '../shared/schema-names.ts';

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
const shortText = (maximum: number) => onOneLine(z.string('must be a string'), maximum);
const name = (maximum: number) => onOneLine(z.string('must be a string').trim().min(1, 'must not be empty'), maximum);

export const formatSchema = z
  .strictObject({
    prefix: shortText(20).optional(),
    suffix: shortText(20).optional(),
    decimals: z.int('must be a whole number').min(0, 'must be 0 to 10').max(10, 'must be 0 to 10').optional(),
    percent: z.boolean('must be true or false').optional().describe('Writes 0.25 as 25%, as a rate is by default.'),
  })
  .describe('How the value is written. Its members replace those of the metric.');
export type NumberFormat = z.output<typeof formatSchema>;

const comparable = { compareTo: compareToSchema.optional(), format: formatSchema.optional() };

const chart = z
  .strictObject({
    ...measure,
    ...common,
    dateGrouping: spelled(DATE_GROUPINGS, GROUPING_SPELLINGS).optional(),
    groupBy: groupKeysSchema.optional(),
    limit: cappedSchema(MAX_GROUPS).optional().describe('Top groups; the rest is "other".'),
  })
  .superRefine(oneMeasure);

const scaleValue = z.number('must be a number').describe('In units of the value.');

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
    mode: z.enum(QUERY_MODES, `must be one of ${QUERY_MODES.join(', ')}`),
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

const gridLayoutSchema = z.strictObject({
  x: z.number('must be a number').min(0, 'must not be negative').max(10_000, 'must be at most 10000'),
  y: z.number('must be a number').min(0, 'must not be negative').max(100_000, 'must be at most 100000'),
  w: z.number('must be a number').positive('must be greater than 0').max(10_000, 'must be at most 10000'),
  h: z.number('must be a number').positive('must be greater than 0').max(10_000, 'must be at most 10000'),
});

const sortOrderSchema = z.number('must be a number').min(-1e9, 'must be at least -1e9').max(1e9, 'must be at most 1e9');
const titleSchema = name(200);
const tabIdSchema = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters');

const placement = {
  tabId: tabIdSchema.nullish().describe('A tab of the same agent; null: in none.'),
  sortOrder: sortOrderSchema.optional().describe('Ascending; a new card comes last.'),
};

/** One alternative per type, so that errors and documentation name only that type's config. */
function byCardType<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const [first, ...others] = CARD_TYPES.map((cardType) =>
    z.strictObject({ ...shape, cardType: z.literal(cardType), config: configSchemas[cardType] }),
  );
  return z.discriminatedUnion('cardType', [first!, ...others]);
}

const owner = agentIdSchema.optional().describe("Default: the key's agent, else `default`.");

export const upsertCardSchema = byCardType({
  agentId: owner,
  title: titleSchema,
  ...placement,
  gridLayout: gridLayoutSchema.nullish().describe('Null counts as left out.'),
  idempotencyKey: callerIdSchema.optional().describe("The card's identity, in place of what it asks."),
});
requestSchemas.add(upsertCardSchema, { id: 'UpsertCard' });

export type UpsertCard = z.output<typeof upsertCardSchema>;

export const contentSchema = byCardType({});

export const previewCardSchema = byCardType({ agentId: owner, title: titleSchema });
requestSchemas.add(previewCardSchema, { id: 'PreviewCard' });
export type PreviewCard = z.output<typeof previewCardSchema>;

/** Replaces the range of a card for one rendering. */
export const cardRangeShape = {
  dateFrom: dateFrom.describe(
    "Replaces the card's range, in the format of a config. The dateGrouping then suits the new range.",
  ),
  dateTo: dateTo.describe("Replaces the card's dateTo; with dateFrom alone the range ends now."),
  timezone: timezone.describe("Replaces the card's time zone: an IANA name."),
};
export const cardRangeSchema = z.object(cardRangeShape);
export type CardRange = z.output<typeof cardRangeSchema>;

const MAX_RENDERED = 50;

export const renderCardsSchema = z.strictObject({
  ids: z
    .array(z.string('must be a string').min(1, 'must not be empty').max(100, 'must have at most 100 characters'))
    .min(1, `must name 1 to ${MAX_RENDERED} cards`)
    .max(MAX_RENDERED, `must name 1 to ${MAX_RENDERED} cards`)
    .describe('The answer has the cards in this order.'),
  ...cardRangeShape,
});
requestSchemas.add(renderCardsSchema, { id: 'RenderCards' });

/** Keeps every member for the later check against the card's type. */
const anyConfigSchema = freeObject().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Replaces the whole config.',
});

const NO_MEMBER = 'must hold at least one member';
const hasMember = (changes: object) => Object.values(changes).some((value) => value !== undefined);

export const updateCardSchema = z
  .strictObject({
    title: titleSchema.optional(),
    cardType: z.enum(CARD_TYPES, `must be one of ${CARD_TYPES.join(', ')}`).optional(),
    config: anyConfigSchema.optional(),
    ...placement,
    gridLayout: gridLayoutSchema.nullish().describe('Null removes it.'),
  })
  .refine(hasMember, NO_MEMBER)
  .refine(({ cardType, config }) => cardType === undefined || config !== undefined, {
    path: ['config'],
    message: 'needed with cardType, because each type has its own',
  });
requestSchemas.add(updateCardSchema, { id: 'UpdateCard' });
export type UpdateCard = z.output<typeof updateCardSchema>;

export const upsertTabSchema = z.strictObject({
  agentId: owner,
  name: name(100),
  sortOrder: sortOrderSchema.optional().describe('Ascending; a new tab comes last.'),
});
requestSchemas.add(upsertTabSchema, { id: 'UpsertTab' });
export type UpsertTab = z.output<typeof upsertTabSchema>;

export const updateTabSchema = z
  .strictObject({ name: name(100).optional(), sortOrder: sortOrderSchema.optional() })
  .refine(hasMember, NO_MEMBER);
requestSchemas.add(updateTabSchema, { id: 'UpdateTab' });
export type UpdateTab = z.output<typeof updateTabSchema>;

export const renderDashboardCardSchema = z.strictObject({
  cardId: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  picture: z.boolean('must be true or false').optional().describe('Adds a PNG.'),
  waitFor: receiptSchema.optional(),
});

const CARD_HINT = 'send it as cardId, which takes the id or the exact title';
memberHints.add(renderDashboardCardSchema, {
  title: CARD_HINT,
  name: CARD_HINT,
  card: CARD_HINT,
  id: 'did you mean cardId?',
});

export const listQuerySchema = z.strictObject({
  agentId: readAgentSchema.optional().describe("Default: the key's agent, else all; `*`: all."),
});

export const dashboardCardSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  title: z.string(),
  cardType: z.enum(CARD_TYPES),
  config: z.record(z.string(), z.unknown()),
  gridLayout: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).nullable(),
  sortOrder: z.number(),
  tabId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
responseSchemas.add(dashboardCardSchema, { id: 'Card' });
export type DashboardCard = z.output<typeof dashboardCardSchema>;

export const dashboardTabSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  name: z.string(),
  sortOrder: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
responseSchemas.add(dashboardTabSchema, { id: 'Tab' });
export type DashboardTab = z.output<typeof dashboardTabSchema>;
