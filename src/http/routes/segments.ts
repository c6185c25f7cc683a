import { z } from 'zod';
import { caseEventsSchema, casesQuerySchema } from '../../core/analytics/events/cases/ask-cases.ts';
import {
  createSegmentSchema,
  segmentSchema,
  segmentsQuerySchema,
  updateSegmentSchema,
} from '../../core/analytics/segments/schema.ts';
import { listAnswer } from '../list-answer.ts';
import { type Route, route } from '../route.ts';
import { nounRoutes } from './noun-routes.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const segments = nounRoutes({
  path: `${OBSERVABILITY}/segments`,
  params: z.strictObject({ name: z.string() }),
  tag: 'Segments',
  scopes: { read: 'metrics:read', write: 'metrics:write' },
  member: 'segment',
  schema: segmentSchema,
  maxBytes: 256 * 1024,
  missing: 'There is no such segment.',
});

export const segmentRoutes: Route[] = [
  segments.list({
    summary: 'List segments',
    description: 'Saved filters over who did what when, by name.',
    query: segmentsQuerySchema,
    list: ({ services, caller, query }) => services.segments.list(caller, query),
  }),
  segments.create({
    summary: 'Save a segment',
    description:
      'A filter over who did what when. Its subjects are the values of `by` for which all conditions hold; a question with `segment` counts events of these alone. docs/segments.md has examples.',
    body: createSegmentSchema,
    faults: {
      409: 'The segment is there already.',
      422: 'The tenant has as many segments, or bytes of definitions, as it can.',
    },
    answer: ({ services, caller, body }) => services.segments.create(caller, body),
  }),
  segments.get({
    summary: 'Get a segment',
    description: 'One segment with its conditions.',
    answer: ({ services, caller, params }) => services.segments.get(caller, params.name),
  }),
  segments.change({
    summary: 'Change a segment',
    description: 'Send only what changes; `conditions` replaces all of them. The name stays.',
    body: updateSegmentSchema,
    faults: { 422: 'The tenant has as many bytes of definitions as it can.' },
    answer: ({ services, caller, params, body }) => services.segments.update(caller, params.name, body),
  }),
  segments.remove({
    summary: 'Remove a segment',
    description: 'Questions and cards that name it are refused from then on.',
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
    run: async ({ services, caller, params, query, signal }) =>
      listAnswer('events', await services.events.cases(caller, params.handle, query, { signal })),
  }),
];
