import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examinePostgresVectors } from '../../../../src/storage/knowledge/postgres/examine.ts';
import { chunk, EMBEDDER, openStore, plan } from '../../../contracts/knowledge/backend.ts';
import { testFilters } from '../../../contracts/knowledge/filters.ts';
import { testRepeats } from '../../../contracts/knowledge/repeats.ts';
import { testSearches } from '../../../contracts/knowledge/searches.ts';
import { pgliteKnowledge } from './backend.ts';

const backend = pgliteKnowledge();
const INDEXES = `SELECT indexrelid::regclass::text AS name FROM pg_index
  WHERE indexrelid::regclass::text LIKE 'knowledge_vectors_near_%' AND indisvalid`;

// The rest of the contract is tested on PostgreSQL itself.
testSearches(backend);
testRepeats(backend);
testFilters(backend);

test('Search: the index of a large store finds what an exact search finds', async (t) => {
  const { filled, at } = await openStore(t, backend);
  const random = numbers(7);
  const vectorOf = () => Array.from({ length: 16 }, () => random() - 0.5);
  const chunks = Array.from({ length: 300 }, (_, index) => chunk(`word ${index}`, { metadata: { part: index % 10 } }));
  await filled({ chunks, vectors: chunks.map(vectorOf) });
  await filled({ chunks, vectors: chunks.map(vectorOf), vectorStore: 'other' });
  const small = await backend.openWith({ exactVectors: 20 });
  t.after(() => small.close());
  const exact = await backend.open(at);
  t.after(() => exact.close());
  assert.deepEqual(await backend.query(INDEXES), []);
  await small.upkeep();
  assert.equal((await backend.query(INDEXES)).length, 2);
  const [searched] = await examinePostgresVectors(at, 20);
  const { recall, candidates, ...rest } = searched!;
  assert.deepEqual(rest, { tenant: 'one', store: 'manuals', vectors: 300, search: 'hnsw', bits: null });
  assert.ok(recall! >= 0.95 && candidates! >= 100, JSON.stringify(searched));
  for (const tests of [[], [{ key: 'part', test: 'in' as const, values: [3] }]]) {
    const found = { hits: 0, same: 0 };
    for (let number = 0; number < 5; number += 1) {
      const wanted = plan({ vector: Float32Array.from(vectorOf()), tests, limit: 20 });
      const [near, all] = [await small.search('one', wanted), await exact.search('one', wanted)];
      assert.equal(near?.total, tests.length > 0 ? 30 : 300);
      const nearest = new Set(all?.hits.map(({ chunkIndex }) => chunkIndex));
      found.hits += nearest.size;
      found.same += near?.hits.filter(({ chunkIndex }) => nearest.has(chunkIndex)).length ?? 0;
    }
    assert.equal(found.hits, 100);
    assert.ok(found.same >= 95, `${found.same} of 100 with ${tests.length} tests`);
  }
  // PGlite has one session, as pgbouncer may give one to many.
  const settings = `SELECT current_setting('hnsw.iterative_scan') AS scan, current_setting('enable_sort') AS sort,
    current_setting('transaction_isolation') AS isolation`;
  const [after] = await backend.query(settings);
  assert.deepEqual(
    after,
    { scan: 'off', sort: 'on', isolation: 'read committed' },
    'a search leaves no settings behind',
  );
  await small.dropStore('one', 'manuals', 5);
  await small.settle();
  assert.deepEqual(await backend.query('SELECT 1 FROM knowledge_vectors WHERE store = 1 LIMIT 1'), []);
  await small.upkeep();
  assert.equal((await backend.query(INDEXES)).length, 1, 'the index goes after the store');
});

test('Search: an index of which no recall is known, or too little, is not used', async (t) => {
  const { filled, at } = await openStore(t, backend);
  const chunks = Array.from({ length: 60 }, (_, index) => chunk(`word ${index}`));
  await filled({ chunks, vectors: chunks.map((_, index) => [Math.cos(index / 40), Math.sin(index / 40)]) });
  const small = await backend.openWith({ exactVectors: 20 });
  t.after(() => small.close());
  await small.upkeep();
  const searched = async () => (await examinePostgresVectors(at, 20)).map(({ search, recall }) => ({ search, recall }));
  assert.deepEqual(await searched(), [{ search: 'hnsw', recall: 1 }]);
  const noted = (comment: string) => backend.query(`COMMENT ON INDEX knowledge_vectors_near_1 IS ${comment}`);
  await noted(`'{"candidates":null,"recall":0.5,"vectors":60}'`);
  assert.deepEqual(await searched(), [{ search: 'exact', recall: 0.5 }]);
  await small.upkeep();
  assert.deepEqual(await searched(), [{ search: 'exact', recall: 0.5 }], 'measured again only once it has doubled');
  await noted('NULL');
  assert.deepEqual(await searched(), [{ search: 'exact', recall: null }]);
  const { hits = [] } = (await small.search('one', plan({ vector: Float32Array.of(1, 0), limit: 3 }))) ?? {};
  assert.deepEqual(
    hits.map(({ chunkIndex }) => chunkIndex),
    [0, 1, 2],
  );
  await small.upkeep();
  assert.deepEqual(await searched(), [{ search: 'hnsw', recall: 1 }]);
});

test('Search: a vector of zeros is near to nothing, but found', async (t) => {
  const { store, filled } = await openStore(t, backend);
  await filled({
    chunks: [chunk('none'), chunk('some')],
    vectors: [
      [0, 0],
      [1, 0],
    ],
  });
  const { hits = [] } = (await store.search('one', plan({ vector: Float32Array.of(1, 0) }))) ?? {};
  assert.deepEqual(
    hits.map(({ text, score }) => [text, score]),
    [
      ['some', 1],
      ['none', 0],
    ],
  );
  assert.equal((await store.findStore('one', 'manuals'))?.embedder, EMBEDDER);
});

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
