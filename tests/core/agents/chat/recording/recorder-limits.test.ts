import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EndedChat, recordedRequest } from '../../../../../src/core/agents/chat/recording/record.ts';
import type { ChatRecorder } from '../../../../../src/core/agents/chat/recording/recorder.ts';
import { execution } from '../../../../contracts/execution-store.ts';
import { ended, recording, started } from './recorder-support.ts';

const MEGABYTE = 1024 * 1024;

/** A chat from its beginning to its end; its id. */
function whole(recorder: ChatRecorder, members: Partial<EndedChat> = {}): string {
  const chat = started();
  recorder.begin(chat);
  recorder.end(ended(chat, members));
  return chat.executionId;
}

async function endOne(recorder: ChatRecorder): Promise<string> {
  const chat = started();
  recorder.begin(chat);
  await recorder.end(ended(chat));
  return chat.executionId;
}

test('ChatRecorder: the end of a chat waits for its execution and its event', async (t) => {
  const { recorder, events, found } = await recording(t);
  const id = await endOne(recorder);
  assert.deepEqual([(await found(id))?.status, events.length], ['completed', 1]);
});

test('ChatRecorder: chats that end together share a transaction', async (t) => {
  const { recorder, state, found } = await recording(t);
  const ids = await Promise.all(Array.from({ length: 30 }, () => endOne(recorder)));
  for (const id of ids) assert.equal((await found(id))?.status, 'completed');
  assert.equal(state.writes, 1);
});

test('ChatRecorder: refused events do not stop executions and are retried every second', async (t) => {
  const { recorder, closeAll, state, events, found } = await recording(t);
  state.isBacklogFull = true;
  for (let count = 0; count < 3; count++) assert.equal((await found(await endOne(recorder)))?.status, 'completed');
  assert.deepEqual([events.length, state.errors], [0, 1]);
  state.isBacklogFull = false;
  await closeAll();
  assert.equal(events.length, 3);
});

test('ChatRecorder: concurrent requests for a chat write it once', async (t) => {
  const { recorder, events, state } = await recording(t);
  const chat = started();
  recorder.begin(chat);
  await Promise.all(Array.from({ length: 5 }, () => recorder.settle(chat.executionId)));
  recorder.end(ended(chat));
  await Promise.all(Array.from({ length: 5 }, () => recorder.settle(chat.executionId)));
  assert.equal(events.length, 1);
  assert.equal(state.errors, 0);
});

test('ChatRecorder: many long answers that end at once are all recorded', async (t) => {
  const { recorder, state, found } = await recording(t);
  const text = 'x'.repeat(4 * MEGABYTE);
  const ids = Array.from({ length: 20 }, () => whole(recorder, { text }));
  await recorder.close();
  assert.equal(state.lost, 0);
  for (const id of ids) assert.equal((await found(id))?.output.length, text.length + 2);
});

test('ChatRecorder: writing many chats does not block the event loop', async (t) => {
  const { recorder, found } = await recording(t);
  const ids = Array.from({ length: 120 }, () => whole(recorder));
  let turns = 0;
  let isWritten = false;
  const count = () => {
    turns += 1;
    if (!isWritten) setImmediate(count);
  };
  setImmediate(count);
  await recorder.settleAll();
  isWritten = true;
  // The store is synchronous, so other work runs only where the recorder yields.
  assert.ok(turns >= 2, String(turns));
  for (const id of ids) assert.ok(await found(id));
});

test('ChatRecorder: each chat is recorded as running one second after it began', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    await turns(50);
  };
  const { recorder, state, found } = await recording(t);
  const [first, second] = [started(), started()];
  recorder.begin(first);
  await pass(900);
  recorder.begin(second);
  await pass(100);
  while (state.writes === 0) await turns(1);
  await turns(50);
  assert.deepEqual([(await found(first.executionId))?.status, await found(second.executionId)], ['running', undefined]);
  await pass(899);
  assert.equal(await found(second.executionId), undefined);
  await pass(1);
  assert.equal((await found(second.executionId))?.status, 'running');
});

