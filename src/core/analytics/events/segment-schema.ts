import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import { QUERY_HINTS } from '../../base/filters/spellings.ts';
import { memberHints } from '../../base/shared/issues.ts';
import { eventNameSchema, propertyKeySchema } from '../../base/shared/name-schemas.ts';
import { dateSchema } from './schema.ts';

const segmentConditionSchema = z.strictObject({
  eventName: eventNameSchema,
  filters: filtersSchema.optional(),
  atLeast: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000_000, 'must be at most 1,000,000')
    .optional()
    .describe('Events that match; default 1.'),
  dateFrom: dateSchema
    .optional()
    .describe('Included, as in events/query, in the time zone and at the time of the question.'),
  dateTo: dateSchema.optional().describe('Not included, but a day or period is included whole.'),
});
memberHints.add(segmentConditionSchema, {
  ...QUERY_HINTS,
  count: 'did you mean atLeast?',
  times: 'did you mean atLeast?',
});

/** Subjects whose events meet conditions. */
export const segmentShape = {
  by: propertyKeySchema.describe('Whose events are counted: threadId, or a property key such as customer.'),
  conditions: z
    .array(
      segmentConditionSchema,
      'must be an array such as [{"eventName":"order_paid","atLeast":2,"dateFrom":"-30d"}]',
    )
    .min(1, 'must hold at least one condition')
    .max(10, 'must hold at most 10 conditions')
    .describe('All must hold.'),
};

export const segmentDefinitionSchema = z.strictObject(segmentShape);
export type SegmentDefinition = z.output<typeof segmentDefinitionSchema>;
