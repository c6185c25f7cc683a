import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedRequest } from '../../../../../src/core/agents/chat/recording/record.ts';
import { Transcripts } from '../../../../../src/core/agents/chat/recording/transcript.ts';
import { ended, recording, started } from './recorder-support.ts';

test('ChatRecorder: an ended chat becomes an execution and an event with its cost', async (t) => {
  const { recorder, events, found } = await recording(t);
  const chat = started();
  recorder.begin(chat);
  recorder.end(ended(chat));
  await recorder.settle(chat.executionId);
  const execution = (await found(chat.executionId))!;
  assert.equal(execution.status, 'completed');
  assert.equal(execution.output, '"hello"');
  assert.deepEqual(JSON.parse(execution.messages), chat.request.messages);
  assert.equal(execution.chat?.cost, 0.0045);
  assert.equal(execution.chat?.latencyMs, 500);
  assert.equal(events.length, 1);
  assert.equal(events[0]!.eventName, 'runtime.chat_completed');
  assert.equal(events[0]!.executionId, chat.executionId);
  assert.deepEqual(JSON.parse(events[0]!.properties), {
    projectId: 'shop',
    provider: 'openai',
    model: 'gpt-4o',
    status: 'completed',
    finishReason: 'stop',
    inputTokens: 1_000,
    outputTokens: 200,
    cost: 0.0045,
    latencyMs: 500,
    timeToFirstTokenMs: 100,
    attempts: 1,
    fallback: false,
  });
});

test('ChatRecorder: a running chat can be read, and its end updates the record', async (t) => {
  const { recorder, events, found } = await recording(t);
  const chat = started();
  recorder.begin(chat);
  await recorder.settle(chat.executionId);
  assert.equal((await found(chat.executionId))?.status, 'running');
  assert.equal(events.length, 0);
  recorder.end(ended(chat, { status: 'failed', text: 'hel', fault: { kind: 'broken', message: 'cut', status: null } }));
  await recorder.settle(chat.executionId);
  const execution = (await found(chat.executionId))!;
  assert.equal(execution.status, 'failed');
  assert.equal(execution.output, '"hel"');
  assert.deepEqual(execution.chat?.error, { kind: 'broken', message: 'cut', status: null });
  assert.equal(events[0]!.eventName, 'runtime.chat_failed');
});

test('ChatRecorder: a chat that ends while it is written as running is completed', async (t) => {
  const { recorder, found } = await recording(t);
  const chat = started();
  recorder.begin(chat);
  const writing = recorder.settle(chat.executionId);
  recorder.end(ended(chat));
  await writing;
  await recorder.settle(chat.executionId);
  assert.equal((await found(chat.executionId))?.status, 'completed');
});

test('ChatRecorder: concurrent reads of a chat write one execution and one event', async (t) => {
  const { recorder, events, state, found } = await recording(t);
  const chats = [started(), started(), started()];
  const settled = () => Promise.all(chats.flatMap(({ executionId }) => [executionId, executionId]).map(settle));
  const settle = (id: string) => recorder.settle(id);
  for (const chat of chats) recorder.begin(chat);
  await settled();
  for (const chat of chats) recorder.end(ended(chat));
  await settled();
  assert.deepEqual([events.length, state.errors], [3, 0]);
  for (const { executionId } of chats) assert.equal((await found(executionId))?.status, 'completed');
});

test('ChatRecorder: a chat that cannot be written does not delay others', async (t) => {
  const { recorder, events, state, found } = await recording(t);
  const stuck = started({ agentId: 'stuck' });
  const chat = started();
  for (const one of [stuck, chat]) {
    recorder.begin(one);
    recorder.end(ended(one));
  }
  state.unknownAgent = 'stuck';
  await recorder.settle(chat.executionId);
  assert.equal((await found(chat.executionId))?.status, 'completed');
  assert.equal(events.length, 1);
  assert.equal(await found(stuck.executionId), undefined);
  state.unknownAgent = '';
  await recorder.settle(stuck.executionId);
  assert.equal((await found(stuck.executionId))?.status, 'completed');
  assert.equal(events.length, 2);
});

