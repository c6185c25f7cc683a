import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import {
  AGGREGATION_SPELLINGS,
  COMPARISON_SPELLINGS,
  GROUPING_SPELLINGS,
  KEY_HINTS,
  ORDER_SPELLINGS,
  QUERY_HINTS,
  spelled,
  TABLE_HINTS,
} from '../../base/filters/spellings.ts';
import { memberHints } from '../../base/shared/issues.ts';
import {
  callerIdSchema,
  eventNameSchema,
  nameSchema,
  propertyKeySchema,
  readAgentSchema,
  textSchema,
} from '../../base/shared/name-schemas.ts';
import { cappedSchema, limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { RATINGS, REVIEW_STATUSES } from '../../base/shared/review-fields.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { AGGREGATIONS, DATE_GROUPINGS } from './fields.ts';
import { measureShape } from './measure-schema.ts';
import { retentionShape } from './retention-schema.ts';

export const dateSchema = z.string().min(1).max(64);
export const groupKeysSchema = z
  .union([propertyKeySchema, z.array(propertyKeySchema).min(1).max(3)], 'must be a property key or an array of 1 to 3')
  .refine((keys) => !Array.isArray(keys) || new Set(keys).size === keys.length, 'names a key twice');
export const receiptSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(200)
  .describe('Receipt of an ingest: read your own writes.');

/** A name. */
const segmentReferenceSchema = nameSchema(100).describe('Name of a saved segment: only its subjects count.');

/** Members of every query, of all transports. */
export const narrowing = {
  agentId: readAgentSchema.optional().describe('Default: the key\'s agent; "*": all.'),
  filters: filtersSchema.optional(),
  dateFrom: dateSchema
    .optional()
    .describe('Included. ISO 8601, -24h, -7d, today, mtd, or a whole period: last_month, this_week, 2026-Q4.'),
  dateTo: dateSchema.optional().describe('Not included, but a day or period is included whole.'),
  timezone: z.string().min(1, 'must not be empty').max(64).optional().describe("IANA name; default the tenant's."),
  segment: segmentReferenceSchema.optional(),
};
const selection = { eventName: eventNameSchema, ...narrowing };

/** Characters of the longest handle. */
export const MAX_CASES = 2_000;
/** The members that may not be beside a handle, which has its own. */
const SELECTION_MEMBERS = ['eventName', 'agentId', 'dateFrom', 'dateTo', 'timezone', 'segment'] as const;

/** For `superRefine`: an event, or the events behind a number. */
function oneSelection(
  input: Partial<Record<'cases' | (typeof SELECTION_MEMBERS)[number], unknown>>,
  context: z.RefinementCtx,
): void {
  const report = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
  if (input.cases === undefined) {
    if (input.eventName === undefined) report('eventName', 'is required');
    return;
  }
  const given = SELECTION_MEMBERS.filter((member) => input[member] !== undefined);
  if (given.length > 0) report('cases', `has its own ${given.join(', ')}: leave them out, or leave out cases`);
}

const METRIC_ERROR = 'must be an object such as {"aggregation":"sum","propertyKey":"amount","alias":"revenue"}';

const metricShape = {
  aggregation: spelled(AGGREGATIONS, AGGREGATION_SPELLINGS),
  propertyKey: propertyKeySchema.optional().describe('Needed by all but count.'),
  alias: textSchema.min(1, 'must have 1 to 100 characters').max(100, 'must have 1 to 100 characters'),
};

export const metricSchema = z.strictObject(metricShape, {
  error: ({ code }) => (code === 'invalid_type' ? METRIC_ERROR : undefined),
});
memberHints.add(metricSchema, KEY_HINTS);
requestSchemas.add(metricSchema, { id: 'EventMetric' });

export const MAX_QUERY_ROWS = 1_000;

export const QUERY_MODES = ['raw', 'aggregate', 'retention'] as const;

const tableShape = {
  ...selection,
  eventName: eventNameSchema.optional(),
  cases: z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_CASES)
    .optional()
    .describe('basis.cases of an answer, in place of eventName and dates.'),
  mode: z.enum(QUERY_MODES).default('raw'),
  columns: z
    .array(propertyKeySchema, 'must be an array such as ["amount","plan"]')
    .min(1)
    .max(100)
    .optional()
    .describe('raw: keys to show; omitted means all.'),
  groupBy: groupKeysSchema.optional().describe('aggregate: up to 3 keys.'),
  metrics: z
    .array(metricSchema, `must be an array of metrics; one ${METRIC_ERROR}`)
    .min(1)
    .max(20)
    .optional()
    .describe('aggregate: one column each; default one count.'),
  sortBy: propertyKeySchema.optional().describe('A field, key, group key or alias.'),
  sortOrder: spelled(['asc', 'desc'], ORDER_SPELLINGS).optional().describe('Default desc.'),
  ...retentionShape,
  limit: limitSchema({ default: 100, maximum: MAX_QUERY_ROWS }),
  offset: offsetSchema,
};

