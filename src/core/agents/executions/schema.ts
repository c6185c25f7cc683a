import { z } from 'zod';
import { soundJson } from '../../base/shared/json.ts';
import { agentIdSchema, callerIdSchema, nameSchema, timestampSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { chatMessageSchema, chatMessagesSchema } from '../chat/message.ts';
import { FINISH_REASONS } from '../chat/provider.ts';
import {
  aboutExecutionSchema,
  costSchema,
  executionMetadataSchema,
  MAX_JSON_DEPTH,
  shownCostShape,
  shownTokensShape,
  tokenUsageSchema,
} from './members.ts';
import { stepSchema, stepsSchema } from './step-schema.ts';

export const EXECUTION_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export const EXECUTION_SOURCES = ['api', 'chat'] as const;

/** The size of a request, and of messages and output together. */
export const MAX_EXECUTION_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGES = 2_000;

/** Members that are absent or null stay unchanged, as do `messages` if empty. */
export const recordExecutionSchema = z.strictObject({
  id: callerIdSchema
    .optional()
    .describe('Your own id. A repeated one changes that execution; without one, one is made.'),
  agentId: agentIdSchema.optional().describe("Default: the key's agent, else `default`. Stays what it was first."),
  ...aboutExecutionSchema.shape,
  name: nameSchema(200).nullish().describe('What ran, such as the name of a workflow.'),
  metadata: executionMetadataSchema
    .nullish()
    .describe('Flat facts of your own: texts, numbers, true or false; 16 KB as JSON. Replaces what was recorded.'),
  parentId: callerIdSchema
    .nullish()
    .describe('The execution that started this one. It may be recorded later; two may not be parents of one another.'),
  cost: costSchema,
  steps: stepsSchema.nullish().describe('Steps to add, or to change by their id.'),
  messages: chatMessagesSchema(MAX_MESSAGES)
    .superRefine(soundJson(MAX_JSON_DEPTH))
    .optional()
    .describe('The whole conversation so far; it replaces what was recorded before. An empty one changes nothing.'),
  output: z
    .unknown()
    .superRefine(soundJson(MAX_JSON_DEPTH))
    .optional()
    .describe('What came out: a text, or any JSON value; null: nothing yet.'),
  status: z
    .enum(EXECUTION_STATUSES)
    .optional()
    .describe('Default: completed with an output or a completedAt, else running.'),
  provider: nameSchema(200).nullish().describe('Who ran the model, openai for example.'),
  model: nameSchema(200).nullish().describe('Which one.'),
  usage: tokenUsageSchema
    .nullish()
    .describe('TokenCounts and the like, as the provider counted them. Default: the sum of the model steps.'),
  startedAt: timestampSchema.nullish().describe('ISO 8601; from 1900 to 24 hours ahead.'),
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
  userId: z.string().nullable().describe('The end user it ran for.'),
  name: z.string().nullable().describe('What ran.'),
  tags: z.array(z.string()).describe('Free labels, each once.'),
  metadata: z.record(z.string(), z.unknown()).describe("The sender's own facts."),
  parentId: z.string().nullable().describe('The execution that started this one.'),
  source: z.enum(EXECUTION_SOURCES).describe('How it came: recorded over the API, or by the chat endpoint.'),
  status: z.enum(EXECUTION_STATUSES).describe('How far it is, or how it ended.'),
  errorKind: z
    .string()
    .nullable()
    .describe('The kind of failure in a word, such as timeout; null when the sender gave none.'),
  messages: z.array(chatMessageSchema).describe('The conversation, tool calls and parts as they were recorded.'),
  output: z.unknown().describe('What came out; null when there is none.'),
  provider: z.string().nullable().describe('Who ran the model.'),
  model: z.string().nullable().describe('Which one.'),
  usage: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('TokenCounts and the like, as the provider counted them; else the sum of the model steps.'),
  ...shownTokensShape,
  ...shownCostShape,
  latencyMs: z.number().nullable().describe('Milliseconds from its start to its end.'),
  startedAt: z.string().nullable().describe('ISO 8601.'),
  completedAt: z.string().nullable().describe('ISO 8601; null while it runs.'),
  steps: z
    .array(stepSchema)
    .describe('The first 1,000 steps in the order of their starts, or 4 MB of them; tool calls of messages follow.'),
  stepsTotal: z.int().describe('The number of recorded steps. `/steps` has all of them, in pages.'),
  chat: chatFactsSchema.nullable().describe('Facts of a chat that the chat endpoint recorded.'),
  createdAt: z.string().describe('When it was first recorded.'),
  updatedAt: z.string().describe('When it was last recorded.'),
});
responseSchemas.add(executionSchema, { id: 'Execution' });
export type Execution = z.output<typeof executionSchema>;
