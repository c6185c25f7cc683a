import { z } from 'zod';
import { memberHints } from '../../base/shared/issues.ts';
import { freeObject, soundJson } from '../../base/shared/json.ts';
import { nameSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas } from '../../base/shared/schema-names.ts';
import { aboutExecutionSchema } from '../executions/members.ts';
import { SERVER_TOOLS, VENDORS } from './capabilities.ts';
import { chatMessagesSchema } from './message.ts';

export const MAX_CHAT_BYTES = 20 * 1024 * 1024;
const MAX_MESSAGES = 2_000;
const MAX_DEPTH = 32;
const MAX_TOOLS = 256;
const MAX_STOPS = 16;
const MAX_SERVER_TOOLS = 16;

const jsonSchemaSchema = freeObject()
  .superRefine(soundJson(MAX_DEPTH))
  .meta({ type: 'object', additionalProperties: true });

/** An empty text counts as none. */
function optionalText(maximum: number) {
  return z
    .preprocess((value) => (value === '' ? undefined : value), nameSchema(maximum).optional())
    .optional()
    .meta({ minLength: 0 });
}

const functionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
    .describe('What the model calls it.'),
  description: optionalText(10_000).describe('What it does and when to call it.'),
  parameters: jsonSchemaSchema.optional().describe('JSON Schema of its arguments.'),
  strict: z.boolean().optional().describe('Whether arguments must follow the schema exactly.'),
});

const toolSchema = z.strictObject({
  type: z.literal('function', 'must be function').describe('Always `function`.'),
  function: functionSchema.describe('The function.'),
});
export type FunctionTool = z.output<typeof toolSchema>;

const responseFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('Any text.') }),
  z.strictObject({ type: z.literal('json_object').describe('Some JSON object.') }),
  z.strictObject({
    type: z.literal('json_schema').describe('JSON that follows a schema.'),
    json_schema: z
      .strictObject({
        name: z
          .string()
          .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
          .describe('What the schema is called.'),
        description: optionalText(10_000).describe('What it is for.'),
        schema: jsonSchemaSchema.describe('The JSON Schema.'),
        strict: z.boolean().optional().describe('Whether the answer must follow it exactly.'),
      })
      .describe('The schema, as OpenAI takes it.'),
  }),
]);
export type ResponseFormat = z.output<typeof responseFormatSchema>;

const thinkingSchema = z.strictObject({
  type: z
    .enum(['enabled', 'adaptive', 'disabled'])
    .describe('enabled: within a budget; adaptive: as much as the model sees fit; disabled: none.'),
  budgetTokens: z.int().min(1).max(1_000_000).optional().describe('Tokens it may take, with enabled.'),
});
export type Thinking = z.output<typeof thinkingSchema>;

/** Members of OpenAI's API whose names are not similar to ours. */
const HINTS = {
  stream: 'leave it out, every answer streams',
  stream_options: 'leave it out, usage comes with Accept: text/event-stream',
  max_completion_tokens: 'did you mean maxTokens?',
  max_output_tokens: 'did you mean maxTokens?',
  system: 'did you mean instructions?',
  input: 'did you mean messages?',
  prompt: 'did you mean messages?',
  reasoning: 'did you mean thinking?',
  reasoning_effort: 'did you mean thinking?',
  functions: 'did you mean tools?',
  tool_choice: 'leave it out, the model chooses',
  n: 'leave it out, there is one answer',
};

export const chatRequestSchema = z.strictObject({
  projectId: nameSchema(200).describe('Your project; recorded on the execution and its events.'),
  ...aboutExecutionSchema.shape,
  provider: z.enum(VENDORS).describe('The API to use; custom: any server with Chat Completions.'),
  model: nameSchema(200)
    .refine((name) => !/(^|\/)\.\.?(\/|$)/.test(name), 'must not be a path: some providers have the model in theirs')
    .describe('The model, by the name that the provider gives it.'),
  messages: chatMessagesSchema(MAX_MESSAGES)
    .superRefine(soundJson(MAX_DEPTH))
    .refine((messages) => messages.length > 0, 'must hold at least one message')
    .meta({ description: 'The conversation so far.', minItems: 1 }),
  providerName: nameSchema(100).optional().describe('A provider configured with `providers apply`; custom needs one.'),
  legacy: z
    .boolean()
    .optional()
    .describe('Whether openai is asked by the Chat Completions API instead of the Responses API.'),
  instructions: optionalText(1_000_000).describe('System instructions; they come before the messages.'),
  temperature: z.number().min(0).max(2).optional().describe('0 to 2.'),
  maxTokens: z.int().min(1).max(10_000_000).optional().describe('Maximum tokens of the answer.'),
  topP: z.number().min(0).max(1).optional().describe('0 to 1.'),
  frequencyPenalty: z.number().min(-2).max(2).optional().describe('-2 to 2.'),
  presencePenalty: z.number().min(-2).max(2).optional().describe('-2 to 2.'),
  stop: z
    .array(nameSchema(1_000))
    .max(MAX_STOPS)
    .optional()
    .describe('Texts before which the answer ends; by us where the provider cannot.'),
  seed: z.int().optional().describe('Repeatable answers, if supported.'),
  tools: z.array(toolSchema).max(MAX_TOOLS).optional().describe('Functions that the model may call.'),
  responseFormat: responseFormatSchema.optional().describe('What the answer is to look like.'),
  thinking: thinkingSchema.optional().describe('Extended reasoning.'),
  serverTools: z
    .array(z.enum(SERVER_TOOLS))
    .max(MAX_SERVER_TOOLS)
    // Vendors refuse duplicates.
    .transform((tools) => [...new Set(tools)])
    .optional()
    .describe('Tools that the provider itself runs.'),
});
requestSchemas.add(chatRequestSchema, { id: 'ChatRequest' });
export type ChatRequest = z.output<typeof chatRequestSchema>;
memberHints.add(chatRequestSchema, HINTS);