export const eventsQuerySchema = z.strictObject(tableShape).superRefine(oneSelection);
requestSchemas.add(eventsQuerySchema, { id: 'EventsQuery' });
memberHints.add(eventsQuerySchema, TABLE_HINTS);
export type EventsQuery = z.output<typeof eventsQuerySchema>;

export const columnSchema = z.object({
  key: z.string(),
  type: z.enum(['string', 'number', 'boolean', 'object', 'array', 'datetime', 'mixed']),
});
responseSchemas.add(columnSchema, { id: 'Column' });
export type Column = z.output<typeof columnSchema>;

export const tableSchema = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  total: z.int().describe('Events, groups or cohorts.'),
  columns: z.array(columnSchema),
});
responseSchemas.add(tableSchema, { id: 'Table' });
export type Table = z.output<typeof tableSchema>;
/** A row; of single events the JSON text of one. */
export type ShownRow = Table['rows'][number] | string;
/** For answers that pass through the server: lists of events are JSON texts. */
export type ShownTable = Omit<Table, 'rows'> & { rows: ShownRow[] };

export const notesShape = {
  notes: z.array(z.string()).optional().describe('Unknown names, wrong types, why nothing matched, what was left out.'),
};

export const notedTableSchema = tableSchema.extend(notesShape);
responseSchemas.add(notedTableSchema, { id: 'QueriedTable' });

export const MAX_FEED_EVENTS = 100;

export const feedQuerySchema = z.strictObject({
  agentId: readAgentSchema.optional().describe('Default: the key\'s agent; "*": all.'),
  eventName: eventNameSchema.optional(),
  threadId: callerIdSchema.optional().describe('Only of this conversation.'),
  executionId: callerIdSchema.optional().describe('Only of this execution.'),
  segment: segmentReferenceSchema.optional(),
  limit: limitSchema({ default: 50, maximum: MAX_FEED_EVENTS }),
  offset: offsetSchema,
});
export type FeedQuery = z.output<typeof feedQuerySchema>;

export const trackedEventSchema = z.object({
  id: z.string(),
  eventName: z.string(),
  properties: z.record(z.string(), z.unknown()),
  threadId: z.string().nullable(),
  executionId: z.string().nullable(),
  timestamp: z.string(),
});
responseSchemas.add(trackedEventSchema, { id: 'Event' });
export type TrackedEvent = z.output<typeof trackedEventSchema>;

export const feedSchema = z.object({ events: z.array(trackedEventSchema), total: z.int(), ...notesShape });
/** The events are JSON texts. */
export type Feed = { events: string[]; total: number };

export const compareToSchema = spelled(['previous_period'], COMPARISON_SPELLINGS);
export const MAX_GROUPS = 500;

/** An empty object matches any review. */
export const reviewedAsSchema = z.strictObject({
  rating: z.array(z.enum(RATINGS)).min(1).max(RATINGS.length).optional(),
  status: z.array(z.enum(REVIEW_STATUSES)).min(1).max(REVIEW_STATUSES.length).optional(),
  tags: z.array(textSchema.min(1).max(100)).min(1).max(50).optional().describe('Any of them.'),
});
export type ReviewedAs = z.output<typeof reviewedAsSchema>;

const aggregationSchema = measureShape.aggregation;
type Measured = Partial<Record<'metric' | keyof typeof measureShape, unknown>>;

