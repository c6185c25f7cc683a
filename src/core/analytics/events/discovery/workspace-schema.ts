import { z } from 'zod';
import { eventNameSchema, propertyKeySchema, readAgentSchema } from '../../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../../base/shared/paging.ts';
import { responseSchemas } from '../../../base/shared/schema-names.ts';
import { CARD_TYPES } from '../../dashboards/config-schema.ts';
import { METRIC_STATES } from '../questions/question.ts';

export const describeWorkspaceSchema = z.strictObject({
  eventName: eventNameSchema.optional().describe('Only this event, with more of its values.'),
  search: eventNameSchema
    .optional()
    .describe('Words of a metric, or part of the name of an event, property, card or tab.'),
  agentId: readAgentSchema.optional().describe('Default: the key\'s agent; "*": all.'),
  offset: offsetSchema.describe('From nextOffset.'),
});
export type DescribeWorkspace = z.output<typeof describeWorkspaceSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const workspaceSchema = z.object({
  now: z.string(),
  timezone: z.string(),
  agentId: z.string().nullable(),
  limits: z.array(z.unknown()).optional(),
  agents: z.array(z.string()),
  metrics: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      state: z.enum(METRIC_STATES),
      unit: z.string().optional(),
      description: z.string().optional(),
    }),
  ),
  terms: z.array(z.object({ term: z.string(), definition: z.string(), metric: z.string().optional() })),
  segments: z.array(z.object({ name: z.string(), by: z.string(), title: z.string().optional() })),
  events: z.array(
    z.object({
      eventName: z.string(),
      count: z.int(),
      firstSeen: z.string(),
      lastSeen: z.string(),
      properties: z.array(
        z.object({
          key: z.string(),
          type: z.string(),
          values: z.array(scalar).optional(),
          min: z.number().optional(),
          max: z.number().optional(),
          distinct: z.int().optional(),
        }),
      ),
    }),
  ),
  totalEventNames: z.int(),
  nextOffset: z.int().optional(),
  tabs: z.array(z.object({ id: z.string(), name: z.string() })),
  cards: z.array(
    z.object({ id: z.string(), title: z.string(), cardType: z.enum(CARD_TYPES), tabId: z.string().optional() }),
  ),
  note: z.string(),
});
export type Workspace = z.output<typeof workspaceSchema>;

const ofAgent = { agentId: readAgentSchema.optional().describe('Only events of this agent; otherwise of all.') };
const ofEvent = { ...ofAgent, eventName: eventNameSchema.describe('The event that is asked about.') };

export const eventNamesQuerySchema = z.strictObject({
  ...ofAgent,
  search: eventNameSchema.optional().describe('Part of the name; when none has it, names that come close.'),
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  offset: offsetSchema.describe('The number to skip.'),
});

export const eventPropertiesQuerySchema = z.strictObject(ofEvent);

export const MAX_VALUES = 100;

export const propertyValuesQuerySchema = z.strictObject({
  ...ofEvent,
  propertyKey: propertyKeySchema.describe(
    'The key as event-properties names it; dotted where it lies inside an object.',
  ),
  limit: limitSchema({ default: 20, maximum: MAX_VALUES }),
});

export const discoveredEventSchema = z.object({
  eventName: z.string().describe('Name of the event.'),
  count: z.int().describe('The number of events.'),
  firstSeen: z.iso.datetime().describe("The earliest of the events' own times."),
  lastSeen: z.iso.datetime().describe('The latest of them.'),
  agents: z.array(z.string()).describe('The agents that it comes from.'),
});
responseSchemas.add(discoveredEventSchema, { id: 'DiscoveredEvent' });

export const discoveredPropertySchema = z.object({
  key: z.string().describe('The key as queries name it.'),
  type: z.string().describe('string, number, boolean, array or object; several are joined with |.'),
});
responseSchemas.add(discoveredPropertySchema, { id: 'DiscoveredProperty' });

export const propertyValuesSchema = z.object({
  eventName: z.string().describe('The event that was asked about.'),
  propertyKey: z.string().describe('The key that was asked about.'),
  type: z.string().describe('The type, as event-properties gives it.'),
  values: z
    .array(
      z.object({ value: z.unknown().describe('The value.'), count: z.int().describe('The number of events with it.') }),
    )
    .describe('The most frequent ones, over all events.'),
  total: z.int().describe('The number of different values.'),
});
export type PropertyValues = z.output<typeof propertyValuesSchema>;
