import { z } from 'zod';
import {
  discoveredEventSchema,
  discoveredPropertySchema,
  eventNamesQuerySchema,
  eventPropertiesQuerySchema,
  propertyValuesQuerySchema,
  propertyValuesSchema,
} from '../../../core/analytics/events/discovery/workspace-schema.ts';
import { aggregateAnswerSchema } from '../../../core/analytics/events/questions/answer-schema.ts';
import { withNote } from '../../../core/analytics/events/questions/notes.ts';
import { aggregateEventsSchema } from '../../../core/analytics/events/schema.ts';
import { pageOf } from '../../../core/base/shared/paging.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './login-answer.ts';

const MAX_QUERY_BYTES = 1024 * 1024;

const USER = { access: 'portal:user', tag: 'Portal: discovery' } as const;

// Query parameters are documented in the order in which they are picked.
export const discoveryRoutes: Route[] = [
  pagedRoute({
    path: `${PORTAL}/event-names`,
    ...USER,
    summary: 'Find event names',
    description: 'The events that were recorded, last seen first.',
    query: eventNamesQuerySchema,
    page: 'One page of names.',
    member: ['eventNames', z.array(discoveredEventSchema).describe('The events.')],
    list: async ({ services, caller, query }) => pageOf(await services.events.eventNames(caller, query), query),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/event-properties`,
    ...USER,
    summary: 'List the properties of an event',
    description: 'The property keys of the event with their types; none for an event that nobody has seen.',
    query: eventPropertiesQuerySchema.pick({ eventName: true, agentId: true }),
    responses: {
      200: {
        description: 'All of them.',
        schema: z.object({
          eventName: z.string().describe('The event that was asked about.'),
          properties: z.array(discoveredPropertySchema).describe('The properties, in the order of their appearance.'),
          total: z.int().describe('The number of properties.'),
        }),
      },
    },
    run: async ({ services, caller, query }) => {
      const found = await services.events.eventProperties(caller, query);
      const { eventName } = query;
      return { body: { eventName, properties: found.map(({ key, type }) => ({ key, type })), total: found.length } };
    },
  }),
  route({
    method: 'get',
    path: `${PORTAL}/property-values`,
    ...USER,
    summary: 'List the values of a property',
    description: 'The most frequent values over all events of that name.',
    query: propertyValuesQuerySchema.pick({ eventName: true, propertyKey: true, agentId: true, limit: true }),
    faults: { 404: 'The event has no such property; the message says which it has.' },
    responses: { 200: { description: 'Values and how often they occur.', schema: propertyValuesSchema } },
    answer: ({ services, caller, query, signal }) => services.events.propertyValues(caller, query, { signal }),
  }),
  route({
    method: 'post',
    path: `${PORTAL}/aggregate`,
    ...USER,
    summary: 'Ask for a KPI',
    description:
      'One number, a series or a value per group: the same question and the same answer as the MCP tool `aggregate_events`, which docs/mcp.md describes.',
    body: { schema: aggregateEventsSchema, maxBytes: MAX_QUERY_BYTES },
    faults: { 422: 'The question cannot be answered; the message says what to change.' },
    responses: { 200: { description: 'The KPI, and what it rests on.', schema: aggregateAnswerSchema } },
    answer: async ({ services, caller, body, signal }) =>
      withNote(await services.events.aggregate(caller, body, { signal })),
  }),
];
