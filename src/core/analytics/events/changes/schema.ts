import { z } from 'zod';
import { QUERY_HINTS } from '../../../base/filters/spellings.ts';
import { memberHints } from '../../../base/shared/issues.ts';
import { propertyKeySchema } from '../../../base/shared/name-schemas.ts';
import { cappedSchema } from '../../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { basisSchema, groupValueSchema, seriesAnnotationSchema } from '../questions/answer-schema.ts';
import { aggregateEventsSchema, compareToSchema, dateSchema, oneMeasure } from '../schema.ts';

export const MAX_PROPERTIES = 20;
const PERIOD_ERROR = 'must be previous_period, or a period such as {"dateFrom":"2026-10-01","dateTo":"2026-10-07"}';

const { dateGrouping: _, group_by: __, limit: ___, compareTo: ____, ...asked } = aggregateEventsSchema.shape;

export const explainChangeSchema = z
  .strictObject({
    ...asked,
    dateFrom: dateSchema.describe('Begin of the period to explain, as in aggregate_events.'),
    compareTo: z
      .union([compareToSchema, z.strictObject({ dateFrom: dateSchema, dateTo: dateSchema })], PERIOD_ERROR)
      .default('previous_period')
      .describe('previous_period (default), or {dateFrom, dateTo}.'),
    properties: z
      .array(propertyKeySchema, 'must be an array of property keys')
      .min(1)
      .max(MAX_PROPERTIES, `must name at most ${MAX_PROPERTIES} properties`)
      .optional()
      .describe('Properties to look at; default those with few values.'),
    limit: cappedSchema(50).optional().describe('Groups of a property (default 5); the rest is "other".'),
  })
  .superRefine(oneMeasure);
requestSchemas.add(explainChangeSchema, { id: 'ExplainChange' });
memberHints.add(explainChangeSchema, QUERY_HINTS);
export type ExplainChange = z.output<typeof explainChangeSchema>;

const value = z.number().nullable();

export const contributionSchema = z.object({
  property: z.string(),
  group: groupValueSchema,
  current: value,
  previous: value,
  contribution: z.number(),
  rateEffect: z.number().optional().describe('For ratios: the effect of the change of the group itself.'),
  mixEffect: z.number().optional().describe('For ratios: the effect of the change of its weight.'),
});
export type ShownContribution = z.output<typeof contributionSchema>;

export const anomalySchema = z.object({ bucket: z.string(), value: z.number(), expected: z.number() });

export const explanationSchema = z.object({
  current: value,
  previous: value,
  change: value,
  confident: z.boolean().describe('Whether a group stands out from chance.'),
  contributions: z
    .array(contributionSchema)
    .describe('The likeliest cause first. Those of a property add up to change - unexplained.'),
  unexplained: value.describe('What no group accounts for; 0 but for some formulas.'),
  lookedAt: z.object({ properties: z.array(z.string()), comparisons: z.int() }),
  anomalies: z.array(anomalySchema).optional().describe('Unlike the median of the same times in earlier weeks.'),
  annotations: z.array(seriesAnnotationSchema).optional().describe('What happened in the periods.'),
  basis: basisSchema.extend({ previousFrom: z.string(), previousTo: z.string() }),
  notes: z.array(z.string()),
});
responseSchemas.add(explanationSchema, { id: 'Explanation' });
export type Explanation = z.output<typeof explanationSchema>;
