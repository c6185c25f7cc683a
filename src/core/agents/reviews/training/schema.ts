import { z } from 'zod';
import { RATINGS } from '../../../base/shared/review-fields.ts';
import { responseSchemas } from '../../../base/shared/schema-names.ts';
import { exportedAssessmentSchema } from '../../assessments/schema.ts';
import { CHAT_ROLES, contentPartSchema } from '../../chat/message.ts';

export const TRAINING_FORMATS = ['openai-conversational', 'openai-jsonl', 'dpo-jsonl', 'kto-jsonl'] as const;
export type TrainingFormat = (typeof TRAINING_FORMATS)[number];

export const trainingFormatSchema = z
  .enum(TRAINING_FORMATS)
  .default('openai-conversational')
  .describe(
    'openai-conversational: one JSON document, an example for every review. The others are JSON Lines and leave out what they ' +
      "cannot express: openai-jsonl for OpenAI's supervised fine-tuning, answers rated good and corrected ones; dpo-jsonl for " +
      "its preference fine-tuning, the correction against the original; kto-jsonl for TRL's unpaired preference.",
  );

/** Why a format leaves a review out, in words. */
export const SKIP_REASONS = {
  not_recorded: 'The execution was not recorded.',
  no_question: 'No question stands right before the answer.',
  content: 'The conversation holds a file, or images that fine-tuning refuses.',
  tool_calls: 'A tool call of the conversation has no answer, or is not one of a function.',
  images: 'The conversation has images, which this format cannot hold.',
  arguments: 'The arguments of a tool call are not a JSON object, as this format needs them.',
  no_answer: 'No answer was recorded, or one that the format cannot hold.',
  not_good: 'The answer was not rated good, and nobody has corrected it.',
  not_corrected: 'Nobody has corrected the answer, so there is nothing to prefer.',
  undecided: 'The answer was rated needs_improvement, neither good nor bad, and nobody has corrected it.',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

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
      assessments: z
        .array(exportedAssessmentSchema)
        .optional()
        .describe('What people and programs answered about the execution, oldest first; only where asked for.'),
    })
    .describe('Where the example comes from.'),
});

export const trainingExportSchema = z.object({
  training_examples: z.array(trainingExampleSchema).describe('One for each matching review.'),
  total: z.int().describe('How many examples there are.'),
  format: z.literal('openai-conversational').describe('The format of the examples.'),
  generated_at: z.iso.datetime().describe('When the export began, ISO 8601.'),
});

const skippedSchema = z.object({
  reason: z.enum(Object.keys(SKIP_REASONS) as [SkipReason, ...SkipReason[]]).describe('A word for programs.'),
  words: z.string().describe('The reason as a sentence.'),
  reviews: z.int().describe('How many reviews are left out for it; one with several reasons counts once.'),
});

export const trainingCountsSchema = z.object({
  reviews: z.int().describe('The matching reviews.'),
  formats: z
    .array(
      z.object({
        format: z.enum(TRAINING_FORMATS).describe('As in the export.'),
        lines: z.int().describe('How many lines or examples the export has.'),
        skipped: z.int().describe('How many reviews it leaves out: x-skipped of the export.'),
        reasons: z.array(skippedSchema).describe('Why, the commonest first.'),
      }),
    )
    .describe('Each format of the export.'),
});
responseSchemas.add(trainingCountsSchema, { id: 'TrainingCounts' });
export type TrainingCounts = z.output<typeof trainingCountsSchema>;
