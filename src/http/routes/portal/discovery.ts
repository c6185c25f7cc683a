import { z } from 'zod';
import {
  discoveredEventSchema,
  discoveredPropertySchema,
  eventNamesQuerySchema,
  eventPropertiesQuerySchema,
  propertyValuesQuerySchema,
  propertyValuesSchema,
} from '../../../core/events/questions/workspace-schema.ts';
import { fromQueryString, numberFromQueryString, pageOf } from '../../../core/shared/paging.ts';
import { type Route, route } from '../../route.ts';
import { PORTAL, pageBody, pageShape } from './support.ts';

const names = eventNamesQuerySchema.shape;
const properties = eventPropertiesQuerySchema.shape;
const values = propertyValuesQuerySchema.shape;

export const discoveryRoutes: Route[] = [
  route({
    method: 'get',
    path: `${PORTAL}/event-names`,
    access: 'portal:user',
    tag: 'Portal: discovery',
    summary: 'Find event names',
    description: 'The events that were recorded, last seen first.',
    query: z.strictObject({
      agentId: fromQueryString(names.agentId),
      search: fromQueryString(names.search),
      limit: numberFromQueryString(names.limit),
      offset: numberFromQueryString(names.offset),
    }),
    responses: {
      200: {
        description: 'One page of names.',
        schema: z.object({ eventNames: z.array(discoveredEventSchema).describe('The events.'), ...pageShape }),
      },
    },
    run: async ({ services, caller, query }) => ({
      body: pageBody('eventNames', pageOf(await services.events.eventNames(caller, query), query), query),
    }),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/event-properties`,
    access: 'portal:user',
    tag: 'Portal: discovery',
    summary: 'List the properties of an event',
    description: 'Its property keys with their types; none for an event that nobody has seen.',
    query: z.strictObject({
      eventName: fromQueryString(properties.eventName),
      agentId: fromQueryString(properties.agentId),
    }),
    responses: {
      200: {
        description: 'All of them.',
        schema: z.object({
          eventName: z.string().describe('The event that was asked about.'),
          properties: z.array(discoveredPropertySchema).describe('In the order of their appearance.'),
          total: z.int().describe('How many there are.'),
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
    access: 'portal:user',
    tag: 'Portal: discovery',
    summary: 'List the values of a property',
    description: 'The most frequent values over all events of that name.',
    query: z.strictObject({
      eventName: fromQueryString(values.eventName),
      propertyKey: fromQueryString(values.propertyKey),
      agentId: fromQueryString(values.agentId),
      limit: numberFromQueryString(values.limit),
    }),
    faults: { 404: 'The event has no such property; the message says which it has.' },
    responses: { 200: { description: 'Values and how often they occur.', schema: propertyValuesSchema } },
    run: async ({ services, caller, query, signal }) => ({
      body: await services.events.propertyValues(caller, query, { signal }),
    }),
  }),
];
