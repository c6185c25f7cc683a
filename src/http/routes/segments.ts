import { z } from 'zod';
import { caseEventsSchema, casesQuerySchema } from '../../core/analytics/events/cases/ask-cases.ts';
import {
  createSegmentSchema,
  segmentSchema,
  segmentsQuerySchema,
  updateSegmentSchema,
} from '../../core/analytics/segments/schema.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './paged-route.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const SEGMENTS = `${OBSERVABILITY}/segments`;
const MAX_BYTES = 256 * 1024;

const READ = { access: 'metrics:read', tag: 'Segments' } as const;
const WRITE = { access: 'metrics:write', tag: 'Segments' } as const;
const byName = z.strictObject({ name: z.string() });
const NO_SEGMENT = 'There is no such segment.';
const oneSegment = z.object({ success: z.literal(true), segment: segmentSchema });

export const segmentRoutes: Route[] = [
  pagedRoute({
    path: SEGMENTS,
    ...READ,
    summary: 'List segments',
    description: 'Saved filters over who did what when, by name.',
    query: segmentsQuerySchema,
    page: 'One page of segments.',
    member: ['segments', z.array(segmentSchema)],
    list: ({ services, caller, query }) => services.segments.list(caller, query),
  }),
  route({
    method: 'post',
    path: SEGMENTS,
    ...WRITE,
    summary: 'Save a segment',
    description:
      'A filter over who did what when. Its subjects are the values of `by` for which all conditions hold; a question with `segment` counts events of these alone. docs/segments.md has examples.',
    body: { schema: createSegmentSchema, maxBytes: MAX_BYTES },
    faults: {
      409: 'The segment is there already.',
      422: 'The tenant has as many segments, or bytes of definitions, as it can.',
    },
    responses: { 201: { description: 'The segment.', schema: oneSegment } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, segment: await services.segments.create(caller, body) },
    }),
  }),
  route({
    method: 'get',
    path: `${SEGMENTS}/:name`,
    ...READ,
    summary: 'Get a segment',
    description: 'One segment with its conditions.',
    params: byName,
    faults: { 404: NO_SEGMENT },
    responses: { 200: { description: 'The segment.', schema: oneSegment } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, segment: await services.segments.get(caller, params.name) },
    }),
  }),
  route({
    method: 'patch',
    path: `${SEGMENTS}/:name`,
    ...WRITE,
    summary: 'Change a segment',
    description: 'Send only what changes; `conditions` replaces all of them. The name stays.',
    params: byName,
    body: { schema: updateSegmentSchema, maxBytes: MAX_BYTES },
    faults: { 404: NO_SEGMENT, 422: 'The tenant has as many bytes of definitions as it can.' },
    responses: { 200: { description: 'The changed segment.', schema: oneSegment } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, segment: await services.segments.update(caller, params.name, body) },
    }),
  }),
  route({
    method: 'delete',
    path: `${SEGMENTS}/:name`,
    ...WRITE,
    summary: 'Remove a segment',
    description: 'Questions and cards that name it are refused from then on.',
    params: byName,
    faults: { 404: NO_SEGMENT },
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.segments.remove(caller, params.name),
  }),
  route({
    method: 'get',
    path: `${OBSERVABILITY}/cases/:handle`,
    access: 'events:read',
    tag: 'Segments',
    summary: 'The events behind a number',
    description:
      "`handle` is the `basis.cases` of an answer. Its events, newest first, with the threads and executions that they belong to. A handle is a question, not a right: it is answered from the caller's own tenant.",
    params: z.strictObject({ handle: z.string() }),
    query: casesQuerySchema,
    responses: { 200: { description: 'One page of events, and what they belong to.', schema: caseEventsSchema } },
    run: async ({ services, caller, params, query, signal }) => ({
      body: await services.events.cases(caller, params.handle, query, { signal }),
    }),
  }),
];
