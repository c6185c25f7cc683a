import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { filterSchema, testsOf } from '../../../src/core/knowledge/filter.ts';
import {
  ingestFieldsSchema,
  searchKnowledgeSchema,
  searchSchema,
  storeNameSchema,
} from '../../../src/core/knowledge/schema.ts';
import { fuse } from '../../../src/core/knowledge/selection.ts';
import { type KnowledgeParts, KnowledgeService } from '../../../src/core/knowledge/service.ts';

const CALLER = { tenantId: 'one', agentId: null, scopes: ['knowledge:write'], timezone: 'UTC' } as unknown as Caller;
const FILE = { name: 'a.txt', upload: { id: 'upload', size: 7, sha256: 'x' } };

function serviceAfter(outcome: 'created' | 'running') {
  const job = { jobId: 'job', createdAt: 0, startedAt: null, completedAt: null };
  const fail = async () => {
    throw new Error('the disk fails');
  };
  const noted: unknown[] = [];
  const parts = {
    store: { createJob: async () => ({ outcome, job, stored: 107 }), storedBytes: fail },
    uploads: { remove: fail },
    embedders: { configured: 'none', of: () => null },
    effects: { newId: () => 'id', now: () => 0 },
    ingestion: { wake: () => undefined },
    agents: { register: async () => undefined },
    quota: { limit: async () => 1_000, note: (_caller: unknown, state: unknown) => noted.push(state) },
    limits: {},
  } as unknown as KnowledgeParts;
  return { service: new KnowledgeService(parts), noted };
}

test('KnowledgeService: what fails after the job is stored does not fail the upload', async () => {
  for (const outcome of ['created', 'running'] as const) {
    const { service, noted } = serviceAfter(outcome);
    const { job, isNew } = await service.ingest(CALLER, { fields: { vectorStore: 'manuals' }, file: FILE });
    assert.deepEqual([job.jobId, isNew], ['job', outcome === 'created']);
    assert.deepEqual(noted, isNew ? [{ limit: 1_000, stored: 107 }] : [], 'the quota counts the new file');
  }
});

const fieldsOf = (fields: Record<string, string>) => ingestFieldsSchema.parse({ vectorStore: 'a', ...fields });

test('vector store name: letters, digits and three marks are allowed', () => {
  for (const name of ['a', 'A-b_c.9', '.', 'x'.repeat(100)]) assert.equal(storeNameSchema.parse(name), name);
  for (const name of ['', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(101), '%00']) {
    assert.equal(storeNameSchema.safeParse(name).success, false, name);
  }
});

test('ingest fields: delimiter names, spaced columns and flags in any case work', () => {
  const delimiters = {
    tab: '\t',
    '\\t': '\t',
    TAB: '\t',
    comma: ',',
    semicolon: ';',
    pipe: '|',
    '|': '|',
    ' ': ' ',
    '\t': '\t',
  };
  for (const [written, meant] of Object.entries(delimiters)) {
    assert.equal(fieldsOf({ csvDelimiter: written }).csvDelimiter, meant, written);
  }
  assert.deepEqual(fieldsOf({ csvContentColumns: ' a ,b,, a' }).csvContentColumns, ['a', 'b']);
  assert.deepEqual(
    [' TRUE ', 'False', ''].map((flag) => fieldsOf({ hygieneStripHtml: flag }).hygieneStripHtml),
    [true, false, false],
  );
});

test('ingest fields: empty fields count as absent', () => {
  const { vectorStore, hygieneStripHtml, ...rest } = fieldsOf({
    ...{ metadata: '', csvDelimiter: '', csvContentColumns: '', csvMetadataColumns: ' , ', hygieneStripHtml: '' },
  });
  assert.deepEqual(
    [vectorStore, hygieneStripHtml, Object.values(rest).filter((one) => one !== undefined)],
    ['a', false, []],
  );
});

test('ingest fields: metadata is any valid JSON object, unchanged', () => {
  const value = fc
    .jsonValue({ maxDepth: 4, noUnicodeString: false })
    .filter((one) => !/[\ud800-\udfff]/.test(JSON.stringify(one)));
  const names = fc.string({ unit: fc.constantFrom(...'abc. _"😀') }).filter((name) => name !== 'sourceId');
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true }), (metadata) => {
      const parsed = ingestFieldsSchema.safeParse({ vectorStore: 'a', metadata: JSON.stringify(metadata) });
      // Numbers that a double cannot hold are refused.
      if (parsed.success) assert.deepEqual(JSON.stringify(parsed.data.metadata), JSON.stringify(metadata));
      else assert.match(parsed.error.issues[0]!.message, /number|integer|2\^53|finite/i, JSON.stringify(metadata));
    }),
    { numRuns: 40 },
  );
});

