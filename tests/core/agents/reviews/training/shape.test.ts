import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { type ChatMessage, type ContentPart, chatMessageSchema } from '../../../../../src/core/agents/chat/message.ts';
import type { TrainingKind } from '../../../../../src/core/agents/reviews/store.ts';
import { examplesOf } from '../../../../../src/core/agents/reviews/training/examples.ts';
import { linesOf, skippedBecause } from '../../../../../src/core/agents/reviews/training/lines.ts';
import {
  TRAINING_FORMATS,
  trainingExportSchema,
  trainingFormatSchema,
} from '../../../../../src/core/agents/reviews/training/schema.ts';
import {
  type ReviewedAnswer,
  readShape,
  shapeOf,
  turnsOf,
} from '../../../../../src/core/agents/reviews/training/shape.ts';
import { UPDATES_GOLDEN } from '../../../../support/golden.ts';
import { anyConversation, plainConversation, reviewOf } from './conversations.ts';
import { assertAccepted } from './support.ts';

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content });
const assistant = (content: ChatMessage['content'], ...tool_calls: Record<string, unknown>[]): ChatMessage =>
  tool_calls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, tool_calls };
const tool = (tool_call_id?: string): ChatMessage => ({ role: 'tool', content: 'done', tool_call_id });
const call = (id: string, text = '{}') => ({ id, type: 'function', function: { name: 'find', arguments: text } });
const image = (url: string): ContentPart => ({ type: 'image_url', image_url: { url } });

const shape = (messages: ChatMessage[], output: unknown = null) => shapeOf({ messages, output });
/** The letter of the prompt's calls, when a question was asked before these turns and another behind them. */
const calls = (...turns: ChatMessage[]) => shape([user('?'), ...turns, user('?')])[3];
const content = (...turns: ChatMessage[]) => shape(turns)[2];
const answer = (turn: ChatMessage) => shape([user('?'), turn])[4];

test('turnsOf: the last assistant message, or else the output as text or JSON', () => {
  const asked = [user('?')];
  assert.deepEqual(turnsOf({ messages: [...asked, assistant('yes')], output: 'no' }), {
    prompt: asked,
    answer: assistant('yes'),
    after: [],
  });
  assert.deepEqual(turnsOf({ messages: [...asked, assistant('yes'), user('thanks')], output: null }), {
    prompt: asked,
    answer: assistant('yes'),
    after: [user('thanks')],
  });
  for (const [output, written] of [
    ['no', 'no'],
    ['', ''],
    [false, 'false'],
    [0, '0'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
  ]) {
    assert.deepEqual(turnsOf({ messages: asked, output }), {
      prompt: asked,
      answer: assistant(written as string),
      after: [],
    });
  }
  for (const output of [null, undefined]) assert.equal(turnsOf({ messages: asked, output }).answer, null);
});

test('shapeOf: the end of the prompt and the presence of an answer', () => {
  assert.equal(shape([]), '1-to-');
  assert.equal(shape([], 'out'), '1-too');
  assert.equal(shape([assistant('a')]), '1-too');
  assert.equal(shape([user('?')]), '1uto-');
  assert.equal(shape([user('?')], ''), '1utoo');
  assert.equal(shape([user('?')], 0), '1utoo');
  assert.equal(shape([{ role: 'system', content: 's' }], 'out'), '1stoo');
  assert.equal(shape([user('?'), assistant('a'), assistant('b')]), '1atoo');
  assert.equal(shape([user('?'), assistant('a'), user('thanks')]), '1utoo');
  assert.equal(shape([user('?'), assistant('a'), user('and?')], 'out'), '1utoo');
  assert.equal(shape([user('?'), assistant(null, call('a')), tool('a')], 'out'), '1utoo');
});

test('shapeOf: at most ten images of valid types in user messages', () => {
  const picture = image('https://example.com/a');
  assert.equal(content(user([{ type: 'text', text: 'a' }])), 't');
  assert.equal(content(user(Array(10).fill(picture))), 'i');
  assert.equal(content(user(Array(6).fill(picture)), user(Array(5).fill(picture))), 'x');
  for (const url of ['http://a/b', 'data:image/png;base64,AA', 'DATA:IMAGE/JPG;BASE64,AA']) {
    assert.equal(content(user([image(url)])), 'i', url);
  }
  for (const url of ['data:image/gif;base64,AA', 'data:image/png,AA', 'file:///a.png', 'https://', 'a.png']) {
    assert.equal(content(user([image(url)])), 'x', url);
  }
  assert.equal(content({ role: 'system', content: [picture] }), 'x');
  assert.equal(content(user([{ type: 'file', file: { filename: 'a', file_data: 'AA' } }])), 'x');
  assert.equal(answer(assistant([picture])), 'x');
  assert.equal(answer(assistant(null)), 'x', 'neither content nor calls');
});

test('shapeOf: calls are paired when each is answered once before the next message', () => {
  assert.equal(calls(), 'o');
  assert.equal(calls(assistant(null, call('a'), call('b')), tool('b'), tool('a')), 'o');
  assert.equal(calls(assistant(null, call('a')), tool('a'), assistant(null, call('a')), tool('a')), 'o');
  for (const [problem, ...turns] of [
    ['not answered', assistant(null, call('a'))],
    ['one not answered', assistant(null, call('a'), call('b')), tool('a')],
    ['answered twice', assistant(null, call('a')), tool('a'), tool('a')],
    ['answered late', assistant(null, call('a')), user('wait'), tool('a')],
    ['answered too early', tool('a'), assistant(null, call('a'))],
    ['another is answered', assistant(null, call('a')), tool('b')],
    ['the answer names no call', assistant(null, call('a')), tool()],
    ['two of one id', assistant(null, call('a'), call('a')), tool('a')],
  ] as [string, ...ChatMessage[]][]) {
    assert.equal(calls(...turns), 'x', problem);
  }
  assert.equal(shape([user('?'), assistant(null, call('a'), call('b')), tool('a')], 'out')[3], 'x', 'at the end');
});

test('shapeOf: a call is of a function, with an object or raw text', () => {
  for (const broken of [
    {},
    { id: 'a', name: 'find', args: {} },
    { ...call('a'), id: 1 },
    { ...call('a'), type: 'custom' },
    { ...call('a'), function: null },
    { ...call('a'), function: { name: 'find', arguments: {} } },
  ]) {
    assert.equal(calls(assistant(null, broken), tool('a')), 'x', JSON.stringify(broken));
    assert.equal(answer(assistant(null, broken)), 'x', JSON.stringify(broken));
  }
  for (const [text, letter] of [
    ['{"a": {"b": [1, -2.5e3, 9007199254740991]}}', 'o'],
    ['', 'r'],
    ['[]', 'r'],
    ['null', 'r'],
    ['{"a"', 'r'],
    ['{"whole number that JSON.parse rounds": 9007199254740993}', 'r'],
    [`{"a":${'['.repeat(50)}${']'.repeat(50)}}`, 'o'],
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'r'],
  ] as const) {
    assert.equal(calls(assistant(null, call('a', text)), tool('a')), letter, text);
    assert.equal(answer(assistant('calling', call('a', text))), letter, text);
  }
  assert.equal(calls(assistant(null, call('a', 'raw')), tool('a'), assistant(null, call('a')), tool('a')), 'r');
});

