import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatFacts } from '../../src/core/executions/schema.ts';
import type { RecordedChat } from '../../src/core/executions/store.ts';
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

/** What `ExecutionStore` keeps of chats. Every backend runs it. */
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

  test(`${name}: chats of several tenants are kept at once, with every member`, async (t) => {
    const store = await opened(t);
    const chat = { ...CHAT, cost: 0.25, droppedParams: ['seed'], error: { kind: 'broken', message: 'x', status: 500 } };
    const [one, two] = [running({ chat }), running({ status: 'completed', output: '"done"' })];
    assert.deepEqual(await store.recordChats([of('one', one), of('two', two)]), new Set([one.id, two.id]));
    assert.deepEqual((await store.find('one', one.id))?.execution, one);
    assert.deepEqual((await store.find('two', two.id))?.execution, two);
    assert.equal(await store.find('two', one.id), null);
  });

  test(`${name}: a chat that ends keeps the thread that it was given meanwhile`, async (t) => {
    const store = await opened(t);
    const begun = running();
    await store.recordChats([of('one', begun)]);
    const known = await store.find('one', begun.id);
    assert.equal(await store.put('one', { ...begun, threadId: 'thread' }, known!.revision), 'kept');
    const ended = { ...begun, status: 'completed' as const, output: '"done"', completedAt: 9, updatedAt: 9 };
    assert.deepEqual(await store.recordChats([of('one', ended, true)]), new Set([begun.id]));
    const found = await store.find('one', begun.id);
    assert.deepEqual(found?.execution, { ...ended, threadId: 'thread' });
    assert.equal(await store.put('one', begun, known!.revision), 'conflict');
  });

  test(`${name}: neither a chat that was erased nor one of a tenant that is gone comes back`, async (t) => {
    const store = await opened(t);
    const begun = running();
    await store.recordChats([of('one', begun)]);
    await store.erase('one', null);
    const [other, good] = [running(), running()];
    const kept = await store.recordChats([of('one', begun, true), of('gone', other), of('two', good)]);
    assert.deepEqual(kept, new Set([good.id]));
    assert.equal(await store.find('one', begun.id), null);
  });

  test(`${name}: chats that nobody ended have failed, and nothing else has`, async (t) => {
    const store = await opened(t);
    const begun = running();
    const ended = running({ status: 'completed' });
    const others = execution({ status: 'running' });
    await store.recordChats([of('one', begun), of('one', ended)]);
    await store.put('one', others, null);
    assert.equal(await store.failAbandonedChats(77), 1);
    assert.equal(await store.failAbandonedChats(78), 0);
    const failed = (await store.find('one', begun.id))!.execution;
    assert.equal(failed.status, 'failed');
    assert.equal(failed.completedAt, 77);
    assert.equal(failed.chat?.error?.kind, 'internal');
    assert.deepEqual((await store.find('one', ended.id))?.execution, ended);
    assert.deepEqual((await store.find('one', others.id))?.execution, others);
  });
}
