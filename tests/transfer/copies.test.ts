import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { withMethods } from '../../src/core/base/shared/with-methods.ts';
import type { KnowledgeStore, NewJob } from '../../src/core/knowledge/store.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import { MAX_EVENTS_PER_TENANT } from '../../src/storage/events/shared/known-names.ts';
import { openKnowledgeStore } from '../../src/storage/knowledge/sqlite/thread.ts';
import { copyDocuments, digestDocuments, endInterrupted } from '../../src/transfer/documents.ts';
import { copyEvents, digestEvents } from '../../src/transfer/events.ts';
import { batch, chunk, leaseOf, newJob, planted, ROOM } from '../contracts/knowledge/backend.ts';
import { temporaryDirectory } from '../support/app.ts';
import { storeOptions } from '../support/event-store.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../support/postgres-state.ts';
import { rareTest } from '../support/rare.ts';

async function sqlite(t: TestContext): Promise<KnowledgeStore> {
  const store = openKnowledgeStore(temporaryDirectory(t), { onFault: (error) => assert.fail(error) });
  t.after(() => store.close());
  return store;
}

async function postgres(t: TestContext): Promise<KnowledgeStore> {
  const { pool, close } = await openTestPostgres(await databaseOf(newPlace()));
  const { openPostgresKnowledge } = await import('../../src/storage/knowledge/postgres/store.ts');
  const store = openPostgresKnowledge(pool, { onFault: (error) => assert.fail(error as Error) });
  t.after(() => store.close().then(close));
  return store;
}

async function add(store: KnowledgeStore, members: Partial<NewJob>, tenantId = 'one', vectors?: number[][]) {
  const job = newJob(members);
  assert.equal((await store.createJob(tenantId, job, ROOM)).outcome, 'created');
  const lease = leaseOf((await store.claim({ now: job.now, leaseMs: 60_000 }))!);
  const embedded = vectors ? { embedded: planted(...vectors) } : {};
  await store.commit(lease, batch([chunk(`text of ${job.documentId}`)], embedded));
  await store.complete(lease, job.now);
  return job;
}

async function assertCopied(from: KnowledgeStore, to: KnowledgeStore, tenantId = 'one'): Promise<void> {
  await copyDocuments(from, to, tenantId);
  assert.deepEqual(await digestDocuments(to, tenantId), await digestDocuments(from, tenantId));
  const shown = async (store: KnowledgeStore) =>
    (await store.listStores(tenantId)).map(({ dimensions: _, ...store }) => store);
  assert.deepEqual(await shown(to), await shown(from));
}

for (const [name, open] of Object.entries({ SQLite: sqlite, ...(hasPostgres && { PostgreSQL: postgres }) })) {
  test(`copyDocuments: stores that are empty, dropped or made anew converge (${name})`, async (t) => {
    const [from, to] = [await sqlite(t), await open(t)];
    for (const vectorStore of ['a', 'b', 'c']) await add(from, { vectorStore, now: 100 });
    const only = await add(from, { vectorStore: 'empty', now: 50 });
    await from.deleteDocument('one', 'empty', only.documentId, 60);
    await assertCopied(from, to);
    await from.dropStore('one', 'a', 200);
    await from.dropStore('one', 'b', 200);
    await add(from, { vectorStore: 'b', now: 300 });
    await from.dropStore('one', 'empty', 200);
    await assertCopied(from, to);
    assert.deepEqual(
      (await to.listStores('one')).map(({ name, createdAt }) => [name, createdAt]),
      [
        ['b', 300],
        ['c', 100],
      ],
    );
    await from.dropStore('one', 'c', 400);
    await assertCopied(from, to);
  });

  test(`copyDocuments: a job that an interrupted copy left is ended (${name})`, async (t) => {
    const [from, to] = [await sqlite(t), await open(t)];
    for (const tenantId of ['one', 'two']) await add(from, { vectorStore: 'kept' }, tenantId);
    await to.createJob('two', newJob({ vectorStore: 'dropped at the source', now: 1 }), ROOM);
    await to.createJob('two', newJob({ vectorStore: 'kept', now: 1 }), ROOM);
    for (const tenantId of ['one', 'two']) await endInterrupted(to, tenantId);
    for (const tenantId of ['one', 'two']) await assertCopied(from, to, tenantId);
    assert.deepEqual(await to.stats(), { queued: 0, processing: 0 });
    assert.deepEqual(await to.unreportedJobs(10), []);
  });
}

