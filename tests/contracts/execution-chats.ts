import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatFacts } from '../../src/core/agents/executions/schema.ts';
import type { RecordedChat } from '../../src/core/agents/executions/store.ts';
import { type ExecutionBackend, execution } from './execution-store.ts';

export const CHAT: ChatFacts = {
  projectId: 'shop',
  providerName: null,
  finishReason: null,
  cost: null,
  latencyMs: null,
  timeToFirstTokenMs: null,
  providerRequestId: null,
  attempts: 0,
  fallback: false,
  truncated: false,
  droppedParams: [],
  error: null,
};

const running = (members: object = {}) =>
  execution({ idFromCaller: false, status: 'running', chat: CHAT, messages: '["asked"]', ...members });

export function testRecordedChats({ name, directory, open }: ExecutionBackend): void {
  const opened = async (t: Parameters<ExecutionBackend['directory']>[0], at = directory(t)) => {
    const { executions: store, close } = await open(at);
    t.after(close);
    return store;
  };
  const of = (tenantId: string, kept: RecordedChat['execution'], isKnown = false) => ({
    tenantId,
    execution: kept,
    isKnown,
  });

  test(`ExecutionStore (${name}): chats of several tenants are recorded with every member`, async (t) => {
    const store = await opened(t);
    const chat = { ...CHAT, cost: 0.25, droppedParams: ['seed'], error: { kind: 'broken', message: 'x', status: 500 } };
    const [one, two] = [running({ chat }), running({ status: 'completed', output: '"done"' })];
    assert.deepEqual(await store.recordChats([of('one', one), of('two', two)]), new Set([one.id, two.id]));
    assert.deepEqual((await store.find('one', one.id))?.execution, one);
    assert.deepEqual((await store.find('two', two.id))?.execution, two);
    assert.equal(await store.find('two', one.id), null);
  });

  test(`ExecutionStore (${name}): the end of a chat keeps a thread that was set meanwhile`, async (t) => {
    const store = await opened(t);
    const begun = running();
    await store.recordChats([of('one', begun)]);
    const known = await store.find('one', begun.id);
    assert.equal(await store.put('one', { ...begun, threadId: 'thread' }, known), 'kept');
    const ended = { ...begun, status: 'completed' as const, output: '"done"', completedAt: 9, updatedAt: 9 };
    assert.deepEqual(await store.recordChats([of('one', ended, true)]), new Set([begun.id]));
    const found = await store.find('one', begun.id);
    assert.deepEqual(found?.execution, { ...ended, threadId: 'thread' });
    assert.equal(await store.put('one', begun, known), 'conflict');
  });

  test(`ExecutionStore (${name}): chats that were erased or lost their tenant stay gone`, async (t) => {
    const store = await opened(t);
    const begun = running();
    await store.recordChats([of('one', begun)]);
    await store.erase('one', null);
    const [other, good] = [running(), running()];
    const kept = await store.recordChats([of('one', begun, true), of('gone', other), of('two', good)]);
    assert.deepEqual(kept, new Set([good.id]));
    assert.equal(await store.find('one', begun.id), null);
  });

  test(`ExecutionStore (${name}): running chats, and only those, are found in pages`, async (t) => {
    const store = await opened(t);
    const chats = Array.from({ length: 5 }, () => running());
    await store.recordChats(chats.map((chat, index) => of(index < 3 ? 'one' : 'two', chat)));
    await store.recordChats([of('one', running({ status: 'completed' }))]);
    await store.put('one', execution({ status: 'running' }), null);
    const first = await store.runningChats(null, 2);
    const second = await store.runningChats(first.at(-1)!, 2);
    const third = await store.runningChats(second.at(-1)!, 2);
    assert.deepEqual([first.length, second.length, third.length], [2, 2, 1]);
    const found = [...first, ...second, ...third];
    assert.deepEqual(new Set(found.map(({ execution }) => execution.id)), new Set(chats.map(({ id }) => id)));
    const { messages, output, ...facts } = chats[3]!;
    const one = found.find(({ execution }) => execution.id === facts.id);
    assert.deepEqual([one?.tenantId, one?.execution], ['two', facts]);
    assert.deepEqual(await store.runningChats(third.at(-1)!, 2), []);
  });

  test(`ExecutionStore (${name}): failChats leaves ended and erased chats alone`, async (t) => {
    const store = await opened(t);
    const [begun, ended, erased] = [running(), running(), running()];
    await store.recordChats([of('one', begun), of('one', ended), of('two', erased)]);
    const found = await store.runningChats(null, 10);
    await store.recordChats([of('one', { ...ended, status: 'completed', output: '"done"' }, true)]);
    await store.erase('two', null);
    const error = { kind: 'internal', message: 'crashed', status: null };
    const members = { status: 'failed' as const, completedAt: 77, updatedAt: 77, chat: { ...CHAT, error } };
    await store.failChats(
      found.map(({ tenantId, execution }) => ({ tenantId, execution: { ...execution, ...members } })),
    );
    const failed = await store.find('one', begun.id);
    assert.deepEqual(failed, { execution: { ...begun, ...members }, revision: 2 });
    const whole = (await store.find('one', ended.id))!.execution;
    assert.deepEqual([whole.status, whole.output, whole.chat], ['completed', '"done"', CHAT]);
    assert.equal(await store.find('two', erased.id), null);
    assert.deepEqual(await store.runningChats(null, 10), []);
  });
}
