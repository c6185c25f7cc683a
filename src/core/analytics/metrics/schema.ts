import { z } from 'zod';
import { definitionsIn } from '../../base/shared/definition-file.ts';
import { memberHints } from '../../base/shared/issues.ts';
import { someMember } from '../../base/shared/json.ts';
import { identifierSchema, nameSchema, textSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { numberFormatSchema } from '../dashboards/config-schema.ts';
import { formulaSchema, measureSchema } from '../events/measure-schema.ts';
import { GOOD_DIRECTIONS, METRIC_STATES } from '../events/questions/question.ts';

export const metricNameSchema = identifierSchema('resolution_rate');

const longText = (maximum: number) =>
  textSchema.min(1, 'must not be empty').max(maximum, `must have at most ${maximum} characters`);

export const synonymsSchema = z
  .array(nameSchema(100), 'must be an array of texts')
  .max(30, 'must have at most 30 synonyms')
  .describe('Other names that people use for it.');

const FORMULA_ERROR =
  'must be {"eventName", "aggregation", "propertyKey"?, "numerator"?, "filters"?}, or {"expression", "parts"} for arithmetic over several';

const metricShape = {
  title: nameSchema(200).describe('Such as Resolution rate.'),
  description: longText(2_000).optional().describe('What it means, and what it leaves out.'),
  synonyms: synonymsSchema.optional(),
  unit: nameSchema(30).optional().describe('Such as USD, minutes or %.'),
  format: numberFormatSchema.optional(),
  goodDirection: z
    .enum(GOOD_DIRECTIONS, 'must be up, down or none')
    .default('none')
    .describe('Whether a rise or a fall is good.'),
  formula: z.union([formulaSchema, measureSchema], FORMULA_ERROR),
  owner: nameSchema(200).optional().describe('Who answers questions about it.'),
};

/** A version of a metric. */
export const metricDefinitionSchema = z.strictObject(metricShape);
export type MetricDefinition = z.output<typeof metricDefinitionSchema>;

const FORMULA_HINTS = Object.fromEntries(
  ['eventName', 'aggregation', 'propertyKey', 'numerator', 'filters', 'expression', 'parts'].map((member) => [
    member,
    'put it into formula',
  ]),
);

export const createMetricSchema = z.strictObject({ name: metricNameSchema, ...metricShape });
requestSchemas.add(createMetricSchema, { id: 'CreateMetric' });
memberHints.add(createMetricSchema, FORMULA_HINTS);
export type CreateMetric = z.output<typeof createMetricSchema>;

const removable = <Schema extends z.ZodOptional>(schema: Schema) => schema.nullable().describe('Null removes it.');

export const updateMetricSchema = z
  .strictObject({
    title: metricShape.title.optional(),
    description: removable(metricShape.description),
    synonyms: removable(metricShape.synonyms).describe('Replaces all; [] or null removes them.'),
    unit: removable(metricShape.unit),
    format: removable(metricShape.format),
    goodDirection: metricShape.goodDirection.removeDefault().optional(),
    formula: metricShape.formula.optional(),
    owner: removable(metricShape.owner),
  })
  .refine(...someMember);
requestSchemas.add(updateMetricSchema, { id: 'UpdateMetric' });
memberHints.add(updateMetricSchema, FORMULA_HINTS);
export type UpdateMetric = z.output<typeof updateMetricSchema>;

const versionSchema = z.int('must be a whole number').min(1, 'must be at least 1');

export const approveMetricSchema = z.strictObject({
  version: versionSchema.describe('The version that was looked at.'),
});
requestSchemas.add(approveMetricSchema, { id: 'ApproveMetric' });

export const metricsQuerySchema = z.strictObject({
  search: nameSchema(200).optional().describe('Words of names, titles, synonyms, terms and descriptions, best first.'),
  state: z.enum(METRIC_STATES).optional(),
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  offset: offsetSchema,
});
export type MetricsQuery = z.output<typeof metricsQuerySchema>;

export const metricVersionsQuerySchema = z.strictObject({
  limit: limitSchema({ default: 500, maximum: 500 }),
  offset: offsetSchema,
});
export type MetricVersionsQuery = z.output<typeof metricVersionsQuerySchema>;

export const metricDiffQuerySchema = z.strictObject({
  from: versionSchema.optional().describe('Default: the version before `to`.'),
  to: versionSchema.optional().describe('Default: the newest version.'),
});
export type MetricDiffQuery = z.output<typeof metricDiffQuerySchema>;

export const changeSchema = z.object({
  path: z.string().describe('The path of the member, such as formula.filters[0].value.'),
  before: z.unknown().optional().describe('Left out: the member is new.'),
  after: z.unknown().optional().describe('Left out: the member is gone.'),
});
export type MemberChange = z.output<typeof changeSchema>;

export const metricVersionSchema = z.object({
  ...metricShape,
  goodDirection: metricShape.goodDirection.removeDefault(),
  name: z.string(),
  version: z.int(),
  state: z.enum(METRIC_STATES),
  createdAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
  decidedAt: z.string().nullable().describe('When it was approved or deprecated.'),
  decidedBy: z.string().nullable(),
});
responseSchemas.add(metricVersionSchema, { id: 'MetricVersion' });
export type ShownVersion = z.output<typeof metricVersionSchema>;

/** The version that the name alone stands for: the approved one, or else the newest. */
export const catalogMetricSchema = metricVersionSchema.extend({
  latestVersion: z.int(),
  approvedVersion: z.int().nullable(),
});
responseSchemas.add(catalogMetricSchema, { id: 'Metric' });
export type ShownMetric = z.output<typeof catalogMetricSchema>;

export const termShape = {
  term: nameSchema(100).describe('Such as churn.'),
  definition: longText(2_000),
  synonyms: synonymsSchema.optional(),
  metric: metricNameSchema.optional().describe('The metric that it means.'),
};
export const createTermSchema = z.strictObject(termShape);
requestSchemas.add(createTermSchema, { id: 'CreateTerm' });
export type GlossaryTerm = z.output<typeof createTermSchema>;

export const updateTermSchema = z
  .strictObject({
    definition: termShape.definition.optional(),
    synonyms: removable(termShape.synonyms).describe('Replaces all; [] or null removes them.'),
    metric: removable(termShape.metric),
  })
  .refine(...someMember);
requestSchemas.add(updateTermSchema, { id: 'UpdateTerm' });
export type UpdateTerm = z.output<typeof updateTermSchema>;

export const termSchema = z.object({ ...termShape, createdAt: z.string(), updatedAt: z.string() });
responseSchemas.add(termSchema, { id: 'Term' });
export type ShownTerm = z.output<typeof termSchema>;

export const termsQuerySchema = z.strictObject({
  search: nameSchema(200).optional().describe('Part of a term or of a synonym.'),
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  offset: offsetSchema,
});
export type TermsQuery = z.output<typeof termsQuerySchema>;

/** One metric, an array or `{"metrics": [...]}`. Throws `invalid`. */
export function metricDefinitionsIn(input: unknown): CreateMetric[] {
  return definitionsIn(input, { noun: 'metric', schema: createMetricSchema, key: 'name', keySchema: metricNameSchema });
}

/** The members of a metric that `apply` takes. */
export function metricFileOf(metric: ShownMetric): CreateMetric {
  const members = Object.entries(metric).filter(([member]) => Object.hasOwn(createMetricSchema.shape, member));
  return Object.fromEntries(members) as CreateMetric;
}
