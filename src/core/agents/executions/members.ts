import { z } from 'zod';
import { freeObject, jsonWithin, soundJson } from '../../base/shared/json.ts';
import { callerIdSchema, nameSchema } from '../../base/shared/name-schemas.ts';

/* Members that executions, steps and chats share. */

export const MAX_JSON_DEPTH = 32;
/** Usage or metadata as JSON. */
const MAX_BYTES = 16 * 1024;
const MAX_TAGS = 50;

export const tokenUsageSchema = freeObject()
  .superRefine(soundJson(MAX_JSON_DEPTH))
  .refine(...jsonWithin(MAX_BYTES))
  .meta({ type: 'object', additionalProperties: true });

/** US dollars. Sums over all steps stay finite. */
const MAX_COST = 1e9;

export const costSchema = z
  .number()
  .min(0, 'must not be negative')
  .max(MAX_COST, `must be at most ${MAX_COST.toLocaleString('en')}`)
  .nullish()
  .describe('US dollars. Without it the usage has the public price of the model.');

export const executionMetadataSchema = freeObject()
  .refine(
    (metadata) => Object.values(metadata).every((value) => ['string', 'number', 'boolean'].includes(typeof value)),
    'must be flat: each value a text, a number, true or false',
  )
  .superRefine(soundJson(2))
  .refine(...jsonWithin(MAX_BYTES))
  .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } });

const tagsSchema = z
  .array(nameSchema(100), 'must be an array of strings')
  .max(MAX_TAGS, `must hold at most ${MAX_TAGS} tags`)
  .transform((tags) => [...new Set(tags)]);

/** The facts by which people find an execution; chats take some of them, too. */
export const aboutExecutionSchema = z.object({
  threadId: callerIdSchema.nullish().describe('The conversation that the execution belongs to.'),
  userId: callerIdSchema.nullish().describe('The end user it ran for, by the id that your application uses.'),
  tags: tagsSchema.nullish().describe('At most 50 tags of at most 100 characters; [] removes them.'),
});

export const shownTokensShape = {
  inputTokens: z.int().nullable().describe('TokenCounts of the input, cached ones included; null when not said.'),
  outputTokens: z.int().nullable().describe('TokenCounts of the output, reasoning included.'),
  totalTokens: z.int().nullable().describe('Both together.'),
};

export const shownCostShape = {
  cost: z.number().nullable().describe('US dollars; null when it is not known.'),
  costBasis: z
    .enum(['sent', 'priced'])
    .nullable()
    .describe("sent: the sender's own; priced: by the public prices of the model. null without a cost."),
};
