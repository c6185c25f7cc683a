import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Filter, filterSchema, testsOf } from '../../../src/core/knowledge/filter.ts';
import type { SearchPlan } from '../../../src/core/knowledge/store.ts';
import { chunk, HOSTILE, type KnowledgeBackend, openStore, plan, suiteOf } from './backend.ts';

const OF_DOCUMENT = { lang: 'en', source: { kind: 'file', 'a.b': 1 }, pages: 10 };
const OF_CHUNKS: (Record<string, unknown> | null)[] = [
  null,
  { lang: 'pt', year: 2024, tags: ['news', 'enterprise'], ok: true },
  { year: 2025.5, tags: [], ok: false, source: { kind: 'web', deep: { er: 'x' } }, 'dotted.key': 'whole' },
  { year: '2024', tags: 'news today', ok: 1, lang: null, note: 'Ünï 100% _x', day: '2024-01-05' },
  { dotted: { key: 'nested' }, [HOSTILE.replaceAll(/["\\]/g, '')]: 'yes', pages: 11, year: -1 },
];
const NAMES = 'abcde';

const CASES: [filter: Filter, found: string][] = [
  [{}, 'abcde'],
  [{ lang: 'en' }, 'acde'],
  [{ lang: 'pt' }, 'b'],
  [{ lang: 'PT' }, ''],
  [{ lang: ['pt', 'xx'] }, 'b'],
  [{ lang: { eq: 'en' }, year: 2024 }, ''],
  [{ lang: { neq: 'en' } }, 'b'],
  [{ year: { neq: 2024 } }, 'acde'],
  [{ year: 2024 }, 'b'],
  [{ year: '2024' }, 'd'],
  [{ year: { in: [2024, '2024', 2025.5] } }, 'bcd'],
  [{ year: { notIn: [2024, -1] } }, 'acd'],
  [{ year: { exists: true } }, 'bcde'],
  [{ year: { exists: false } }, 'a'],
  [{ lang: { exists: false } }, ''],
  [{ nothing: { exists: false } }, 'abcde'],
  [{ nothing: { neq: 1 } }, 'abcde'],
  [{ nothing: 1 }, ''],
  [{ year: { gt: 2024 } }, 'c'],
  [{ year: { gte: 2024 } }, 'bcd'],
  [{ year: { lt: 2024 } }, 'e'],
  [{ year: { lte: 2024 } }, 'bde'],
  [{ year: { gte: 2024, lt: 2025 } }, 'bd'],
  [{ year: { gte: '2000' } }, 'd'],
  [{ day: { gte: 2000 } }, ''],
  [{ day: { gte: '2024-01-01' } }, 'd'],
  [{ ok: true }, 'b'],
  [{ ok: false }, 'c'],
  [{ ok: 1 }, 'd'],
  [{ ok: { neq: true } }, 'acde'],
  [{ ok: { gte: 0 } }, 'd'],
  [{ tags: { contains: 'news' } }, 'bd'],
  [{ tags: { contains: 'NEWS TO' } }, 'd'],
  [{ tags: { contains: 'prise' } }, ''],
  [{ tags: { contains: 'enterprise' } }, 'b'],
  [{ tags: { exists: true } }, 'bcd'],
  [{ note: { contains: 'ünï' } }, 'd'],
  [{ note: { contains: '0% _' } }, 'd'],
  [{ note: { contains: '%' } }, 'd'],
  [{ source: { contains: 'file' } }, ''],
  [{ 'source.kind': 'file' }, 'abde'],
  [{ 'source.kind': 'web' }, 'c'],
  [{ 'source.deep.er': 'x' }, 'c'],
  [{ 'source.deep': 'x' }, ''],
  [{ 'dotted.key': 'whole' }, 'c'],
  [{ 'dotted.key': 'nested' }, 'e'],
  [{ 'dotted.key': { exists: true } }, 'ce'],
  [{ pages: 10 }, 'abcd'],
  [{ pages: { gt: 10 } }, 'e'],
  [{ [HOSTILE.replaceAll(/["\\]/g, '')]: 'yes' }, 'e'],
  [{ "x' OR '1'='1": 'yes' }, ''],
  [{ '$.year': 2024 }, ''],
  [{ 'tags[0]': 'news' }, ''],
  [{ 'a..b': 1 }, ''],
  [{ '.': 1 }, ''],
];

export function testFilters(backend: KnowledgeBackend): void {
  const { vectorTest } = suiteOf(backend);
  test(`KnowledgeStore (${backend.name}): a filter selects metadata in every mode`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    await filled({
      metadata: OF_DOCUMENT,
      chunks: OF_CHUNKS.map((metadata, index) => chunk(`word ${NAMES[index]}`, { metadata })),
      ...(backend.covers !== 'without vectors' && { vectors: OF_CHUNKS.map((_, index) => [1, index]) }),
    });
    for (const [filter, found] of CASES) {
      const tests = testsOf(filterSchema.parse(filter));
      for (const [how, wanted] of Object.entries(modesOf(backend))) {
        const { hits = [], total } = (await store.search('one', plan({ ...wanted, tests }))) ?? {};
        const names = hits.map(({ text }) => text.slice(-1)).sort();
        assert.deepEqual([names.join(''), total], [found, found.length], `${how}: ${JSON.stringify(filter)}`);
      }
    }
  });

  vectorTest(`KnowledgeStore (${backend.name}): a narrow filter finds few among thousands nearer`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const chunks = Array.from({ length: 2_000 }, (_, index) =>
      chunk(`word ${index}`, { metadata: { kept: index % 500 === 499 } }),
    );
    await filled({ chunks, vectors: chunks.map((_, index) => [1, index]) });
    for (const wanted of [{ text: 'word' }, { vector: Float32Array.of(1, 0) }]) {
      const tests = testsOf({ kept: true });
      const { hits = [], total } = (await store.search('one', plan({ ...wanted, tests }))) ?? {};
      assert.deepEqual([hits.map(({ chunkIndex }) => chunkIndex).sort(), total], [[1499, 1999, 499, 999], 4]);
    }
  });
}

function modesOf({ covers }: KnowledgeBackend): Record<string, Partial<SearchPlan>> {
  const [words, vectors] = [{ text: 'word' }, { vector: Float32Array.of(1, 0) }];
  if (covers === 'without vectors') return { words };
  return covers === 'vectors only' ? { vectors } : { words, vectors, both: { ...words, ...vectors } };
}
