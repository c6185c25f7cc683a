import { z } from 'zod';
import {
  annotationSchema,
  annotationsQuerySchema,
  createAnnotationSchema,
  updateAnnotationSchema,
} from '../../core/analytics/annotations/schema.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './paged-route.ts';

const ANNOTATIONS = '/api/v1/runtime/observability/annotations';
const MAX_BYTES = 16 * 1024;

const READ = { access: 'metrics:read', tag: 'Annotations' } as const;
const WRITE = { access: 'metrics:write', tag: 'Annotations' } as const;
const byId = z.strictObject({ id: z.string() });
const NO_ANNOTATION = 'There is no such annotation.';
const oneAnnotation = z.object({ success: z.literal(true), annotation: annotationSchema });

export const annotationRoutes: Route[] = [
  pagedRoute({
    path: ANNOTATIONS,
    ...READ,
    summary: 'List annotations',
    description: 'Newest first, by the time that they are about.',
    query: annotationsQuerySchema,
    page: 'One page of annotations.',
    member: ['annotations', z.array(annotationSchema)],
    list: ({ services, caller, query }) => services.annotations.list(caller, query),
  }),
  route({
    method: 'post',
    path: ANNOTATIONS,
    ...WRITE,
    summary: 'Add an annotation',
    description: 'Says what happened when, such as a release. Series, charts and explanations of that time show it.',
    body: { schema: createAnnotationSchema, maxBytes: MAX_BYTES },
    faults: { 422: 'The tenant has as many annotations as it can.' },
    responses: { 201: { description: 'The annotation.', schema: oneAnnotation } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, annotation: await services.annotations.create(caller, body) },
    }),
  }),
  route({
    method: 'patch',
    path: `${ANNOTATIONS}/:id`,
    ...WRITE,
    summary: 'Change an annotation',
    description: 'Send only what changes.',
    params: byId,
    body: { schema: updateAnnotationSchema, maxBytes: MAX_BYTES },
    faults: { 404: NO_ANNOTATION },
    responses: { 200: { description: 'The changed annotation.', schema: oneAnnotation } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, annotation: await services.annotations.update(caller, params.id, body) },
    }),
  }),
  route({
    method: 'delete',
    path: `${ANNOTATIONS}/:id`,
    ...WRITE,
    summary: 'Remove an annotation',
    description: 'Nothing shows it any more.',
    params: byId,
    faults: { 404: NO_ANNOTATION },
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.annotations.remove(caller, params.id),
  }),
];
