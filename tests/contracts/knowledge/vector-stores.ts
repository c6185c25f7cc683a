import assert from 'node:assert/strict';
import { batch, chunk, HOSTILE, type KnowledgeBackend, openStore, plan, suiteOf } from './backend.ts';

const ALL = { vectorStore: 'manuals', limit: 100, offset: 0 };

/** What pages of the portal need beside searches. */
export function testVectorStores(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test } = suiteOf(backend);

  test(`KnowledgeStore (${name}): an empty store is created once, and takes files`, async (t) => {
    const { store, filled, texts } = await openStore(t, backend);
    assert.equal(await store.createStore('one', { name: 'manuals', embedder: 'none', now: 3 }), true);
    assert.equal(await store.createStore('one', { name: 'manuals', embedder: 'none', now: 4 }), false);
    assert.equal(await store.createStore('two', { name: 'manuals', embedder: 'none', now: 4 }), true);
    const empty = { name: 'manuals', embedder: 'none', dimensions: null, documents: 0, chunks: 0, createdAt: 3 };
    assert.deepEqual(await store.findStore('one', 'manuals'), empty);
    assert.deepEqual(await texts({ text: 'pump' }), []);
    await filled({ chunks: [chunk('pump')] });
    assert.deepEqual(await texts({ text: 'pump' }), ['pump']);
  });

  test(`KnowledgeStore (${name}): a renamed store keeps its documents and jobs`, async (t) => {
    const { store, filled, begun, texts, job } = await openStore(t, backend);
    await filled({ chunks: [chunk('pump')] });
    await filled({ vectorStore: 'taken' });
    const running = await begun();
    assert.equal(await store.renameStore('one', 'nothing', 'other'), 'unknown');
    assert.equal(await store.renameStore('two', 'manuals', 'other'), 'unknown');
    assert.equal(await store.renameStore('one', 'manuals', 'taken'), 'taken');
    assert.equal(await store.renameStore('one', 'manuals', 'handbooks'), 'renamed');
    assert.equal(await store.findStore('one', 'manuals'), null);
    assert.deepEqual(await texts({ text: 'pump', store: 'handbooks' }), ['pump']);
    assert.equal((await job(running.job.jobId)).vectorStore, 'handbooks');
    await store.commit(running.lease, batch([chunk('valve')]));
    assert.equal(await store.complete(running.lease, 9), true);
    assert.deepEqual(await texts({ text: 'valve', store: 'handbooks' }), ['valve']);
    assert.equal(await store.countJobs('one', { vectorStore: 'handbooks', status: null }), 2);
  });

  test(`KnowledgeStore (${name}): sizes are of documents that are found`, async (t) => {
    const { store, filled, created } = await openStore(t, backend);
    await filled({ size: 3_000_000_000 });
    await filled({ size: 7 });
    const { documentId } = await filled({ size: 11 });
    await store.deleteDocument('one', 'manuals', documentId, 5);
    await filled({ vectorStore: 'other', size: 5 });
    await filled({ tenantId: 'two', size: 13 });
    await created({ size: 17 });
    assert.deepEqual(await store.storeSizes('one', ['manuals', 'nothing']), { manuals: 3_000_000_007 });
    assert.deepEqual(await store.storeSizes('one', ['manuals', 'other']), { manuals: 3_000_000_007, other: 5 });
  });

  test(`KnowledgeStore (${name}): documents are found by a part of their name`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    for (const originalName of ['Handbook.pdf', '100%_sure.txt', `${HOSTILE}.md`, 'notes.txt']) {
      await filled({ originalName });
    }
    const found = async (search: string, page: object = {}) => {
      const { items, total } = await store.listDocuments('one', { ...ALL, search, ...page });
      return [total, ...items.map((document) => document.name)];
    };
    assert.deepEqual(await found('HAND'), [1, 'Handbook.pdf']);
    assert.deepEqual(await found('%_s'), [1, '100%_sure.txt']);
    assert.deepEqual(await found('.txt'), [2, 'notes.txt', '100%_sure.txt']);
    assert.deepEqual(await found('.txt', { limit: 1, offset: 1 }), [2, '100%_sure.txt']);
    assert.deepEqual(await found('DROP table'), [1, `${HOSTILE}.md`]);
    assert.deepEqual(await found('\\'), [1, `${HOSTILE}.md`]);
    assert.deepEqual(await found('nothing'), [0]);
  });

  test(`KnowledgeStore (${name}): a document is read with its chunks from one on`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const chunks = ['a', 'b', 'c', 'd'].map((text, index) =>
      chunk(text, { place: { page: index + 1 }, headings: ['One', text], metadata: { [HOSTILE]: index } }),
    );
    const { documentId } = await filled({ chunks, originalName: 'a.pdf' });
    const read = (from: number, more: object = {}, tenantId = 'one') =>
      store.readDocument(tenantId, { vectorStore: 'manuals', documentId, from, limit: 2, ...more });
    const found = await read(1);
    assert.deepEqual([found?.document.name, found?.document.chunks, found?.chunks], ['a.pdf', 4, chunks.slice(1, 3)]);
    assert.deepEqual((await read(4))?.chunks, []);
    assert.equal(await read(0, {}, 'two'), null);
    assert.equal(await read(0, { vectorStore: 'other' }), null);
    await store.deleteDocument('one', 'manuals', documentId, 5);
    assert.equal(await read(0), null);
  });

  test(`KnowledgeStore (${name}): a document without a source is replaced by its id`, async (t) => {
    const { store, filled, texts } = await openStore(t, backend);
    const first = await filled({ chunks: [chunk('first edition')] });
    const named = await filled({ sourceId: 'page' });
    assert.equal(await store.sourceOf('one', 'manuals', named.documentId), 'page');
    assert.equal(await store.sourceOf('two', 'manuals', first.documentId), null);
    assert.equal(await store.sourceOf('one', 'other', first.documentId), null);
    const source = await store.sourceOf('one', 'manuals', first.documentId);
    assert.equal(source, first.documentId);
    await filled({ chunks: [chunk('second edition')], sourceId: source });
    assert.deepEqual(await texts({ text: 'edition' }), ['second edition']);
  });

  test(`KnowledgeStore (${name}): a search names the words that it searched by`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    await filled({ chunks: [chunk('The refund of a crème brûlée')] });
    const wordsOf = async (text: string) => (await store.search('one', plan({ text })))?.words;
    assert.deepEqual((await wordsOf('Crème refnd'))?.sort(), ['creme', 'refund']);
    assert.deepEqual(await wordsOf('zebra'), []);
  });
}
