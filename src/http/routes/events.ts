import { z } from 'zod';
import { explainChangeSchema, explanationSchema } from '../../core/analytics/events/changes/schema.ts';
import { ingestBatchSchema, ingestResultSchema, MAX_BATCH_BYTES } from '../../core/analytics/events/ingest-schema.ts';
import { withNotes } from '../../core/analytics/events/questions/notes.ts';
import {
  eventsQuerySchema,
  feedQuerySchema,
  feedSchema,
  notedTableSchema,
} from '../../core/analytics/events/schema.ts';
import { listAnswer } from '../list-answer.ts';
import { type Route, route } from '../route.ts';

const EVENTS = '/api/v1/runtime/v1/observability/events';
const MAX_QUERY_BYTES = 1024 * 1024;

const waitForHeader = { 'x-wait-for': 'Receipt of an ingest: waits up to 5 s until its events are visible.' };

export const eventRoutes: Route[] = [
  route({
    method: 'post',
    path: EVENTS,
    access: 'events:write',
    tag: 'Tracked events',
    summary: 'Ingest events',
    description:
      'Stores 1 to 5,000 events durably; they become queryable within two seconds. Also takes NDJSON, one event a line. ' +
      'One bad event makes the whole batch a 400 and nothing is stored; with `partial=true` the good ones are stored.',
    query: z.strictObject({
      partial: z
        .boolean('must be true or false')
        .optional()
        .describe('true stores the good events of a batch and lists the bad ones.'),
    }),
    body: { schema: ingestBatchSchema, maxBytes: MAX_BATCH_BYTES, fromLines: (events) => ({ events }) },
    responses: { 202: { description: 'Stored durably.', schema: ingestResultSchema } },
    answer: ({ services, caller, body, query }) => services.events.ingest(caller, body, { partial: query.partial }),
  }),
  route({
    method: 'get',
    path: `${EVENTS}/feed`,
    access: 'events:read',
    tag: 'Tracked events',
    summary: 'Newest events',
    description: "Events with all their properties, most recent first. The runtime's own events appear when named.",
    query: feedQuerySchema,
    headers: waitForHeader,
    responses: { 200: { description: 'One page of events.', schema: feedSchema } },
    run: async ({ services, caller, query, header, signal }) =>
      listAnswer(
        'events',
        withNotes(await services.events.feed(caller, query, { waitFor: header('x-wait-for'), signal })),
      ),
  }),
  route({
    method: 'post',
    path: `${EVENTS}/query`,
    access: 'events:read',
    tag: 'Tracked events',
    summary: 'Query events as a table',
    description:
      'Mode raw gives single events, mode aggregate gives groups with metrics. Filters, dates, grouping and sorting are described in docs/events.md.',
    body: { schema: eventsQuerySchema, maxBytes: MAX_QUERY_BYTES },
    headers: waitForHeader,
    responses: { 200: { description: 'Rows and their columns.', schema: notedTableSchema } },
    run: async ({ services, caller, body, header, signal }) =>
      listAnswer(
        'rows',
        withNotes(await services.events.query(caller, body, { waitFor: header('x-wait-for'), signal })),
      ),
  }),
];

const MAX_BYTES = 1024 * 1024;

export const explainRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/v1/runtime/observability/explain',
    access: 'events:read',
    tag: 'Metrics',
    summary: 'Explain a change',
    description:
      'Which groups of which properties carry the difference of two periods: the same question and answer as the MCP tool `explain_change`, which docs/explain.md describes.',
    body: { schema: explainChangeSchema, maxBytes: MAX_BYTES },
    headers: { 'x-wait-for': 'Receipt of an ingest: waits up to 5 s until its events are visible.' },
    faults: { 422: 'The change of this measure cannot be split among groups; the message says what can.' },
    responses: { 200: { description: 'The contributions, and what they rest on.', schema: explanationSchema } },
    answer: ({ services, caller, body, header, signal }) =>
      services.events.explainChange(caller, body, {
        waitFor: header('x-wait-for'),
        signal,
        scope: 'events:read',
      }),
  }),
];
