import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCall } from '../../../../../src/core/agents/chat/provider.ts';
import { Transcripts } from '../../../../../src/core/agents/chat/recording/transcript.ts';
import type { ChatRequest } from '../../../../../src/core/agents/chat/schema.ts';
import { collected } from '../../../../support/memory.ts';

const KILO = 1024;

function asked(content = 'hi'): ChatRequest {
  return { projectId: 'shop', provider: 'openai', model: 'gpt-4o', messages: [{ role: 'user', content }] };
}

function callOf(length: number): ToolCall {
  return { id: 'c', type: 'function', function: { name: 'find', arguments: 'x'.repeat(length) } };
}

test('Transcript: an answer is cut at the limit, between characters', () => {
  const transcript = new Transcripts(true, { answer: 10 * KILO, memory: 100 * KILO }).begin('one', asked());
  const part = `x${'🌍'.repeat(10)}`;
  const all = part.repeat(1_000);
  for (let at = 0; at < all.length; at += part.length) transcript.add(part);
  assert.equal(transcript.text, all.slice(0, 10 * KILO).toWellFormed());
  assert.ok(transcript.text.isWellFormed());
  assert.equal(transcript.isTruncated, true);
});

test('Transcript: an answer exactly at the limit is complete', () => {
  const transcript = new Transcripts(true, { answer: 10 * KILO, memory: 100 * KILO }).begin('one', asked());
  for (let kilos = 0; kilos < 10; kilos++) transcript.add('x'.repeat(KILO));
  assert.deepEqual([transcript.text.length, transcript.isTruncated], [10 * KILO, false]);
  transcript.add('x');
  assert.deepEqual([transcript.text.length, transcript.isTruncated], [10 * KILO, true]);
});

test('Transcript: running chats share a budget of which a tenant may use half', () => {
  const transcripts = new Transcripts(true, { answer: 100 * KILO, memory: 100 * KILO });
  const [first, second] = [transcripts.begin('one', asked()), transcripts.begin('one', asked())];
  first.add('x'.repeat(40 * KILO));
  second.add('y'.repeat(2 * KILO));
  second.add('y'.repeat(40 * KILO));
  assert.deepEqual([first.text.length, first.isTruncated], [40 * KILO, false]);
  assert.deepEqual([second.text, second.isTruncated], ['y'.repeat(4 * KILO), true]);
  const other = transcripts.begin('two', asked());
  other.add('z'.repeat(40 * KILO));
  assert.equal(other.isTruncated, false);
  first.release();
  first.release();
  const next = transcripts.begin('one', asked());
  next.add('x'.repeat(40 * KILO));
  assert.deepEqual([next.text.length, next.isTruncated], [40 * KILO, false]);
  second.add('y');
  assert.equal(second.text.length, 4 * KILO, 'where something is missing, nothing follows');
});

test('Transcript: a conversation beyond the budget is dropped, its answer may fit', () => {
  const transcripts = new Transcripts(true, { answer: 100 * KILO, memory: 100 * KILO });
  const transcript = transcripts.begin('one', asked('x'.repeat(60 * KILO)));
  transcript.add('hello');
  const { request, text, isTruncated } = transcript;
  assert.deepEqual([request.messages, text, isTruncated], [[], 'hello', true]);
});

test('Transcript: calls count towards the limit of an answer', () => {
  const transcripts = new Transcripts(true, { answer: 10 * KILO, memory: 100 * KILO });
  const transcript = transcripts.begin('one', asked());
  transcript.call(callOf(6 * KILO));
  transcript.call(callOf(6 * KILO));
  transcript.add('x');
  assert.deepEqual([transcript.calls.length, transcript.text, transcript.isTruncated], [1, '', true]);
});

test('Transcript: without content nothing is stored and nothing is truncated', () => {
  const transcript = new Transcripts(false, { answer: 1, memory: 1 }).begin('one', asked());
  transcript.add('hello');
  transcript.call(callOf(10));
  const { request, text, calls, isTruncated } = transcript;
  assert.deepEqual([request.messages, text, calls, isTruncated], [[], '', [], false]);
});

test('Transcript: memory is proportional to the characters of an answer', () => {
  const transcript = new Transcripts(true).begin('one', asked());
  const before = collected();
  const length = 20;
  const parts = 100_000;
  for (let index = 0; index < parts; index++) {
    const read = `data: {"id":"${index}","choices":[{"delta":{"content":"${'x'.repeat(length)}"}}]}`.padEnd(500);
    transcript.add(read.slice(50, 50 + length));
  }
  const held = collected() - before;
  assert.equal(transcript.text.length, parts * length);
  assert.ok(held < 2 * parts * length, `${held} bytes`);
});
