import { z } from 'zod';
import { RATINGS } from '../../../base/shared/review-fields.ts';
import { CHAT_ROLES, contentPartSchema } from '../../chat/message.ts';

export const TRAINING_FORMATS = ['openai-conversational', 'openai-jsonl', 'dpo-jsonl', 'kto-jsonl'] as const;
export type TrainingFormat = (typeof TRAINING_FORMATS)[number];

export const trainingFormatSchema = z
  .enum(TRAINING_FORMATS, `must be one of ${TRAINING_FORMATS.join(', ')}`)
  .default('openai-conversational')
  .describe(
    'openai-conversational: one JSON document, an example for every review. The others are JSON Lines and leave out what they ' +
      "cannot express: openai-jsonl for OpenAI's supervised fine-tuning, answers rated good and corrected ones; dpo-jsonl for " +
      "its preference fine-tuning, the correction against the original; kto-jsonl for TRL's unpaired preference.",
  );

const trainingMessageSchema = z.object({
  role: z.enum(CHAT_ROLES).describe('Who speaks.'),
  content: z
    .union([z.string(), z.array(contentPartSchema)])
    .optional()
    .describe('Text, or parts; absent only beside tool_calls.'),
  tool_calls: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('The calls of an assistant turn, as recorded.'),
  tool_call_id: z.string().optional().describe('The call that a tool turn answers.'),
  name: z.string().optional().describe('The name of the tool in a tool turn.'),
});

const trainingExampleSchema = z.object({
  messages: z
    .array(trainingMessageSchema)
    .describe(
      'The turns of the recorded execution, correctedOutput in place of its answer when there is one. Of an execution that ' +
        'was not recorded: the corrected turn alone, or none.',
    ),
  metadata: z
    .object({
      review_id: z.string().describe('The review that gives this example.'),
      execution_id: z.string().describe('The execution that was reviewed.'),
      rating: z.enum(RATINGS).describe("The reviewer's rating of the original answer."),
      was_corrected: z.boolean().describe('Whether the last turn is the correction.'),
    })
    .describe('Where the example comes from.'),
});

export const trainingExportSchema = z.object({
  training_examples: z.array(trainingExampleSchema).describe('One for each matching review.'),
  total: z.int().describe('How many examples there are.'),
  format: z.literal('openai-conversational').describe('The format of the examples.'),
  generated_at: z.iso.datetime().describe('When the export began, ISO 8601.'),
});