test('ChatRecorder: an unknown price gives no cost instead of zero', async (t) => {
  const { recorder, events, found } = await recording(t);
  for (const members of [
    { model: 'a-model-of-ours' },
    { provider: 'custom' as const, baseUrl: 'http://127.0.0.1:11434/v1' },
    { baseUrl: 'https://proxy.example.com/v1' },
    { usage: null },
    // More from a cache than there was.
    { usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 20 } },
  ]) {
    const chat = started();
    recorder.begin(chat);
    recorder.end(ended(chat, members));
    await recorder.settle(chat.executionId);
    assert.equal((await found(chat.executionId))?.chat?.cost, null);
    assert.ok(!('cost' in JSON.parse(events.at(-1)!.properties)));
  }
});

test('ChatRecorder: the price of the definition overrides the table', async (t) => {
  const { recorder, found } = await recording(t);
  const usage = { inputTokens: 3_000, outputTokens: 200, cachedInputTokens: 1_000 };
  for (const [members, cost] of [
    [{ price: { inputPerMillion: 2, outputPerMillion: 10 } }, 0.008],
    [
      { price: { inputPerMillion: 0.1, outputPerMillion: 0.2 }, provider: 'custom', baseUrl: 'http://localhost/v1' },
      0.00034,
    ],
    [{ price: { inputPerMillion: 0, outputPerMillion: 0 } }, 0],
  ] as const) {
    const chat = started();
    recorder.begin(chat);
    recorder.end(ended(chat, { usage, ...members }));
    await recorder.settle(chat.executionId);
    assert.equal((await found(chat.executionId))?.chat?.cost, cost);
  }
});

test('ChatRecorder: chats wait for a full disk and are recorded afterwards', async (t) => {
  const { recorder, state, events, found } = await recording(t);
  state.isDiskFull = true;
  const chats = Array.from({ length: 50 }, () => started());
  for (const chat of chats) {
    recorder.begin(chat);
    recorder.end(ended(chat));
  }
  await recorder.settle(chats[0]!.executionId);
  assert.ok(state.errors > 0);
  assert.equal(await found(chats[0]!.executionId), undefined);
  state.isDiskFull = false;
  await recorder.close();
  for (const { executionId } of chats) assert.equal((await found(executionId))?.status, 'completed');
  assert.equal(events.length, 50);
  assert.equal(state.lost, 0);
});

test('ChatRecorder: refused events are retried and stored once', async (t) => {
  const { recorder, closeAll, state, events } = await recording(t);
  state.isBacklogFull = true;
  const chat = started();
  recorder.begin(chat);
  recorder.end(ended(chat));
  await recorder.settle(chat.executionId);
  assert.equal(events.length, 0);
  state.isBacklogFull = false;
  await closeAll();
  assert.equal(events.length, 1);
});

test('ChatRecorder: nothing of a tenant being erased is written', async (t) => {
  const { recorder, state, events, found } = await recording(t);
  state.shut.add('one');
  const chat = started();
  recorder.begin(chat);
  recorder.end(ended(chat));
  await recorder.close();
  assert.equal(await found(chat.executionId), undefined);
  assert.equal(events.length, 0);
});

test('ChatRecorder: without content only facts are recorded', async (t) => {
  const { recorder, found } = await recording(t, { withContent: false });
  const transcript = new Transcripts(recorder.withContent).begin('one', started().request);
  const chat = started({ request: transcript.request });
  recorder.begin(chat);
  transcript.add('hello');
  transcript.call({ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } });
  const { text, calls } = transcript;
  recorder.end(ended(chat, { request: transcript.requestWith('Be brief.'), text, calls }));
  await recorder.settle(chat.executionId);
  const { messages, output, usage } = (await found(chat.executionId))!;
  assert.deepEqual([messages, output], ['[]', 'null']);
  assert.deepEqual(usage, { inputTokens: 1_000, outputTokens: 200 });
});

test('ChatRecorder: calls and instructions are recorded, long files are not', async (t) => {
  const { recorder, found } = await recording(t);
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const call = { id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{}' } };
  const base = started();
  const chat = {
    ...base,
    request: recordedRequest(
      {
        ...base.request,
        instructions: 'Be brief.',
        messages: [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }] }],
      },
      true,
    ),
  };
  recorder.begin(chat);
  recorder.end(ended(chat, { text: '', calls: [call], finishReason: 'tool_calls' }));
  await recorder.settle(chat.executionId);
  const { messages, output } = (await found(chat.executionId))!;
  assert.deepEqual(JSON.parse(messages), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: '[image of 100022 characters, not recorded]' }] },
    { role: 'assistant', content: null, tool_calls: [call] },
  ]);
  assert.equal(output, 'null');
});
