import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type ErasedConversations,
  type ExecutionState,
  type ExecutionStore,
  NEW_EXECUTION,
  type StoredExecution,
} from '../../src/core/agents/executions/store.ts';
import { openStores, type StateBackend } from './backend.ts';

export type ExecutionBackend = StateBackend<{ executions: ExecutionStore }>;

let counter = 0;

export function execution(members: Partial<StoredExecution> = {}): StoredExecution {
  counter += 1;
  return {
    ...NEW_EXECUTION,
    id: `execution-${String(counter).padStart(6, '0')}`,
    idFromCaller: true,
    agentId: 'support',
    status: 'completed',
    shape: '1-to-',
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

const HOSTILE = 'q"\\\'; DROP TABLE executions --\u2028😀\u202e\0%_*';

export function testExecutionStore(backend: ExecutionBackend): void {
  const { name } = backend;
  const opened = async (t: TestContext, place?: string) => {
    const { executions: store, close, at } = await openStores(backend, t, place);
    /** Puts a new one, which must succeed. */
    const put = async (members: Partial<StoredExecution> = {}, tenantId = 'one') => {
      const made = execution(members);
      assert.equal(await store.put(tenantId, made, null), 'kept');
      return made;
    };
    const assertKept = async (isKept: boolean, tenantId: string, executions: readonly StoredExecution[]) => {
      for (const { id } of executions) assert.equal((await store.find(tenantId, id)) !== null, isKept, id);
    };
    return { store, put, assertKept, close, at };
  };

  test(`ExecutionStore (${name}): an execution keeps every member and is found by id`, async (t) => {
    const { store, put } = await opened(t);
    const full = await put({
      ...{ id: HOSTILE, idFromCaller: false, agentId: HOSTILE, threadId: HOSTILE, status: 'failed' },
      messages: JSON.stringify([{ role: 'user', content: `${HOSTILE}\ud800` }]),
      output: JSON.stringify({ [HOSTILE]: [1e-7, 2 ** 53 - 1, null, true] }),
      ...{ provider: HOSTILE, model: HOSTILE, usage: { input: 3, [HOSTILE]: { deep: [1] } }, shape: '1utoo' },
      ...{
        userId: HOSTILE,
        name: HOSTILE,
        tags: [HOSTILE, 'b'],
        metadata: { [HOSTILE]: 1.5 },
        parentId: `${HOSTILE}\0`,
      },
      ...{
        inputTokens: 3,
        outputTokens: 4,
        totalTokens: 7,
        sentCost: 0.1,
        cost: 0.1,
        costBasis: 'sent',
        errorKind: HOSTILE,
      },
      ...{ tools: [HOSTILE], latencyMs: 7, source: 'chat' },
      ...{ startedAt: -1, completedAt: 253_402_300_799_999, createdAt: 5, updatedAt: 2 ** 52, createdBy: 'somebody' },
    });
    const bare = await put();
    assert.deepEqual((await store.find('one', full.id))?.execution, full);
    assert.deepEqual((await store.find('one', bare.id))?.execution, bare);
    assert.equal(await store.find('one', 'nothing'), null);
    assert.equal(await store.find('one', ''), null);
  });

  test(`ExecutionStore (${name}): members named like Object.prototype's are kept`, async (t) => {
    const { store, put } = await opened(t);
    const text = '{"__proto__":{"a":1},"constructor":2,"toString":null}';
    const { id } = await put({ usage: JSON.parse(text) as Record<string, unknown>, output: text });
    const found = (await store.find('one', id))?.execution;
    assert.deepEqual([JSON.stringify(found?.usage), found?.output], [text, text]);
  });

  test(`ExecutionStore (${name}): contents of many megabytes are kept, and may shrink`, async (t) => {
    const { store, put } = await opened(t);
    const messages = JSON.stringify([{ role: 'user', content: 'ã😀\\u0000'.repeat(1024 * 1024) }]);
    const large = await put({ messages, output: JSON.stringify('x'.repeat(1024 * 1024)) });
    const first = (await store.find('one', large.id))!;
    assert.ok(first.execution.messages === messages, 'the same text');
    assert.equal(await store.put('one', { ...large, messages: '[]' }, first), 'kept');
    assert.deepEqual((await store.find('one', large.id))?.execution, { ...large, messages: '[]' });
  });

  test(`ExecutionStore (${name}): a put after an outdated revision stores nothing`, async (t) => {
    const { store, put } = await opened(t);
    const first = await put({ output: '"first"' });
    const stored = (await store.find('one', first.id))!;
    const { revision } = stored;
    const at = (other: number) => ({ ...stored, revision: other });
    const second = { ...first, output: '"second"', threadId: 'thread', agentId: 'other', updatedAt: 99 };
    for (const after of [null, at(revision - 1), at(revision + 1)]) {
      assert.equal(await store.put('one', second, after), 'conflict', String(after));
    }
    assert.deepEqual(await store.find('one', first.id), { execution: first, revision });
    assert.equal(await store.put('one', second, stored), 'kept');
    assert.equal(await store.put('one', first, stored), 'conflict', 'a state is followed once');
    const found = (await store.find('one', first.id))!;
    assert.deepEqual(found.execution, second);
    assert.notEqual(found.revision, revision);
    assert.equal(await store.put('one', execution({ id: 'nothing' }), stored), 'conflict', 'there is none to follow');
    assert.equal(await store.find('one', 'nothing'), null);
  });

  test(`ExecutionStore (${name}): of fifty puts after one revision one is stored whole`, async (t) => {
    const { store, put } = await opened(t);
    const race = async (base: StoredExecution, after: ExecutionState | null) => {
      const made = Array.from({ length: 50 }, (_, index) => ({ ...base, output: `${index}`, model: `${index}` }));
      const results = await Promise.all(made.map((one) => store.put('one', one, after)));
      assert.equal(results.filter((result) => result === 'kept').length, 1);
      assert.deepEqual((await store.find('one', base.id))?.execution, made[results.indexOf('kept')]);
    };
    await race(execution({ id: 'new' }), null);
    const known = await put();
    await race(known, (await store.find('one', known.id))!);
  });

  test(`ExecutionStore (${name}): agentOf gives the agent alone`, async (t) => {
    const { store, put } = await opened(t);
    const { id } = await put({ agentId: HOSTILE });
    await put({ id, agentId: 'theirs' }, 'two');
    assert.deepEqual(
      [await store.agentOf('one', id), await store.agentOf('two', id), await store.agentOf('one', 'nothing')],
      [HOSTILE, 'theirs', null],
    );
  });

  test(`ExecutionStore (${name}): an id names another execution in each tenant`, async (t) => {
    const { store, put } = await opened(t);
    const [own, theirs] = [await put({ id: 'same', output: '1' }), await put({ id: 'same', output: '2' }, 'two')];
    const same = (await store.find('one', 'same'))!;
    assert.equal(await store.put('one', { ...own, output: '3' }, same), 'kept');
    assert.deepEqual((await store.find('two', 'same'))?.execution, theirs);
    assert.equal((await store.find('one', 'same'))?.execution.output, '3');
  });

  test(`ExecutionStore (${name}): only server-made ids belong to another tenant`, async (t) => {
    const { store, put } = await opened(t);
    const made = await put({ idFromCaller: false });
    const given = await put({ idFromCaller: true });
    const ofAnother = (tenantId: string, { id }: { id: string }) => store.isOfAnotherTenant(tenantId, id);
    assert.deepEqual([await ofAnother('two', made), await ofAnother('one', made)], [true, false]);
    assert.deepEqual([await ofAnother('two', given), await ofAnother('one', given)], [false, false]);
    assert.equal(await store.isOfAnotherTenant('two', 'nothing'), false);
  });

  test(`ExecutionStore (${name}): erasing a tenant takes its executions once, no others`, async (t) => {
    const { store, put, assertKept } = await opened(t);
    const mine = await Promise.all(Array.from({ length: 250 }, (_, index) => put({ id: `e${index}` })));
    const theirs = await put({ id: 'e1' }, 'two');
    assert.equal(await store.erase('one', null), 250);
    await assertKept(false, 'one', mine);
    await assertKept(true, 'two', [theirs]);
    assert.equal(await store.erase('one', null), 0);
    assert.equal(await store.put('one', mine[0]!, null), 'kept', 'its id is free again');
  });

  test(`ExecutionStore (${name}): the newest executions of threads, of one tenant`, async (t) => {
    const { store, put } = await opened(t);
    for (const createdAt of [2, 1, 3]) await put({ id: `t1 ${createdAt}`, threadId: 't1', createdAt });
    await put({ id: 'hostile', threadId: HOSTILE });
    await put({ id: 'none' });
    await put({ id: 'theirs', threadId: 't1' }, 'two');
    const newest = await store.newestOfThreads('one', ['t1', HOSTILE, 'unknown'], 2);
    assert.deepEqual(
      new Map(newest),
      new Map([
        ['t1', ['t1 3', 't1 2']],
        [HOSTILE, ['hostile']],
      ]),
    );
    assert.deepEqual(await store.newestOfThreads('one', [], 2), new Map());
  });

  test(`ExecutionStore (${name}): erasing a thread takes what it or its events name`, async (t) => {
    const { store, put, assertKept } = await opened(t);
    const gone = [
      ...(await Promise.all(Array.from({ length: 150 }, () => put({ threadId: HOSTILE })))),
      ...(await Promise.all(Array.from({ length: 150 }, () => put()))),
    ];
    const kept = [await put({ threadId: 'other' }), await put(), await put({ threadId: `${HOSTILE} ` })];
    const theirs = [await put({ threadId: HOSTILE }, 'two'), await put({ id: gone[200]!.id }, 'two')];
    const thread: ErasedConversations = {
      threadIds: [HOSTILE],
      userId: null,
      executionIds: [...gone.slice(120).map(({ id }) => id), kept[0]!.id, 'not recorded', gone[200]!.id],
    };
    assert.deepEqual(new Set(await store.idsOf('one', thread)), new Set(gone.map(({ id }) => id)));
    assert.equal(await store.erase('one', thread), 300);
    assert.deepEqual(await store.idsOf('one', thread), []);
    await assertKept(false, 'one', gone);
    await assertKept(true, 'one', kept);
    await assertKept(true, 'two', theirs);
    assert.equal(await store.erase('one', thread), 0);
    assert.equal(await store.erase('one', { threadIds: ['nothing'], executionIds: [], userId: null }), 0);
  });

  test(`ExecutionStore (${name}): erasing an end user takes no execution of another`, async (t) => {
    const { store, put, assertKept } = await opened(t);
    const mine = { userId: HOSTILE };
    // Named by its thread and by its id, and larger than what one transaction erases.
    const large = JSON.stringify('x'.repeat(5 * 1024 * 1024));
    const gone = [
      await put({ ...mine, threadId: 'private', output: large }),
      await put({ threadId: 'private' }),
      await put({ ...mine, threadId: 'shared' }),
      await put(mine),
      await put(),
    ];
    const kept = [
      await put({ userId: 'another', threadId: 'shared' }),
      await put({ threadId: 'shared' }),
      await put({ userId: 'another' }),
      await put({ userId: 'another', threadId: 'late' }),
      await put({ ...mine, threadId: 'unnamed' }),
    ];
    const theirs = [await put({ ...mine, threadId: 'private' }, 'two'), await put({ id: gone[3]!.id, ...mine }, 'two')];
    const threads = ['private', 'shared', 'unnamed', 'late', 'unknown'];
    assert.deepEqual(await store.threadsOfOthers('one', threads, HOSTILE), new Set(['shared', 'late']));
    assert.deepEqual(await store.threadsOfOthers('two', threads, HOSTILE), new Set());
    assert.deepEqual(await store.threadsOfOthers('one', [], HOSTILE), new Set());
    const nobody: ErasedConversations = { threadIds: [], executionIds: [], userId: HOSTILE };
    assert.equal(await store.erase('one', nobody), 0, 'empty lists name nothing');
    const some: ErasedConversations = {
      threadIds: ['private', 'late'],
      executionIds: [...gone, ...kept.slice(0, 4)].map(({ id }) => id),
      userId: HOSTILE,
    };
    assert.deepEqual(new Set(await store.idsOf('one', some)), new Set(gone.map(({ id }) => id)));
    assert.equal(await store.erase('one', some), gone.length);
    await assertKept(false, 'one', gone);
    await assertKept(true, 'one', kept);
    await assertKept(true, 'two', theirs);
  });

  test(`ExecutionStore (${name}): contents survive closing and can be updated`, async (t) => {
    const { put, close, at } = await opened(t);
    const kept = await put({ output: '"kept"' });
    await close();
    const { store } = await opened(t, at);
    const found = (await store.find('one', kept.id))!;
    assert.deepEqual(found.execution, kept);
    assert.equal(await store.put('one', { ...kept, output: '2' }, found), 'kept');
  });
}
