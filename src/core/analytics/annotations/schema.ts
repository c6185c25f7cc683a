import { z } from 'zod';
import { someMember } from '../../base/shared/json.ts';
import { timestampSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { oneLineName } from '../dashboards/config-schema.ts';
import { dateSchema } from '../events/schema.ts';

const textSchema = oneLineName(500).describe('Such as "Release 2.3".');

export const createAnnotationSchema = z.strictObject({
  text: textSchema,
  at: timestampSchema.optional().describe('When it happened; default now.'),
});
requestSchemas.add(createAnnotationSchema, { id: 'CreateAnnotation' });
export type CreateAnnotation = z.output<typeof createAnnotationSchema>;

export const updateAnnotationSchema = z
  .strictObject({ text: textSchema.optional(), at: timestampSchema.optional() })
  .refine(...someMember);
requestSchemas.add(updateAnnotationSchema, { id: 'UpdateAnnotation' });
export type UpdateAnnotation = z.output<typeof updateAnnotationSchema>;

export const annotationsQuerySchema = z.strictObject({
  dateFrom: dateSchema.optional().describe('Included, as in events/query.'),
  dateTo: dateSchema.optional().describe('Not included, but a day or period is included whole.'),
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  offset: offsetSchema,
});
export type AnnotationsQuery = z.output<typeof annotationsQuerySchema>;

export const annotationSchema = z.object({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  createdAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
});
responseSchemas.add(annotationSchema, { id: 'Annotation' });
export type Annotation = z.output<typeof annotationSchema>;
