import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { examplesOf } from '../../../../../src/core/agents/reviews/training/examples.ts';
import { trainingExportSchema, trainingFormatSchema } from '../../../../../src/core/agents/reviews/training/schema.ts';
import { anyConversation, reviewOf } from './conversations.ts';

test('trainingFormatSchema: openai-conversational by default, unknown ones refused', () => {
  assert.equal(trainingFormatSchema.parse(undefined), 'openai-conversational');
  assert.equal(trainingFormatSchema.parse('kto-jsonl'), 'kto-jsonl');
  assert.match(
    trainingFormatSchema.safeParse('csv').error!.message,
    /must be one of openai-conversational, openai-jsonl, dpo-jsonl, kto-jsonl/,
  );
});

test('trainingExportSchema: every export matches it exactly', () => {
  fc.assert(
    fc.property(fc.array(reviewOf(fc.option(anyConversation, { nil: null }))), (reviews) => {
      const answer = JSON.parse(
        JSON.stringify({
          training_examples: reviews.flatMap((review) => examplesOf('openai-conversational', review)),
          total: reviews.length,
          format: 'openai-conversational',
          generated_at: '2026-08-01T00:00:00.000Z',
        }),
      );
      assert.deepEqual(trainingExportSchema.parse(answer), answer);
    }),
  );
});

test('trainingExportSchema: every field has a description', () => {
  const { training_examples: examples } = trainingExportSchema.shape;
  const { messages, metadata } = examples.element.shape;
  for (const object of [trainingExportSchema, examples.element, messages.element, metadata]) {
    const { properties } = z.toJSONSchema(object) as { properties: Record<string, { description?: string }> };
    for (const [field, { description = '' }] of Object.entries(properties)) assert.ok(description.length > 10, field);
  }
});
