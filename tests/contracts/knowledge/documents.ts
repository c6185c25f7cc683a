import assert from 'node:assert/strict';
import {
  batch,
  chunk,
  EMBEDDER,
  HOSTILE,
  type KnowledgeBackend,
  LONG_MS,
  newJob,
  openStore,
  plan,
  planted,
  ROOM,
  suiteOf,
} from './backend.ts';

const ALL = { vectorStore: 'manuals', limit: 100, offset: 0 };

export function testDocuments(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test, vectorTest } = suiteOf(backend);

  test(`KnowledgeStore (${name}): documents are listed newest first, in pages, as sent`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const made = [];
    for (let number = 0; number < 5; number++) {
      made.push(await filled({ metadata: { [HOSTILE]: number }, size: number, originalName: `${number} ${HOSTILE}` }));
    }
    const { items, total } = await store.listDocuments('one', ALL);
    const [last] = made.slice(-1);
    assert.deepEqual(items[0], {
      ...{
        documentId: last!.documentId,
        name: `4 ${HOSTILE}`,
        format: 'csv',
        size: 4,
        chunks: 1,
        sourceId: null,
        content: null,
      },
      ...{ metadata: { [HOSTILE]: 4 }, createdAt: last!.now },
    });
    assert.deepEqual([total, items.map(({ size }) => size)], [5, [4, 3, 2, 1, 0]]);
    const page = await store.listDocuments('one', { ...ALL, limit: 2, offset: 1 });
    assert.deepEqual([page.total, page.items.map(({ size }) => size)], [5, [3, 2]]);
    assert.deepEqual(await store.listDocuments('one', { ...ALL, offset: 5 }), { items: [], total: 5 });
    assert.deepEqual(await store.listDocuments('one', { ...ALL, vectorStore: 'nothing' }), { items: [], total: 0 });
    assert.deepEqual(await store.listDocuments('two', ALL), { items: [], total: 0 });
  });

  vectorTest(`KnowledgeStore (${name}): stores are listed by name with searchable contents`, async (t) => {
    const { store, filled, created } = await openStore(t, backend);
    await filled({ vectorStore: 'b', chunks: [chunk('x'), chunk('y')], now: 5 });
    await filled({ vectorStore: 'b', now: 6 });
    await filled({ vectorStore: 'a.1', vectors: [[1, 0, 0]], now: 7 });
    await created({ vectorStore: 'C', now: 8 });
    assert.deepEqual(await store.listStores('one'), [
      { name: 'C', embedder: 'none', dimensions: null, documents: 0, chunks: 0, createdAt: 8 },
      { name: 'a.1', embedder: EMBEDDER, dimensions: 3, documents: 1, chunks: 1, createdAt: 7 },
      { name: 'b', embedder: 'none', dimensions: null, documents: 2, chunks: 3, createdAt: 5 },
    ]);
    assert.deepEqual(await store.listStores('two'), []);
    assert.equal(await store.findStore('one', 'c'), null);
  });

  test(`KnowledgeStore (${name}): a document replaces that of its source once complete`, async (t) => {
    const { store, filled, begun, texts } = await openStore(t, backend);
    const first = await filled({ sourceId: 'page', chunks: [chunk('first edition')] });
    const other = await filled({ sourceId: 'other', chunks: [chunk('other edition')] });
    await filled({ sourceId: 'page', vectorStore: 'elsewhere', chunks: [chunk('elsewhere')] });
    await filled({ sourceId: 'page', tenantId: 'two', chunks: [chunk('theirs')] });
    const failing = await begun({ sourceId: 'page' });
    await store.commit(failing.lease, batch([chunk('broken edition')]));
    await store.fail(failing.lease, 'no', 5);
    const second = await begun({ sourceId: 'page' });
    await store.commit(second.lease, batch([chunk('second edition')]));
    assert.deepEqual((await texts({ text: 'edition' }))?.sort(), ['first edition', 'other edition']);
    await store.complete(second.lease, 9);
    assert.deepEqual((await texts({ text: 'edition' }))?.sort(), ['other edition', 'second edition']);
    assert.equal(await store.findDocument(first.documentId), null);
    const { items } = await store.listDocuments('one', ALL);
    assert.deepEqual(
      items.map(({ documentId }) => documentId),
      [second.job.documentId, other.documentId],
    );
    assert.deepEqual(await texts({ text: 'elsewhere', store: 'elsewhere' }), ['elsewhere']);
    assert.deepEqual(await texts({ text: 'theirs' }, 'two'), ['theirs']);
  });

  vectorTest(`KnowledgeStore (${name}): a deleted document is gone at once, for its tenant only`, async (t) => {
    const { store, filled, texts } = await openStore(t, backend);
    const kept = await filled({ chunks: [chunk('kept')], vectors: [[1, 0]] });
    const gone = await filled({ chunks: [chunk('gone')], vectors: [[0, 1]] });
    assert.deepEqual(await store.findDocument(gone.documentId), { tenantId: 'one', vectorStore: 'manuals' });
    assert.equal(await store.deleteDocument('two', 'manuals', gone.documentId, 5), false);
    assert.equal(await store.deleteDocument('one', 'other', gone.documentId, 5), false);
    assert.equal(await store.deleteDocument('one', 'manuals', gone.documentId, 5), true);
    for (const when of ['at once', 'when the disk has forgotten it']) {
      assert.equal(await store.deleteDocument('one', 'manuals', gone.documentId, 5), false, when);
      assert.equal(await store.findDocument(gone.documentId), null, when);
      assert.deepEqual(await texts({ text: 'gone kept' }), ['kept'], when);
      assert.deepEqual(await texts({ vector: Float32Array.of(0, 1) }), ['kept'], when);
      const { documents, chunks } = (await store.findStore('one', 'manuals'))!;
      assert.deepEqual([documents, chunks], [1, 1], when);
      await store.settle();
    }
    assert.deepEqual(await store.findDocument(kept.documentId), { tenantId: 'one', vectorStore: 'manuals' });
  });

  vectorTest(`KnowledgeStore (${name}): a dropped store fails its jobs and frees its name`, async (t) => {
    const { store, filled, begun, created, claimed, texts, job } = await openStore(t, backend);
    const old = await filled({ chunks: [chunk('old')], vectors: [[1, 0]] });
    await filled({ chunks: [chunk('theirs')], tenantId: 'two', vectors: [[1, 0]] });
    const running = await begun({ embedder: EMBEDDER });
    const waiting = await created({ embedder: EMBEDDER });
    assert.equal(await store.dropStore('three', 'manuals', 5), false);
    assert.equal(await store.dropStore('one', 'manuals', 5), true);
    assert.equal(await store.dropStore('one', 'manuals', 5), false);
    for (const { jobId } of [running.job, waiting]) {
      const { status, error } = await job(jobId);
      assert.deepEqual([status, error], ['failed', 'The vector store was deleted.']);
    }
    assert.equal(await store.findStore('one', 'manuals'), null);
    assert.equal(await store.search('one', plan({ text: 'old' })), null);
    assert.equal(await store.findDocument(old.documentId), null);

    const next = await created({ embedder: 'test/other' });
    const late = batch([chunk('late')], { embedded: planted([1, 0]) });
    assert.equal(await store.commit(running.lease, late), null, 'who still worked on the old one');
    const claim = await claimed();
    assert.deepEqual([claim.job.jobId, claim.dimensions, claim.embedder], [next.jobId, null, 'test/other']);
    const lease = { jobId: next.jobId, fence: claim.fence };
    await store.commit(lease, batch([chunk('new')], { embedded: planted([1, 0, 0]) }));
    await store.complete(lease, 9);
    await store.settle();
    assert.deepEqual(await texts({ text: 'old new late' }), ['new']);
    assert.deepEqual(await texts({ vector: Float32Array.of(1, 0, 0) }), ['new']);
    assert.deepEqual(await texts({ text: 'theirs' }, 'two'), ['theirs']);
  });

  vectorTest(`KnowledgeStore (${name}): contents survive reopening, and removals continue`, async (t) => {
    const { store, filled, begun, close, at } = await openStore(t, backend);
    await filled({ chunks: [chunk('kept')], vectors: [[1, 0]] });
    const gone = await filled({ chunks: [chunk('gone')], vectors: [[0, 1]] });
    await begun({ embedder: EMBEDDER });
    await store.deleteDocument('one', 'manuals', gone.documentId, 5);
    await close();
    if (backend.isShared) await backend.passTime(at, LONG_MS);
    const again = await openStore(t, backend, at);
    await again.store.settle();
    assert.deepEqual(await again.texts({ text: 'kept gone' }), ['kept']);
    assert.deepEqual(await again.texts({ vector: Float32Array.of(1, 0) }), ['kept']);
    assert.equal((await again.claimed(2)).dimensions, 2);
  });

  vectorTest(`KnowledgeStore (${name}): erase leaves nothing of a tenant and all of another`, async (t) => {
    const { store, filled, begun, created, texts } = await openStore(t, backend);
    const done = await filled({ chunks: [chunk('mine')], vectors: [[1, 0]] });
    const settled = await filled({ vectorStore: 'second' });
    await store.markReported([settled.jobId]);
    await filled({ chunks: [chunk('theirs')], tenantId: 'two', vectors: [[0, 1]] });
    const running = await begun({ vectorStore: 'third' });
    const waiting = await created({ embedder: EMBEDDER });
    const theirs = await created({ embedder: EMBEDDER }, 'two');
    const { documents, uploads } = await store.erase('one', 7);
    assert.equal(documents, 4, 'also those that were on their way');
    assert.deepEqual(uploads.sort(), [done, running.job, waiting].map(({ uploadId }) => uploadId).sort());
    assert.equal(await store.commit(running.lease, batch([chunk('late')])), null);
    await store.settle();
    assert.deepEqual(await store.listStores('one'), []);
    for (const { jobId } of [done, settled, running.job, waiting]) assert.equal(await store.findJob(jobId), null);
    assert.deepEqual(
      (await store.unreportedJobs(10)).map(({ job }) => job.tenantId),
      ['two'],
    );
    assert.deepEqual(await texts({ text: 'theirs mine' }, 'two'), ['theirs']);
    assert.equal((await store.claim({ now: 1, leaseMs: LONG_MS }))?.job.jobId, theirs.jobId);
    assert.deepEqual(await store.erase('one', 8), { documents: 0, uploads: [] });
    assert.equal((await store.createJob('one', newJob(), ROOM)).outcome, 'created', 'its names are free again');
  });

  vectorTest(`KnowledgeStore (${name}): deleted contents return their disk space`, async (t) => {
    const { store, filled, at } = await openStore(t, backend);
    await filled({ vectorStore: 'small', chunks: [chunk('small')] });
    await store.settle();
    const bytes = backend.bytes;
    if (!bytes) return t.skip('the engine returns space in its own time');
    const before = bytes(at);
    const chunks = Array.from({ length: 4_000 }, (_, index) => chunk(`${index} ${'a long text '.repeat(40)}`));
    const vectors = chunks.map((_, index) => Array.from({ length: 64 }, (__, place) => index + place + 1));
    await filled({ chunks, vectors });
    const full = bytes(at);
    await store.dropStore('one', 'manuals', 5);
    await store.settle();
    const after = bytes(at);
    assert.ok(full - before > 3_000_000, `${full} after ${before}`);
    assert.ok(after - before < (full - before) / 10, `${before}, then ${full}, then ${after} bytes`);
  });
}
