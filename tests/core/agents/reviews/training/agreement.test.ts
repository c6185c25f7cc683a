import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chatMessageSchema } from '../../../../../src/core/agents/chat/message.ts';
import type { TrainingKind } from '../../../../../src/core/agents/reviews/store.ts';
import { examplesOf, linesOf } from '../../../../../src/core/agents/reviews/training/examples.ts';
import { TRAINING_FORMATS } from '../../../../../src/core/agents/reviews/training/schema.ts';
import { type ReviewedAnswer, readShape, shapeOf } from '../../../../../src/core/agents/reviews/training/shape.ts';
import { anyConversation, plainConversation, reviewOf } from './conversations.ts';
import { assertAccepted } from './support.ts';

const anyReview = reviewOf(fc.option(anyConversation, { nil: null }));

function factsOf({ rating, correctedOutput, conversation }: ReviewedAnswer): TrainingKind {
  return { rating, wasCorrected: correctedOutput !== null, shape: conversation && shapeOf(conversation) };
}

test('training conversations: the test data can be recorded', () => {
  fc.assert(
    fc.property(anyConversation, ({ messages }) => {
      chatMessageSchema.array().parse(messages);
    }),
  );
});

test('examplesOf: as many valid lines as linesOf finds', () => {
  fc.assert(
    fc.property(anyReview, fc.constantFrom(...TRAINING_FORMATS), (review, format) => {
      const examples = examplesOf(format, review);
      assert.equal(examples.length, linesOf(format, factsOf(review)).length);
      for (const example of examples) assertAccepted(format, JSON.stringify(example));
    }),
    { numRuns: 2_000 },
  );
});

test('linesOf: an answered text question is left out by its rating only', () => {
  fc.assert(
    fc.property(reviewOf(plainConversation), (review) => {
      const { rating, wasCorrected } = factsOf(review);
      const corrected = wasCorrected ? 1 : 0;
      assert.deepEqual(
        TRAINING_FORMATS.map((format) => examplesOf(format, review).length),
        [1, wasCorrected || rating === 'good' ? 1 : 0, corrected, corrected + (rating === 'needs_improvement' ? 0 : 1)],
      );
    }),
    { numRuns: 500 },
  );
});

test('shapeOf: a conversation from storage has the same shape', () => {
  fc.assert(
    fc.property(anyConversation, (conversation) => {
      const shape = shapeOf(conversation);
      assert.notEqual(readShape(shape), null);
      assert.equal(shapeOf(JSON.parse(JSON.stringify(conversation))), shape);
    }),
    { numRuns: 500 },
  );
});

test('examplesOf: conversation and review stay unchanged', () => {
  fc.assert(
    fc.property(anyReview, fc.constantFrom(...TRAINING_FORMATS), (review, format) => {
      const before = JSON.stringify(review);
      examplesOf(format, review);
      assert.equal(JSON.stringify(review), before);
    }),
  );
});

const unknownShape = fc.oneof(
  fc.string(),
  fc.constantFrom('', '1', '1uto', '1utooo', '2utoo', 'utoo', '1zzzz', '1UTOO', '1utoo\n', ' 1utoo', '1-', '1utøo'),
  fc
    .tuple(fc.nat(4), fc.constantFrom('z', '0', ' ', 'é'))
    .map(([at, other]) => `${'1utoo'.slice(0, at)}${other}${'1utoo'.slice(at + 1)}`),
);

test('linesOf: an unknown shape has only the conversational example', () => {
  fc.assert(
    fc.property(reviewOf(plainConversation), unknownShape, (review, shape) => {
      const lines = TRAINING_FORMATS.map((format) => linesOf(format, { ...factsOf(review), shape }).length);
      assert.deepEqual(lines, [1, 0, 0, 0]);
    }),
    { numRuns: 500 },
  );
});
