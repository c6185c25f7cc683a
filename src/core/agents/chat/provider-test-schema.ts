import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { VENDORS } from './capabilities.ts';
import { chatRequestSchema } from './schema.ts';

export const testProviderSchema = z.strictObject({
  model: chatRequestSchema.shape.model.optional().describe('The model to ask; by default the cheap `testModel`.'),
});
requestSchemas.add(testProviderSchema, { id: 'TestProvider' });

export const providerTestSchema = z.object({
  works: z.boolean().describe('Whether the model answered.'),
  reason: z
    .enum(['key', 'model', 'network', 'quota', 'timeout', 'refused', 'unavailable', 'broken'])
    .nullable()
    .describe('Why not; null when it works.'),
  message: z.string().describe('The same in words, with what the provider says.'),
  provider: z.enum(VENDORS).describe('The vendor whose API was asked.'),
  providerName: z.string().nullable().describe('The definition; null: the key of the environment.'),
  model: z.string().describe('The model that was asked.'),
  executionId: z.string().nullable().describe('The execution that records it; null if nothing was sent.'),
  latencyMs: z.number().nullable().describe('Milliseconds to the end of the answer.'),
  usage: z
    .object({ inputTokens: z.int().describe('Of the request.'), outputTokens: z.int().describe('Of the answer.') })
    .nullable()
    .describe('Tokens, as far as known.'),
  cost: z.number().nullable().describe('US dollars; null: unknown, or nothing was spent.'),
});
responseSchemas.add(providerTestSchema, { id: 'ProviderTest' });
export type ProviderTest = z.output<typeof providerTestSchema>;
