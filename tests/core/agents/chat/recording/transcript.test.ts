import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatUsage, ToolCall } from '../../../../../src/core/agents/chat/provider.ts';
import { AbandonedChats } from '../../../../../src/core/agents/chat/recording/abandoned.ts';
import { countedUsage } from '../../../../../src/core/agents/chat/recording/record.ts';
import { redactSecrets } from '../../../../../src/core/agents/chat/recording/secrets.ts';
import { Transcripts } from '../../../../../src/core/agents/chat/recording/transcript.ts';
import type { ChatRequest } from '../../../../../src/core/agents/chat/schema.ts';
import type { RecordedChat } from '../../../../../src/core/agents/executions/store.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { realEffects } from '../../../../../src/core/base/shared/effects.ts';
import { SqlExecutionStore } from '../../../../../src/storage/state/sql/executions/store.ts';
import { CHAT } from '../../../../contracts/execution-chats.ts';
import { execution } from '../../../../contracts/execution-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { collected } from '../../../../support/memory.ts';
import { outboxBefore } from '../../../../support/outbox.ts';
import { openReviews } from '../../../../support/reviews.ts';
import { ended, recording, started } from './recorder-support.ts';

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

test('countedUsage: valid counts are used and invalid details dropped', () => {
  const usage = { inputTokens: 30, outputTokens: 0, cachedInputTokens: 10, reasoningTokens: 0 };
  assert.deepEqual(countedUsage(usage), usage);
  const sloppy = { ...usage, cachedInputTokens: null, reasoningTokens: -3 } as unknown as ChatUsage;
  assert.deepEqual(countedUsage(sloppy), { inputTokens: 30, outputTokens: 0 });
});

test('countedUsage: invalid counts give null', () => {
  for (const [inputTokens, outputTokens] of [
    [null, 5],
    ['12', 5],
    [12, -1],
    [12, 1.5],
    [Number.POSITIVE_INFINITY, 1],
    [undefined, 1],
    [0, 0],
  ]) {
    assert.equal(countedUsage({ inputTokens, outputTokens } as unknown as ChatUsage), null);
  }
});

const connection = {
  apiKey: 'sk-0123456789abcdef',
  headers: { authorization: 'Bearer tok-0123456789', 'x-key': 'sk-0123456789abcdef-long', 'x-flag': 'on' },
};

test('redactSecrets: quoted secrets, their words and nested secrets are redacted', () => {
  assert.equal(
    redactSecrets('Wrong key sk-0123456789abcdef, or tok-0123456789, or sk-0123456789abcdef-long.', connection),
    'Wrong key [secret], or [secret], or [secret].',
  );
  assert.equal(redactSecrets('Go on, Bearer of news.', connection), 'Go on, Bearer of news.');
});

test('redactSecrets: a secret truncated at the end of a text is redacted', () => {
  for (let length = 8; length < connection.apiKey.length; length++) {
    const text = `The key is ${connection.apiKey.slice(0, length)}...`;
    assert.equal(redactSecrets(text, connection), 'The key is [secret]...');
  }
  assert.equal(redactSecrets('The key is sk-01...', connection), 'The key is sk-01...');
});

test('redactSecrets: a connection without secrets changes nothing', () => {
  assert.equal(redactSecrets('a text...', { apiKey: null, headers: {} }), 'a text...');
});

const of = (tenantId: string, members: object = {}): RecordedChat => ({
  ...{ tenantId, isKnown: false },
  execution: execution({ idFromCaller: false, status: 'running', chat: CHAT, ...members }),
});

test('AbandonedChats: a chat cut off by a crash fails with exactly one event', async (t) => {
  const { recorder, events, state, found, database } = await recording(t);
  const killed = new SqlExecutionStore(database);
  const chats = [of('one', { provider: 'openai', model: 'gpt-5', threadId: 'thread' }), of('one'), of('two')];
  await killed.recordChats(chats);
  state.isDiskFull = true;
  await recorder.settleAll();
  assert.equal(events.length, 3);
  assert.equal((await found(chats[0]!.execution.id))?.status, 'running');
  state.isDiskFull = false;
  await recorder.settleAll();
  await recorder.settleAll();
  assert.equal(events.length, 3);
  const { status, chat, completedAt } = (await found(chats[0]!.execution.id))!;
  assert.deepEqual([status, chat?.error?.kind], ['failed', 'internal']);
  assert.ok(completedAt);
  const event = events.find(({ executionId }) => executionId === chats[0]!.execution.id)!;
  assert.deepEqual([event.eventName, event.agentId, event.threadId], ['runtime.chat_failed', 'support', 'thread']);
  assert.deepEqual(JSON.parse(event.properties), {
    ...{ projectId: 'shop', provider: 'openai', model: 'gpt-5', status: 'failed', error: 'internal' },
  });
});

test('AbandonedChats: a running chat, or one that a caller set to running, stays', async (t) => {
  const { recorder, events, found, executions } = await recording(t);
  const called = of('one', { chat: { ...CHAT, latencyMs: 5 } });
  await executions.recordChats([called]);
  const chat = started();
  recorder.begin(chat);
  await recorder.settle(chat.executionId);
  await recorder.settleAll();
  assert.equal(events.length, 0);
  for (const id of [chat.executionId, called.execution.id]) assert.equal((await found(id))?.status, 'running');
});

test('AbandonedChats: a chat whose end was lost fails once the disk has space', async (t) => {
  const { recorder, state, events, found } = await recording(t);
  const chats = Array.from({ length: 20 }, () => started({ startedAt: Date.now() + 1_000 }));
  for (const chat of chats) recorder.begin(chat);
  await recorder.settleAll();
  state.isDiskFull = true;
  const text = 'x'.repeat(4 * 1024 * 1024);
  recorder.end(ended(chats[0]!, { text }));
  await recorder.settle(chats[0]!.executionId);
  for (const chat of chats.slice(1)) recorder.end(ended(chat, { text }));
  assert.ok(state.lost > 0 && state.lost < chats.length);
  state.isDiskFull = false;
  await recorder.settleAll();
  const executions = await Promise.all(chats.map(async ({ executionId }) => (await found(executionId))!));
  assert.deepEqual(new Set(executions.map(({ status }) => status)), new Set(['completed', 'failed']));
  const lost = executions.filter(({ status }) => status === 'failed');
  assert.equal(lost.length, state.lost);
  for (const { chat } of lost) assert.equal(chat?.error?.kind, 'unrecorded');
  await recorder.close();
  assert.equal(events.length, chats.length);
});

test('AbandonedChats: chats end in batches, except those of an erased tenant', async (t) => {
  const { executions, close } = await openReviews(temporaryDirectory(t));
  t.after(close);
  await executions.recordChats(Array.from({ length: 1_234 }, () => of('one')));
  await executions.recordChats([of('two')]);
  const batches: StoredEvent[][] = [];
  const abandoned = new AbandonedChats({
    executions,
    outbox: outboxBefore([], { append: (_tenantId, batch) => batches.push(batch) }),
    tenants: { isBlocked: (tenantId) => tenantId === 'two' },
    effects: realEffects,
  });
  await abandoned.end(() => false);
  assert.deepEqual(
    batches.map(({ length }) => length),
    [500, 500, 234],
  );
  assert.equal(new Set(batches.flat().map(({ id }) => id)).size, 1_234);
  const left = await executions.runningChats(null, 10);
  assert.deepEqual(
    left.map(({ tenantId }) => tenantId),
    ['two'],
  );
});