test('search schema: ten results by default, five for the tool; limits are capped', () => {
  assert.deepEqual(
    [searchSchema.parse({ query: 'x' }).limit, searchKnowledgeSchema.parse({ query: 'x' }).limit],
    [10, 5],
  );
  const many = { query: 'x', limit: 1_000 };
  assert.deepEqual([searchSchema.parse(many).limit, searchKnowledgeSchema.parse(many).limit], [50, 20]);
});

test('filterSchema: a value means equality, a list membership, operators comparisons', () => {
  const filter = filterSchema.parse({
    lang: 'en',
    tags: ['a', 1, true],
    year: { gte: 2020, lt: 2024 },
    state: { neq: 'draft' },
    team: { eq: 'support' },
    kind: { in: ['x'], notIn: ['y'] },
    title: { contains: 'pump' },
    source: { exists: false },
  });
  assert.deepEqual(testsOf(filter), [
    { key: 'lang', test: 'in', values: ['en'] },
    { key: 'tags', test: 'in', values: ['a', 1, true] },
    { key: 'year', test: 'gte', value: 2020 },
    { key: 'year', test: 'lt', value: 2024 },
    { key: 'state', test: 'notIn', values: ['draft'] },
    { key: 'team', test: 'in', values: ['support'] },
    { key: 'kind', test: 'in', values: ['x'] },
    { key: 'kind', test: 'notIn', values: ['y'] },
    { key: 'title', test: 'contains', value: 'pump' },
    { key: 'source', test: 'exists', value: false },
  ]);
  assert.deepEqual(testsOf({}), []);
});

test('filterSchema: invalid filters are refused', () => {
  for (const wrong of [
    [],
    'lang',
    { lang: null },
    { lang: [] },
    { lang: [null] },
    { lang: {} },
    { lang: { like: 'e' } },
    { lang: { contains: '' } },
    { lang: { gt: true } },
    { lang: { exists: 'yes' } },
    { lang: Number.NaN },
    { lang: 'x'.repeat(1_001) },
    { lang: Array.from({ length: 101 }, (_, index) => index) },
    { '': 1 },
    { 'a"': 1 },
    { 'a\\b': 1 },
    { ['k'.repeat(201)]: 1 },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 1])),
  ]) {
    assert.equal(filterSchema.safeParse(wrong).success, false, JSON.stringify(wrong).slice(0, 60));
  }
});

const idsOf = (ranked: { id: number }[]) => ranked.map(({ id }) => id);

const fused = (limit: number, ...rankings: [number[], number][]) =>
  fuse(
    rankings.map(([ids, weight]) => ({ ids, weight })),
    limit,
  );

test('fuse(): results in both rankings precede results in one; weight 0 only fills up', () => {
  assert.deepEqual(idsOf(fused(10, [[1, 2, 3], 1], [[4, 3, 5], 1])), [3, 1, 4, 2, 5]);
  assert.deepEqual(idsOf(fused(4, [[1, 2], 1], [[9, 2, 8, 1], 0])), [1, 2, 9, 8]);
});

test('fuse(): first in all rankings scores 1, first in one of two scores a half', () => {
  assert.deepEqual(fused(10, [[7, 8], 1], [[7], 3])[0], { id: 7, score: 1 });
  assert.deepEqual(fused(10, [[1], 2], [[], 2]), [{ id: 1, score: 0.5 }]);
  assert.deepEqual(fused(1, [[5], 0]), [{ id: 5, score: 0 }]);
});

const ids = fc.uniqueArray(fc.nat(30), { maxLength: 20 });

test('fuse(): ids are distinct, best first, limited; a single ranking keeps its order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ids, weight: fc.constantFrom(0, 0.5, 1, 2) }), { maxLength: 4 }),
      fc.nat(40),
      (rankings, limit) => {
        const fused = fuse(rankings, limit);
        const all = new Set(rankings.flatMap((ranking) => ranking.ids));
        assert.equal(fused.length, Math.min(limit, all.size));
        assert.equal(new Set(idsOf(fused)).size, fused.length);
        for (const [index, { score }] of fused.entries()) {
          assert.ok(score >= 0 && score <= 1 + 1e-12);
          assert.ok(index === 0 || score <= fused[index - 1]!.score);
        }
        const [first] = rankings;
        if (rankings.length === 1) assert.deepEqual(idsOf(fused), first!.ids.slice(0, limit));
      },
    ),
  );
});