function isAggregation(metric: unknown): boolean {
  return aggregationSchema.safeParse(metric).success;
}

/** For `superRefine`: a metric, or what to measure. */
export function oneMeasure(input: Measured, context: z.RefinementCtx): void {
  measureOrMetric(input, context, ['eventName', 'aggregation']);
}

/** Like `oneMeasure`, with other members that are `needed` without a metric. */
export function measureOrMetric(
  input: Measured,
  context: z.RefinementCtx,
  needed: (keyof typeof measureShape)[],
): void {
  const report = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
  const given = MEASURE_MEMBERS.filter((member) => input[member] !== undefined);
  if (input.metric === undefined) {
    for (const member of needed) if (!given.includes(member)) report(member, 'is required');
  } else if (isAggregation(input.metric)) {
    report('metric', `is the name of a metric; for ${input.metric} did you mean aggregation?`);
  } else if (given.length > 0) {
    report('metric', `its definition has ${given.join(', ')}: leave them out, or leave out metric`);
  }
}

const MEASURE_MEMBERS = ['eventName', 'aggregation', 'propertyKey', 'numerator'] as const;

/** `name`, or `name@version`. */
export const metricReferenceSchema = nameSchema(200).describe(
  'A named metric, or name@version, in place of eventName, aggregation, propertyKey and numerator.',
);

export const aggregateEventsSchema = z
  .strictObject({
    ...narrowing,
    metric: metricReferenceSchema.optional(),
    ...measureShape,
    eventName: measureShape.eventName.optional(),
    aggregation: measureShape.aggregation.optional(),
    dateGrouping: spelled(DATE_GROUPINGS, GROUPING_SPELLINGS).optional().describe('Gives a series.'),
    group_by: groupKeysSchema.optional().describe('Gives groups; with dateGrouping a series each.'),
    limit: cappedSchema(MAX_GROUPS)
      .optional()
      .describe('Top groups (default 20, in a series 10); the rest is "other".'),
    compareTo: compareToSchema
      .optional()
      .describe('The same length before dateFrom, of groups too. "dateTo":"yesterday" makes whole days.'),
    review: reviewedAsSchema.optional().describe('Only events whose executionId was reviewed so; needs reviews:read.'),
    waitFor: receiptSchema.optional(),
  })
  .superRefine(oneMeasure);
requestSchemas.add(aggregateEventsSchema, { id: 'AggregateEvents' });
memberHints.add(aggregateEventsSchema, QUERY_HINTS);
export type AggregateEvents = z.output<typeof aggregateEventsSchema>;

/** An answer repeats the columns and must leave bytes for rows. */
const MAX_COLUMN_BYTES = 12_000;

export const queryEventsSchema = z
  .strictObject({
    ...tableShape,
    columns: tableShape.columns.refine(
      (columns) => Buffer.byteLength(columns?.join('') ?? '') <= MAX_COLUMN_BYTES,
      `must have at most ${MAX_COLUMN_BYTES} bytes together`,
    ),
    limit: limitSchema({ default: 20, maximum: 500 }),
    waitFor: receiptSchema.optional(),
  })
  .superRefine(oneSelection);
memberHints.add(queryEventsSchema, TABLE_HINTS);
export type QueryEvents = z.output<typeof queryEventsSchema>;

const labelSchema = textSchema
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine((label) => !/\p{Cc}/u.test(label), 'must not contain line breaks or other control characters');

export const funnelSchema = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        eventName: eventNameSchema,
        filters: filtersSchema.optional(),
        label: labelSchema.optional(),
      }),
      'must be an array of steps',
    )
    .min(2, 'must have at least 2 steps')
    .max(10, 'must have at most 10 steps'),
  by: propertyKeySchema
    .default('threadId')
    .describe('What goes through the steps: threadId, executionId or a property key.'),
  windowSeconds: z
    .int('must be a whole number of seconds')
    .min(1, 'must be at least 1')
    .max(366 * 86_400, 'must be at most 366 days')
    .default(14 * 86_400)
    .describe('Time from the first step to the last; 14 days by default.'),
  ...narrowing,
});
export type FunnelQuery = z.output<typeof funnelSchema>;
