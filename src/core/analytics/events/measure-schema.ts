import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import { AGGREGATION_SPELLINGS, QUERY_HINTS, spelled } from '../../base/filters/spellings.ts';
import { memberHints } from '../../base/shared/issues.ts';
import { eventNameSchema, propertyKeySchema, textSchema } from '../../base/shared/name-schemas.ts';
import { AGGREGATIONS } from './fields.ts';
import { MAX_EXPRESSION } from './formula.ts';

const NUMERATOR_ERROR = 'must be an object of eventName, filters or both';

/** A part of the events of `eventName`, or another event. */
export const numeratorSchema = z.strictObject(
  { eventName: eventNameSchema.optional(), filters: filtersSchema.optional() },
  { error: (issue) => (issue.code === 'invalid_type' ? NUMERATOR_ERROR : undefined) },
);

/** The measure of a number. */
export const measureShape = {
  eventName: eventNameSchema,
  aggregation: spelled([...AGGREGATIONS, 'rate'], AGGREGATION_SPELLINGS),
  propertyKey: propertyKeySchema.optional().describe('Needed by all but count and rate.'),
  numerator: numeratorSchema.optional().describe('rate: the part counted against all events of eventName.'),
};

/** One of the two forms of a metric. */
export const measureSchema = z.strictObject({ ...measureShape, filters: filtersSchema.optional() });
memberHints.add(measureSchema, QUERY_HINTS);
export type MeasureDefinition = z.output<typeof measureSchema>;

const { numerator: _numerator, ...partShape } = measureSchema.shape;
const formulaPartSchema = z.strictObject({
  ...partShape,
  aggregation: spelled(AGGREGATIONS, AGGREGATION_SPELLINGS),
  propertyKey: propertyKeySchema.optional().describe('Needed by all but count.'),
});
memberHints.add(formulaPartSchema, QUERY_HINTS);

const PART_NAME = /^[a-z][a-z0-9_]{0,49}$/;
const PARTS_ERROR =
  'must be an object of 1 to 20 parts, such as {"resolved": {"eventName": "ticket_resolved", "aggregation": "count"}}';

/** The other form: arithmetic over several of them. */
export const formulaSchema = z.strictObject({
  expression: textSchema
    .min(1, 'must not be empty')
    .max(MAX_EXPRESSION, `must have at most ${MAX_EXPRESSION} characters`)
    .describe('+ - * /, parentheses, numbers and names of parts, such as "resolved / started".'),
  parts: z
    .record(
      z.string().regex(PART_NAME, 'must begin with a letter; a-z, 0-9 and _, at most 50'),
      formulaPartSchema,
      PARTS_ERROR,
    )
    .refine((parts) => Object.keys(parts).length >= 1 && Object.keys(parts).length <= 20, PARTS_ERROR),
});
export type FormulaDefinition = z.output<typeof formulaSchema>;
