import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { chatMessageSchema } from '../../../../../src/core/agents/chat/message.ts';
import { examplesOf, linesOf } from '../../../../../src/core/agents/reviews/training/examples.ts';
import { TRAINING_FORMATS } from '../../../../../src/core/agents/reviews/training/schema.ts';
import { type ReviewedAnswer, shapeOf } from '../../../../../src/core/agents/reviews/training/shape.ts';
import { UPDATES_GOLDEN } from '../../../../support/golden.ts';
import { assertAccepted } from './support.ts';

const INPUT = new URL('./input/', import.meta.url);
const OUTPUT = new URL('./output/', import.meta.url);

const reviews: ReviewedAnswer[] = readdirSync(INPUT)
  .sort()
  .map((file) => {
    const name = basename(file, '.json');
    const reviewed = JSON.parse(readFileSync(new URL(file, INPUT), 'utf8')) as ReviewedAnswer;
    return { ...reviewed, reviewId: name, executionId: `execution-of-${name}` };
  });

function assertGolden(file: string, text: string): void {
  const url = new URL(file, OUTPUT);
  if (UPDATES_GOLDEN) writeFileSync(url, text);
  assert.equal(text, readFileSync(url, 'utf8'));
}

test('training golden files: the conversations can be recorded', () => {
  for (const { conversation } of reviews) chatMessageSchema.array().parse(conversation?.messages ?? []);
});

for (const format of TRAINING_FORMATS) {
  test(`examplesOf: ${format} equals its golden file (UPDATE_GOLDEN=1)`, () => {
    const lines = reviews.flatMap((review) => examplesOf(format, review)).map((example) => JSON.stringify(example));
    for (const line of lines) assertAccepted(format, line);
    assertGolden(`${format}.jsonl`, lines.map((line) => `${line}\n`).join(''));
  });
}

test('shapeOf: shapes and their lines equal the golden file, because they are stored', () => {
  const rows = reviews.map(({ reviewId, rating, correctedOutput, conversation }) => {
    const facts = { rating, wasCorrected: correctedOutput !== null, shape: conversation && shapeOf(conversation) };
    const lines = TRAINING_FORMATS.map((format) => `${format} ${linesOf(format, facts).length}`);
    return `${reviewId}: ${facts.shape ?? 'not recorded'}: ${lines.join(', ')}\n`;
  });
  assertGolden('shapes.txt', rows.join(''));
});