test('copyDocuments: a store that was made anew with another embedder is, too', async (t) => {
  const [from, to] = [await sqlite(t), await sqlite(t)];
  await add(from, { vectorStore: 'a', embedder: 'one/embedder' }, 'one', [[1, 2]]);
  await assertCopied(from, to);
  await from.dropStore('one', 'a', 200);
  await add(from, { vectorStore: 'a', embedder: 'other/embedder' }, 'one', [[1, 2, 3]]);
  await assertCopied(from, to);
  await from.dropStore('one', 'a', 300);
  await add(from, { vectorStore: 'a' });
  await assertCopied(from, to);
});

test('digestDocuments: times of creation and empty stores count', async (t) => {
  const checksums = new Set<string>();
  for (const now of [1, 2]) {
    const store = await sqlite(t);
    checksums.add((await digestDocuments(store, 'one')).checksum);
    const { documentId } = await add(store, { documentId: 'a', now });
    checksums.add((await digestDocuments(store, 'one')).checksum);
    await store.deleteDocument('one', 'manuals', documentId, 3);
    checksums.add((await digestDocuments(store, 'one')).checksum);
  }
  assert.equal(checksums.size, 5);
});

const MINUTE = 60_000;
const BASE = Date.UTC(2026, 2, 1);

/** Over many days, thousands of them at one time, with texts of every kind, and events of the runtime. */
function events(count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    idFromCaller: index % 3 === 0,
    agentId: index % 2 === 0 ? 'support' : 'vendas 💡',
    eventName: index % 7 === 0 ? 'runtime.tool_called' : 'message',
    timestamp: BASE + (index % 5 === 0 ? 0 : index * 20 * MINUTE),
    threadId: index % 4 === 0 ? null : `thread ${index % 10}`,
    executionId: index % 4 === 0 ? 'an execution' : null,
    properties: JSON.stringify({ index, text: 'ação \u0000', nested: { list: [1, null, 'x'] }, big: 2 ** 60 }),
  }));
}

async function duckdb(t: TestContext): Promise<DuckdbEventStore> {
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
  t.after(() => store.close());
  return store;
}

test('copyEvents: every event arrives as it was, a repetition doubles none', async (t) => {
  const [from, to] = [await duckdb(t), await duckdb(t)];
  const all = events(15_000);
  await from.append('one', all);
  await from.append('two', events(3));
  await from.settle();
  let refused = 0;
  const busy = withMethods(to, {
    append: async (...args: Parameters<typeof to.append>) => {
      refused += 1;
      if (refused % 3 === 1) throw new RuntimeError('unavailable', 'The backlog is full.');
      return to.append(...args);
    },
  });
  let copied = 0;
  const onEvents = (count: number) => {
    copied += count;
  };
  const made = await copyEvents(from, busy, 'one', { onEvents, wait: () => nextTurn() });
  await to.settle();
  assert.equal(copied, all.length);
  assert.equal(made.events, all.length);
  assert.deepEqual(await digestEvents(to, 'one'), made);
  await copyEvents(from, to, 'one', { wait: () => nextTurn() });
  await to.settle();
  assert.deepEqual(await digestEvents(to, 'one'), made);
  assert.equal((await digestEvents(to, 'two')).events, 0);
});

rareTest('copyEvents: names beyond those that are listed arrive, too', async (t) => {
  const [from, to] = [await duckdb(t), await duckdb(t)];
  const many = events(MAX_EVENTS_PER_TENANT + 200).map((event, index) => ({ ...event, eventName: `name ${index}` }));
  await from.append('one', [...many, { ...many[0]!, id: 'of the runtime', eventName: 'runtime.tool_called' }]);
  await from.settle();
  assert.equal((await from.knownEvents('one', null)).length, MAX_EVENTS_PER_TENANT);
  const { events: copied } = await copyEvents(from, to, 'one', { wait: () => nextTurn() });
  await to.settle();
  assert.equal(copied, many.length + 1);
  assert.deepEqual(await digestEvents(to, 'one'), await digestEvents(from, 'one'));
  assert.equal((await digestEvents(to, 'one')).events, many.length + 1);
});

test('digestEvents: one differing character, or one event more, is another checksum', async (t) => {
  const digests = [];
  const changes = [(list: StoredEvent[]) => list, (list: StoredEvent[]) => [{ ...list[0]!, threadId: 'x' }, list[1]!]];
  for (const change of changes) {
    const store = await duckdb(t);
    await store.append('one', change(events(2)));
    await store.settle();
    digests.push((await digestEvents(store, 'one')).checksum);
  }
  assert.notEqual(digests[0], digests[1]);
});
