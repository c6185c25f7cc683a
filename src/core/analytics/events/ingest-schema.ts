import { z } from 'zod';
import { freeObject, soundJson } from '../../base/shared/json.ts';
import { agentIdSchema, callerIdSchema, eventNameSchema, timestampSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { MAX_PROPERTIES_DEPTH, RESERVED_EVENT_PREFIX } from './fields.ts';

export const MAX_BATCH_EVENTS = 5_000;
export const MAX_BATCH_BYTES = 20 * 1024 * 1024;

const propertiesSchema = freeObject().superRefine(soundJson(MAX_PROPERTIES_DEPTH)).meta({
  type: 'object',
  additionalProperties: true,
  description: 'Free map: at most 64 KB of JSON, 10 levels deep.',
});

const isFree = (text: string) => !text.startsWith(RESERVED_EVENT_PREFIX);

export const ingestEventSchema = z.strictObject({
  eventName: eventNameSchema
    .refine(isFree, `names beginning with "${RESERVED_EVENT_PREFIX}" are reserved`)
    .describe('What happened, for example purchase_completed.'),
  properties: propertiesSchema.optional(),
  timestamp: timestampSchema.optional().describe('ISO 8601; missing means now; at most 24 hours ahead.'),
  id: callerIdSchema
    .refine(isFree, `ids beginning with "${RESERVED_EVENT_PREFIX}" are reserved`)
    .optional()
    .describe('Your own id: a repeated one is stored once.'),
  threadId: callerIdSchema.nullish().describe('The conversation or session the event belongs to.'),
  executionId: callerIdSchema.nullish().describe('The agent execution the event belongs to.'),
  agentId: agentIdSchema.optional().describe("Defaults to the key's agent."),
  tenantId: z.string().optional().describe("Need not be sent; when sent it must be the key's tenant."),
});
requestSchemas.add(ingestEventSchema, { id: 'IngestEvent' });

/** Events are checked one by one, for partial batches. */
export const ingestBatchSchema = z.strictObject({
  events: z
    .array(z.unknown(), 'must be an array of events')
    .min(1, 'must hold at least one event')
    .max(MAX_BATCH_EVENTS, `must hold at most ${MAX_BATCH_EVENTS} events; send more batches`)
    .meta({ items: { $ref: '#/components/schemas/IngestEvent' } }),
});

export const ingestResultSchema = z.object({
  success: z.literal(true),
  accepted: z.int().describe('Events stored by this request.'),
  duplicates: z.int().describe('Events whose id was stored before; they are stored once.'),
  rejected: z.array(z.object({ index: z.int(), message: z.string() })).describe('Only with ?partial=true.'),
  receipt: z.string().describe('Send it as x-wait-for with a query to read your own writes.'),
});
responseSchemas.add(ingestResultSchema, { id: 'IngestResult' });
export type IngestResult = z.output<typeof ingestResultSchema>;
