import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch, chunk, newJob, openStore, plan, ROOM } from '../../../contracts/knowledge/backend.ts';
import { testKnowledgeStore } from '../../../contracts/knowledge-store.ts';
import { whyNoPostgres } from '../../../support/postgres.ts';
import { postgresKnowledge } from './backend.ts';
import { testBm25 } from './bm25.ts';
import { testKills } from './kills.ts';

const skip = whyNoPostgres();
const backend = skip ? null : postgresKnowledge();

// What needs vectors runs on PGlite: the server of the tests has no pgvector.
if (backend) {
  testKnowledgeStore(backend, 3);
  testBm25(backend);
  testKills(backend);
}

test('Vectors: without pgvector a job with an embedder is refused, with why', { skip }, async (t) => {
  const { store, filled, texts } = await openStore(t, backend!);
  const refused = store.createJob('one', newJob({ embedder: 'hash' }), ROOM);
  await assert.rejects(refused, {
    code: 'unprocessable',
    message: /no extension pgvector.*Install pgvector.*CREATE EXTENSION vector.*AGENT_RUNTIME_EMBEDDER to none/,
  });
  assert.deepEqual(await store.listStores('one'), []);
  await filled({ chunks: [chunk('found by words')] });
  assert.deepEqual(await texts({ text: 'words' }), ['found by words']);
});

test('Removal: nothing of a document, store or tenant is left in any table', { skip }, async (t) => {
  const { store, filled, begun } = await openStore(t, backend!);
  const large = Array.from({ length: 1_200 }, (_, index) => chunk(`word ${index}`));
  const { documentId } = await filled({ chunks: large, vectorStore: 'a' });
  await filled({ chunks: large.slice(0, 3), vectorStore: 'b' });
  await filled({ chunks: large.slice(0, 3), vectorStore: 'c' });
  const { lease } = await begun({ vectorStore: 'c' });
  await store.commit(lease, batch([chunk('half')], { units: [Buffer.from('digest')] }));
  await store.deleteDocument('one', 'a', documentId, 5);
  await store.dropStore('one', 'b', 5);
  await store.erase('one', 5);
  await store.settle();
  for (const table of ['stores', 'documents', 'chunks', 'postings', 'jobs', 'units', 'tenants']) {
    assert.deepEqual(await backend!.query(`SELECT * FROM knowledge_${table} LIMIT 1`), [], table);
  }
});

test('Removal: once chunks are gone, scores are those of what is left', { skip }, async (t) => {
  const { store, filled, at } = await openStore(t, backend!);
  await filled({ chunks: Array.from({ length: 700 }, (_, index) => chunk(`gone ${index}`)), sourceId: 'page' });
  await filled({ chunks: [chunk('kept words'), chunk('other words here')], sourceId: 'page' });
  await store.settle();
  const { hits = [] } = (await store.search('one', plan({ text: 'kept' }))) ?? {};
  const fresh = await openStore(t, backend!, at);
  await fresh.filled({ chunks: [chunk('kept words'), chunk('other words here')], vectorStore: 'fresh' });
  const again = await store.search('one', plan({ text: 'kept', store: 'fresh' }));
  assert.deepEqual(
    hits.map(({ score }) => score),
    again?.hits.map(({ score }) => score),
  );
});

test('Filter: metadata that PostgreSQL could not read breaks no search', { skip }, async (t) => {
  const { store, filled } = await openStore(t, backend!);
  const values = [
    '1e999999999',
    '-1e400',
    '9'.repeat(5_000),
    '\u0000',
    '\ud800',
    'İ',
    '1e-400',
    '.5',
    'x'.repeat(9_000),
  ];
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 300; level += 1) deep = { a: deep, b: 1 };
  await filled({ chunks: values.map((value) => chunk('word', { metadata: { value, deep } })) });
  const found = async (test: object) => {
    const tests = [{ key: 'value', ...test } as never];
    return (await store.search('one', plan({ text: 'word', tests })))?.hits.map(({ chunkIndex }) => chunkIndex).sort();
  };
  assert.deepEqual(await found({ test: 'gt', value: 1e300 }), [0, 2]);
  assert.deepEqual(await found({ test: 'lt', value: 0 }), [1]);
  assert.deepEqual(await found({ test: 'gte', value: 0.5 }), [0, 2, 7]);
  assert.deepEqual(await found({ test: 'in', values: ['\u0000'] }), [3]);
  assert.deepEqual(await found({ test: 'contains', value: 'İ' }), [5]);
  const tests = [{ key: 'deep.a.a.b', test: 'in' as const, values: [1] }];
  assert.equal((await store.search('one', plan({ text: 'word', tests })))?.total, values.length);
});
