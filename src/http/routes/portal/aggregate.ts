import { aggregateAnswerSchema } from '../../../core/events/questions/answer-schema.ts';
import { aggregateEventsSchema } from '../../../core/events/schema.ts';
import { type Route, route } from '../../route.ts';
import { PORTAL } from './support.ts';

/** A filter may list a thousand values. */
const MAX_QUERY_BYTES = 1024 * 1024;

export const aggregateRoutes: Route[] = [
  route({
    method: 'post',
    path: `${PORTAL}/aggregate`,
    access: 'portal:user',
    tag: 'Portal: discovery',
    summary: 'Ask for a KPI',
    description:
      'One number, a series or a value per group: the same question and the same answer as the MCP tool `aggregate_events`, which docs/mcp.md describes.',
    body: { schema: aggregateEventsSchema, maxBytes: MAX_QUERY_BYTES },
    faults: { 422: 'The question cannot be answered; the message says what to change.' },
    responses: { 200: { description: 'The KPI, and what it rests on.', schema: aggregateAnswerSchema } },
    run: async ({ services, caller, body, signal }) => ({
      body: await services.events.aggregate(caller, body, { signal }),
    }),
  }),
];
