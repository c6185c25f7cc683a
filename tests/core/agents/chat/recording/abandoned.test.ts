import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbandonedChats } from '../../../../../src/core/agents/chat/recording/abandoned.ts';
import type { RecordedChat } from '../../../../../src/core/agents/executions/store.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { realEffects } from '../../../../../src/core/base/shared/effects.ts';
import { SqlExecutionStore } from '../../../../../src/storage/state/sql/executions/store.ts';
import { CHAT } from '../../../../contracts/execution-chats.ts';
import { execution } from '../../../../contracts/execution-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { outboxBefore } from '../../../../support/outbox.ts';
import { openReviews } from '../../../../support/reviews.ts';
import { ended, recording, started } from './recorder-support.ts';

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
