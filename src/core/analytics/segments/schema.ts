import { z } from 'zod';
import { someMember } from '../../base/shared/json.ts';
import { identifierSchema, nameSchema, textSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { segmentShape } from '../events/segment-schema.ts';

const definitionShape = {
  title: nameSchema(200).optional().describe('Such as Repeat buyers.'),
  description: textSchema
    .min(1, 'must not be empty')
    .max(2_000, 'must have at most 2,000 characters')
    .optional()
    .describe('Whom it holds, and whom it leaves out.'),
  ...segmentShape,
};

export const createSegmentSchema = z.strictObject({
  name: identifierSchema('repeat_buyers'),
  ...definitionShape,
});
requestSchemas.add(createSegmentSchema, { id: 'CreateSegment' });
export type CreateSegment = z.output<typeof createSegmentSchema>;

export const updateSegmentSchema = z
  .strictObject({
    title: definitionShape.title.nullable().describe('Null removes it.'),
    description: definitionShape.description.nullable().describe('Null removes it.'),
    by: segmentShape.by.optional(),
    conditions: segmentShape.conditions.optional(),
  })
  .refine(...someMember);
requestSchemas.add(updateSegmentSchema, { id: 'UpdateSegment' });
export type UpdateSegment = z.output<typeof updateSegmentSchema>;

export const segmentsQuerySchema = z.strictObject({
  search: nameSchema(200).optional().describe('Part of a name or title.'),
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  offset: offsetSchema,
});
export type SegmentsQuery = z.output<typeof segmentsQuerySchema>;

export const segmentSchema = z.object({
  name: z.string(),
  ...definitionShape,
  createdAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
  updatedAt: z.string(),
});
responseSchemas.add(segmentSchema, { id: 'Segment' });
export type ShownSegment = z.output<typeof segmentSchema>;
