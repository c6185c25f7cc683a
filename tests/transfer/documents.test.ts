import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { KnowledgeStore, NewJob } from '../../src/core/knowledge/store.ts';
import { openKnowledgeStore } from '../../src/storage/knowledge/sqlite/thread.ts';
import { copyDocuments, digestDocuments, endInterrupted } from '../../src/transfer/documents.ts';
import { batch, chunk, leaseOf, newJob, planted, ROOM } from '../contracts/knowledge/backend.ts';
import { temporaryDirectory } from '../support/app.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../support/postgres-state.ts';

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
