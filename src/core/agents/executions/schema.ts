import { z } from 'zod';
import { freeObject, soundJson } from '../../base/shared/json.ts';
import { agentIdSchema, callerIdSchema, nameSchema, timestampSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { chatMessageSchema, chatMessagesSchema } from '../chat/message.ts';
import { FINISH_REASONS } from '../chat/provider.ts';

export const EXECUTION_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;

/** The size of a request, and of messages and output together. */
export const MAX_EXECUTION_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGES = 2_000;
const MAX_DEPTH = 32;
const MAX_USAGE_BYTES = 16 * 1024;

const usageSchema = freeObject()
  .superRefine(soundJson(MAX_DEPTH))
  .refine(
    (usage) => Buffer.byteLength(JSON.stringify(usage)) <= MAX_USAGE_BYTES,
    `must be at most ${MAX_USAGE_BYTES / 1024} KB as JSON`,
  )
  .meta({ type: 'object', additionalProperties: true });

/** Members that are absent or null stay unchanged, as do `messages` if empty. */
export const recordExecutionSchema = z.strictObject({
  id: callerIdSchema
    .optional()
    .describe('Your own id. A repeated one changes that execution; without one, one is made.'),
  agentId: agentIdSchema.optional().describe("Default: the key's agent, else `default`. Stays what it was first."),
  threadId: callerIdSchema.nullish().describe('The conversation that the execution belongs to.'),
  messages: chatMessagesSchema(MAX_MESSAGES)
    .superRefine(soundJson(MAX_DEPTH))
    .optional()
    .describe('The whole conversation so far; it replaces what was recorded before. An empty one changes nothing.'),
  output: z
    .unknown()
    .superRefine(soundJson(MAX_DEPTH))
    .optional()
    .describe('What came out: a text, or any JSON value; null: nothing yet.'),
  status: z
    .enum(EXECUTION_STATUSES)
    .optional()
    .describe('Default: completed with an output or a completedAt, else running.'),
  provider: nameSchema(200).nullish().describe('Who ran the model, openai for example.'),
  model: nameSchema(200).nullish().describe('Which one.'),
  usage: usageSchema.nullish().describe('Tokens and the like, as the provider counted them.'),
  startedAt: timestampSchema.nullish().describe('ISO 8601.'),
  completedAt: timestampSchema.nullish().describe('Default: the moment in which it came to an end.'),
});
requestSchemas.add(recordExecutionSchema, { id: 'RecordExecution' });
export type RecordExecution = z.output<typeof recordExecutionSchema>;

export const chatFactsSchema = z.object({
  projectId: z.string().describe('The project that the request named.'),
  providerName: z
    .string()
    .nullable()
    .describe('The configured provider; null: the vendor, with the key of the environment.'),
  finishReason: z
    .enum(FINISH_REASONS)
    .nullable()
    .describe('Why the answer ended; null when it did not come to its end.'),
  cost: z.number().nullable().describe('US dollars by the public prices; null when they are not known.'),
  latencyMs: z.number().nullable().describe('Milliseconds from the request to the end.'),
  timeToFirstTokenMs: z
    .number()
    .nullable()
    .describe('Milliseconds from the request to the first content; null when none came.'),
  providerRequestId: z.string().nullable().describe("The provider's own id of the request."),
  attempts: z.int().describe('Requests that were sent to providers.'),
  fallback: z.boolean().describe('Whether another than the one asked for answered.'),
  truncated: z.boolean().describe('Whether messages or output are not recorded whole, because they were too much.'),
  droppedParams: z
    .array(z.string())
    .describe('Members of the request that the model does not take; `temperature: 2 -> 1` for a lowered one.'),
  error: z
    .object({
      kind: z
        .string()
        .describe('refused, credential, rate_limited, unavailable, broken, timeout, shutdown, unrecorded or internal.'),
      message: z.string().describe('What went wrong.'),
      status: z.int().nullable().describe("The provider's HTTP status."),
    })
    .nullable()
    .describe('Why it failed.'),
});
responseSchemas.add(chatFactsSchema, { id: 'ChatFacts' });
export type ChatFacts = z.output<typeof chatFactsSchema>;

export const executionSchema = z.object({
  id: z.string().describe('Your own, or made by the server.'),
  agentId: z.string().describe('The agent that executed.'),
  threadId: z.string().nullable().describe('The conversation that the execution belongs to.'),
  status: z.enum(EXECUTION_STATUSES).describe('How far it is, or how it ended.'),
  messages: z.array(chatMessageSchema).describe('The conversation, tool calls and parts as they were recorded.'),
  output: z.unknown().describe('What came out; null when there is none.'),
  provider: z.string().nullable().describe('Who ran the model.'),
  model: z.string().nullable().describe('Which one.'),
  usage: z.record(z.string(), z.unknown()).nullable().describe('Tokens and the like, as the provider counted them.'),
  startedAt: z.string().nullable().describe('ISO 8601.'),
  completedAt: z.string().nullable().describe('ISO 8601; null while it runs.'),
  chat: chatFactsSchema.nullable().describe('Facts of a chat that the chat endpoint recorded.'),
  createdAt: z.string().describe('When it was first recorded.'),
  updatedAt: z.string().describe('When it was last recorded.'),
});
responseSchemas.add(executionSchema, { id: 'Execution' });
export type Execution = z.output<typeof executionSchema>;
