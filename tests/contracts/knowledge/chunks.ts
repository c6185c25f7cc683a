import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import {
  batch,
  chunk,
  EMBEDDER,
  type KnowledgeBackend,
  LONG_MS,
  openStore,
  plan,
  planted,
  suiteOf,
} from './backend.ts';

const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);

/** Storing chunks once, and finding them after completion. */
export function testChunks(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test, vectorTest } = suiteOf(backend);

  vectorTest(`KnowledgeStore (${name}): a document is found once it is complete`, async (t) => {
    const { store, begun, texts, job } = await openStore(t, backend);
    const { job: made, lease } = await begun({ embedder: EMBEDDER, metadata: { lang: 'en' } });
    const members = {
      headings: ['Manual', 'Pump'],
      place: { page: 3, row: 4, line: 5 },
      metadata: { sku: 'x1' },
    };
    await store.commit(lease, batch([chunk('pump oil', members)], { embedded: planted([1, 0]), progress: 0.5 }));
    await store.commit(lease, batch([chunk('pump seal')], { embedded: planted([0, 1]) }));
    for (const wanted of [{ text: 'pump' }, { vector: Float32Array.of(1, 0) }]) {
      const words = 'text' in wanted ? ['pump'] : [];
      assert.deepEqual(await store.search('one', plan(wanted)), { hits: [], total: 0, repaired: [], words });
    }
    const hidden = await store.findStore('one', 'manuals');
    assert.deepEqual([hidden?.documents, hidden?.chunks, hidden?.dimensions], [0, 0, 2]);
    assert.deepEqual(await store.listDocuments('one', { vectorStore: 'manuals', limit: 10, offset: 0 }), {
      items: [],
      total: 0,
    });
    assert.equal(await store.findDocument(made.documentId), null);
    assert.equal(await store.deleteDocument('one', 'manuals', made.documentId, 8), false);

    assert.equal(await store.complete(lease, 9), true);
    assert.equal(await store.complete(lease, 9), false, 'once');
    const { status, documentId, completedAt, progress, processedChunks, totalChunks } = await job(made.jobId);
    assert.deepEqual([status, documentId, completedAt, progress], ['completed', made.documentId, 9, 1]);
    assert.deepEqual([processedChunks, totalChunks], [2, 2]);
    assert.deepEqual((await texts({ text: 'pump' }))?.sort(), ['pump oil', 'pump seal']);
    const nearest = await store.search('one', plan({ vector: Float32Array.of(1, 0), limit: 1 }));
    assert.deepEqual(nearest, {
      hits: [
        {
          ...{ documentId: made.documentId, chunkIndex: 0, text: 'pump oil', score: 1, name: 'a.csv' },
          ...{ headings: members.headings, place: members.place, metadata: { lang: 'en', sku: 'x1' } },
        },
      ],
      total: 2,
      repaired: [],
      words: [],
    });
  });

  test(`KnowledgeStore (${name}): chunks keep their order; progress estimates the total`, async (t) => {
    const { store, begun, job } = await openStore(t, backend);
    const { job: made, lease } = await begun();
    for (let number = 0; number < 5; number++) {
      const chunks = [chunk(`word ${2 * number}`), chunk(`word ${2 * number + 1}`)];
      assert.equal(await store.commit(lease, batch(chunks, { progress: (number + 1) / 10 })), 2);
      const { processedChunks, totalChunks } = await job(made.jobId);
      assert.deepEqual([processedChunks, totalChunks], [2 * (number + 1), 20]);
    }
    await store.complete(lease, 5);
    const { hits = [] } = (await store.search('one', plan({ text: 'word', limit: 50 }))) ?? {};
    const inOrder = hits.sort((one, other) => one.chunkIndex - other.chunkIndex);
    assert.deepEqual(
      inOrder.map(({ chunkIndex, text }) => [chunkIndex, text]),
      Array.from({ length: 10 }, (_, index) => [index, `word ${index}`]),
    );
  });

  vectorTest(`KnowledgeStore (${name}): known units are not stored again, even after reopening`, async (t) => {
    const { store, begun, close, at } = await openStore(t, backend);
    const { lease } = await begun({ embedder: EMBEDDER });
    const add = (of: Awaited<ReturnType<typeof openStore>>['store'], fence: number, words: string[]) =>
      of.commit(
        { ...lease, fence },
        batch(
          words.map((word) => chunk(word)),
          {
            units: words.map(digest),
            embedded: planted(...words.map((word) => [word.charCodeAt(0), 1])),
          },
        ),
      );
    assert.equal(await add(store, 1, ['a', 'b', 'a', 'c', 'b']), 3);
    assert.equal(await add(store, 1, ['c', 'a']), 0);
    assert.deepEqual(await store.knownUnits(lease, ['a', 'z'].map(digest)), [true, false]);
    await close();
    if (backend.isShared) await backend.passTime(at, LONG_MS);
    const again = await openStore(t, backend, at);
    const { fence } = await again.claimed(2);
    assert.equal(await add(again.store, fence, ['b', 'd', 'd', 'e']), 2);
    await again.store.complete({ ...lease, fence }, 9);
    const { hits = [], total } = (await again.store.search('one', plan({ vector: Float32Array.of(99, 1) }))) ?? {};
    assert.equal(total, 5);
    assert.deepEqual(hits.map(({ text, chunkIndex }) => `${chunkIndex} ${text}`).sort(), [
      '0 a',
      '1 b',
      '2 c',
      '3 d',
      '4 e',
    ]);
    assert.equal(hits[0]?.text, 'c', "each vector is its own chunk's");
    await again.store.settle();
    assert.deepEqual(await again.store.knownUnits(lease, [digest('a')]), [false], 'they are of the job alone');
  });

  vectorTest(`KnowledgeStore (${name}): the first vectors fix the dimensions of the store`, async (t) => {
    const { store, begun, claimed, created } = await openStore(t, backend);
    const { lease } = await begun({ embedder: EMBEDDER });
    assert.equal((await store.findStore('one', 'manuals'))?.dimensions, null);
    await store.commit(lease, batch([chunk('a')], { embedded: planted([1, 0, 0]) }));
    const wrong = store.commit(
      lease,
      batch([chunk('b'), chunk('c')], { embedded: planted([1, 0], [0, 1]), checkpoint: { lost: 1 } }),
    );
    await assert.rejects(
      wrong,
      (error) =>
        error instanceof RuntimeError &&
        error.code === 'upstream' &&
        /^test\/planted made vectors of 2 dimensions for a store of 3\. Use the model/.test(error.message),
    );
    assert.equal(await store.commit(lease, batch([chunk('d')], { embedded: planted([0, 1, 0]) })), 1);
    await store.complete(lease, 5);
    assert.equal((await store.findStore('one', 'manuals'))?.chunks, 2);
    await created({ embedder: EMBEDDER });
    assert.equal((await claimed()).dimensions, 3);
    const other = await store.search('one', plan({ vector: Float32Array.of(1, 0) }));
    assert.deepEqual(other?.hits, [], 'what has other dimensions is near to nothing');
  });

  test(`KnowledgeStore (${name}): a restarted job stores everything again`, async (t) => {
    const { store, begun, texts, job, claimed } = await openStore(t, backend);
    const { job: made, lease } = await begun({ metadata: { a: 1 }, originalName: 'b.csv' });
    await store.commit(lease, batch([chunk('old')], { units: [digest('old')], checkpoint: { version: 0 } }));
    assert.equal(await store.restart(lease), true);
    const { processedChunks, totalChunks, progress, status } = await job(made.jobId);
    assert.deepEqual([processedChunks, totalChunks, progress, status], [0, 0, 0, 'processing']);
    assert.deepEqual(await store.knownUnits(lease, [digest('old')]), [false]);
    await store.release(lease, false);
    const claim = await claimed();
    assert.deepEqual([claim.checkpoint, claim.documentId], [null, made.documentId]);
    const next = { ...lease, fence: claim.fence };
    assert.equal(
      await store.commit(next, batch([chunk('old'), chunk('new')], { units: ['old', 'new'].map(digest) })),
      2,
    );
    await store.complete(next, 9);
    await store.settle();
    assert.deepEqual((await texts({ text: 'old new' }))?.sort(), ['new', 'old']);
    const { items } = await store.listDocuments('one', { vectorStore: 'manuals', limit: 10, offset: 0 });
    assert.deepEqual(
      items.map(({ documentId, name: file, chunks, metadata }) => ({ documentId, file, chunks, metadata })),
      [{ documentId: made.documentId, file: 'b.csv', chunks: 2, metadata: { a: 1 } }],
    );
  });

  vectorTest(`KnowledgeStore (${name}): chunks of a failed job are never found, and removed`, async (t) => {
    const { store, begun, texts, job } = await openStore(t, backend);
    const { job: made, lease } = await begun({ embedder: EMBEDDER });
    await store.commit(lease, batch([chunk('lost')], { embedded: planted([1, 0]), units: [digest('lost')] }));
    assert.equal(await store.fail(lease, 'It is broken.', 6), true);
    assert.equal(await store.fail(lease, 'again', 7), false);
    assert.equal(await store.commit(lease, batch([chunk('late')], { embedded: planted([1, 0]) })), null);
    const { status, error, completedAt, documentId } = await job(made.jobId);
    assert.deepEqual([status, error, completedAt, documentId], ['failed', 'It is broken.', 6, null]);
    assert.deepEqual(await texts({ text: 'lost' }), []);
    assert.deepEqual(await texts({ vector: Float32Array.of(1, 0) }), []);
    await store.settle();
    assert.deepEqual((await store.findStore('one', 'manuals'))?.documents, 0);
    assert.equal(await store.findDocument(made.documentId), null);
  });
}
