import { z } from 'zod';
import {
  annotationSchema,
  annotationsQuerySchema,
  createAnnotationSchema,
  updateAnnotationSchema,
} from '../../core/analytics/annotations/schema.ts';
import type { Route } from '../route.ts';
import { nounRoutes } from './noun-routes.ts';

const annotations = nounRoutes({
  path: '/api/v1/runtime/observability/annotations',
  params: z.strictObject({ id: z.string() }),
  tag: 'Annotations',
  scopes: { read: 'metrics:read', write: 'metrics:write' },
  member: 'annotation',
  schema: annotationSchema,
  maxBytes: 16 * 1024,
  missing: 'There is no such annotation.',
});

export const annotationRoutes: Route[] = [
  annotations.list({
    summary: 'List annotations',
    description: 'Newest first, by the time that they are about.',
    query: annotationsQuerySchema,
    list: ({ services, caller, query }) => services.annotations.list(caller, query),
  }),
  annotations.create({
    summary: 'Add an annotation',
    description: 'Says what happened when, such as a release. Series, charts and explanations of that time show it.',
    body: createAnnotationSchema,
    faults: { 422: 'The tenant has as many annotations as it can.' },
    answer: ({ services, caller, body }) => services.annotations.create(caller, body),
  }),
  annotations.change({
    summary: 'Change an annotation',
    description: 'Send only what changes.',
    body: updateAnnotationSchema,
    answer: ({ services, caller, params, body }) => services.annotations.update(caller, params.id, body),
  }),
  annotations.remove({
    summary: 'Remove an annotation',
    description: 'Nothing shows it any more.',
    run: ({ services, caller, params }) => services.annotations.remove(caller, params.id),
  }),
];