test('shapeOf: arguments of a hundred thousand levels are handled', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const review = {
    reviewId: 'r',
    executionId: 'e',
    rating: 'good' as const,
    correctedOutput: null,
    conversation: { messages: [user('?'), assistant(null, call('a', deep))], output: null },
  };
  assert.equal(shapeOf(review.conversation), '1utor');
  assert.equal(JSON.stringify(examplesOf('openai-jsonl', review)).includes(JSON.stringify(deep)), true);
  assert.deepEqual(examplesOf('kto-jsonl', review), []);
});

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

test('skippedBecause: a reason exactly where there is no line', () => {
  fc.assert(
    fc.property(anyReview, fc.constantFrom(...TRAINING_FORMATS), (review, format) => {
      const facts = factsOf(review);
      assert.equal(skippedBecause(format, facts) !== null, linesOf(format, facts).length === 0);
    }),
    { numRuns: 500 },
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
      const reasons = TRAINING_FORMATS.map((format) => skippedBecause(format, { ...factsOf(review), shape }));
      assert.deepEqual(reasons, [null, ...Array(3).fill('not_recorded')]);
    }),
    { numRuns: 500 },
  );
});

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
    const lines = TRAINING_FORMATS.map((format) => {
      const reason = skippedBecause(format, facts);
      return `${format} ${linesOf(format, facts).length}${reason === null ? '' : ` (${reason})`}`;
    });
    return `${reviewId}: ${facts.shape ?? 'not recorded'}: ${lines.join(', ')}\n`;
  });
  assertGolden('shapes.txt', rows.join(''));
});

test('trainingFormatSchema: openai-conversational by default, unknown ones refused', () => {
  assert.equal(trainingFormatSchema.parse(undefined), 'openai-conversational');
  assert.equal(trainingFormatSchema.parse('kto-jsonl'), 'kto-jsonl');
  assert.equal(trainingFormatSchema.safeParse('csv').success, false);
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
