import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GeminiReader } from '../../../src/providers/gemini/reader.ts';
import type { Told } from '../support.ts';
import { cut, eventsOf, readText } from '../transcripts.ts';

/* The chunks of Gemini's streamGenerateContent. */

const chunk = (parts: object[], rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...rest }],
});
const ended = (finishReason: string, rest: object = {}) => chunk([{ text: '' }], { finishReason, ...rest });
const read = (...events: (object | string)[]): Told => readText(new GeminiReader(), eventsOf(...events));

const WHOLE = eventsOf(
  { ...chunk([{ text: 'Olá', thought: true }]), usageMetadata: { promptTokenCount: 10 }, responseId: 'r1' },
  {
    ...chunk([{ text: 'So ' }]),
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, thoughtsTokenCount: 7 },
  },
  chunk([{ text: 'é ' }, { text: '🌍' }]),
  chunk([{ executableCode: { language: 'PYTHON', code: '1+1' } }, { codeExecutionResult: { output: '2' } }]),
  chunk([{ functionCall: { id: 'a', name: 'now', args: { n: 'ã' } }, thoughtSignature: 'c2ln' }]),
  {
    ...ended('STOP'),
    usageMetadata: {
      ...{ promptTokenCount: 10, toolUsePromptTokenCount: 3, cachedContentTokenCount: 4 },
      ...{ candidatesTokenCount: 6, thoughtsTokenCount: 7 },
    },
  },
);

test('GeminiReader: the result does not depend on how the stream is split', () => {
  const expected = readText(new GeminiReader(), WHOLE);
  assert.equal(expected.text, 'So é 🌍');
  assert.equal(expected.reasoning, 'Olá');
  assert.deepEqual(expected.calls, [
    {
      ...{ id: 'a', type: 'function', function: { name: 'now', arguments: '{"n":"ã"}' } },
      extra_content: { google: { thought_signature: 'c2ln' } },
    },
  ]);
  assert.deepEqual(expected.usage, {
    ...{ inputTokens: 13, outputTokens: 13, cachedInputTokens: 4, reasoningTokens: 7 },
  });
  assert.equal(expected.finish, 'tool_calls');
  fc.assert(
    fc.property(cut(WHOLE), (parts) => {
      assert.deepEqual(readText(new GeminiReader(), ...parts), expected);
    }),
    { numRuns: 500 },
  );
});

test('GeminiReader: whole with a finish reason, and reads what follows', () => {
  const reader = new GeminiReader();
  readText(reader, eventsOf(chunk([{ text: 'a' }])));
  assert.equal(reader.state, 'open');
  readText(reader, eventsOf(ended('STOP')));
  assert.equal(reader.state, 'whole');
  const told = read(chunk([{ text: 'a' }]), ended('STOP'), {
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
  });
  assert.deepEqual(told.usage, { inputTokens: 1, outputTokens: 2 });
});

test('GeminiReader: every finish reason has one name', () => {
  const reasons = {
    ...{ STOP: 'stop', MAX_TOKENS: 'length', CONTINUATION: 'length' },
    ...{ SAFETY: 'content_filter', RECITATION: 'content_filter', BLOCKLIST: 'content_filter', SPII: 'content_filter' },
    ...{ PROHIBITED_CONTENT: 'content_filter', IMAGE_SAFETY: 'content_filter', OTHER: 'other', LANGUAGE: 'other' },
  };
  for (const [said, meant] of Object.entries(reasons)) assert.equal(read(ended(said)).finish, meant, said);
  for (const said of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE']) {
    assert.equal(read(ended(said)).fault?.kind, 'broken', said);
  }
  const malformed = read(ended('MALFORMED_FUNCTION_CALL', { finishMessage: 'Malformed function call: print(now())' }));
  assert.match(malformed.fault!.message, /MALFORMED_FUNCTION_CALL.*print\(now\(\)\)/);
});

test('GeminiReader: a blocked prompt is a refusal with the reason', () => {
  const { fault } = read({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'Not this.' } });
  assert.deepEqual([fault?.kind, fault?.message], ['refused', 'The prompt is blocked (PROHIBITED_CONTENT). Not this.']);
  assert.equal(read({ promptFeedback: { safetyRatings: [] } }, ended('STOP')).finish, 'stop');
});

test('GeminiReader: a call gets a missing id and empty arguments', () => {
  const { calls } = read(
    chunk([{ functionCall: { name: 'one' } }, { functionCall: { name: 'two', args: {} } }]),
    ended('STOP'),
  );
  assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
  assert.deepEqual(
    calls.map(({ function: { arguments: text } }) => text),
    ['{}', '{}'],
  );
  assert.ok(calls.every((call) => !('extra_content' in call)));
});

test('GeminiReader: the first candidate is the answer', () => {
  const two = {
    candidates: [{ content: { parts: [{ text: 'a' }] } }, { content: { parts: [{ text: 'b' }] }, index: 1 }],
  };
  assert.equal(read(two, ended('STOP')).text, 'a');
});

test('GeminiReader: images are dropped with one warning', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  const told = read(chunk([{ text: 'Here: ' }, image]), chunk([image]), ended('STOP'));
  assert.deepEqual([told.text, told.warnings], ['Here: ', ['The answer holds image/png, which is left out.']]);
});

test('GeminiReader: an error within the stream has its status and retry delay', () => {
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
  const { fault } = read({
    error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details: [retryInfo] },
  });
  assert.deepEqual([fault?.kind, fault?.message, fault?.retryAfterMs], ['rate_limited', 'Quota.', 34_500]);
  assert.equal(
    read({ error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }).fault?.kind,
    'unavailable',
  );
  assert.equal(read({ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }).fault?.kind, 'refused');
});