test('ChatRecorder: close waits for a write in progress', async (t) => {
  const { recorder, found } = await recording(t);
  const chat = started();
  recorder.begin(chat);
  // Not awaited.
  void recorder.settle(chat.executionId);
  await Promise.resolve();
  await recorder.close();
  assert.equal((await found(chat.executionId))?.status, 'running');
});

test('ChatRecorder: the backlog is bounded; further chats are lost and counted', async (t) => {
  const { recorder, state } = await recording(t);
  state.isDiskFull = true;
  await recorder.settle(whole(recorder));
  const text = 'x'.repeat(4 * MEGABYTE);
  for (let count = 0; count < 20; count++) whole(recorder, { text });
  assert.equal(state.lost, 5);
  state.isDiskFull = false;
});

test('ChatRecorder: a failing disk is retried once a second however many chats end', async (t) => {
  const { recorder, state } = await recording(t);
  state.isDiskFull = true;
  const { mock } = t.mock.method(globalThis, 'setTimeout');
  await endOne(recorder);
  const pauses = mock.calls.map(({ arguments: [, ms] }) => ms);
  assert.deepEqual([pauses, state.errors], [[1_000, 5_000], 1], 'the next try, and how long the end may wait');
  for (let count = 0; count < 5; count++) await endOne(recorder);
  assert.deepEqual([mock.callCount(), state.errors], [pauses.length, 1]);
  state.isDiskFull = false;
});

test('ChatRecorder: unrecorded files and tools do not count towards the backlog', async (t) => {
  const { recorder, state, found } = await recording(t);
  state.isDiskFull = true;
  await recorder.settle(whole(recorder));
  const url = `data:image/png;base64,${'A'.repeat(16 * MEGABYTE)}`;
  const messages = [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }] }];
  const description = 'x'.repeat(8 * MEGABYTE);
  const tools = [{ type: 'function' as const, function: { name: 'find', description } }];
  const ids = Array.from({ length: 10 }, () => {
    const chat = started();
    const request = recordedRequest({ ...chat.request, messages, tools }, true);
    recorder.begin({ ...chat, request });
    recorder.end(ended({ ...chat, request }));
    return chat.executionId;
  });
  assert.equal(state.lost, 0);
  state.isDiskFull = false;
  await recorder.close();
  for (const id of ids) assert.match((await found(id))!.messages, /image of \d+ characters, not recorded/);
});

test('ChatRecorder: an invalid chat does not stop the others of its batch', async (t) => {
  const { recorder, state, events, found, executions } = await recording(t);
  const taken = started();
  // Another caller recorded something under this id first.
  await executions.put('one', execution({ id: taken.executionId }), null);
  recorder.begin(taken);
  recorder.end(ended(taken));
  const ids = Array.from({ length: 3 }, () => whole(recorder));
  await recorder.settle(ids[0]!);
  for (const id of ids) assert.equal((await found(id))?.status, 'completed');
  assert.deepEqual([state.lost, events.length], [1, 3]);
  await recorder.settle(whole(recorder));
  assert.equal(state.lost, 1);
});

test('ChatRecorder: invalid usage has no price and is recorded', async (t) => {
  const { recorder, state, found } = await recording(t);
  for (const usage of [
    { inputTokens: 10, outputTokens: 5, cachedInputTokens: 20 },
    { inputTokens: -1, outputTokens: 5 },
    { inputTokens: Number.NaN, outputTokens: 5 },
    { inputTokens: 'many' as unknown as number, outputTokens: 5 },
  ]) {
    const id = whole(recorder, { usage });
    await recorder.settle(id);
    const { status, chat } = (await found(id))!;
    assert.deepEqual([status, chat?.cost], ['completed', null]);
  }
  const known = whole(recorder);
  await recorder.settle(known);
  assert.equal((await found(known))!.chat?.cost, 0.0045, 'the model is still known');
  assert.deepEqual([state.errors, state.lost], [0, 0]);
});
