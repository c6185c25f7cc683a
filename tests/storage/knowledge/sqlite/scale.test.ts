import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import type { ClaimedJob, NewJob } from '../../../../src/core/knowledge/store.ts';
import { openForSearch } from '../../../../src/storage/knowledge/sqlite/client.ts';
import { openWriter } from '../../../../src/storage/knowledge/sqlite/knowledge.ts';
import { Search } from '../../../../src/storage/knowledge/sqlite/search.ts';
import { temporaryDirectory } from '../../../support/app.ts';

/** Milliseconds: many times the expected time, and a fraction of a quadratic search's. */
const SOON = 250;
const ROOM = { perTenant: 10_000, total: 10_000 };

test('Claims: the next of thousands of jobs is found at once', async (t) => {
  const { knowledge, path } = opened(t);
  const now = Date.now();
  const job = await knowledge.createJob('one', newJob(0, now), ROOM);
  assert.equal(job.outcome, 'created');
  const database = new BetterSqlite3(path);
  const columns = (database.pragma('table_info(jobs)') as { name: string }[]).map(({ name }) => name);
  const selected = columns.map((name) =>
    ['job_id', 'document_id', 'source_id'].includes(name) ? `${name} || n` : name,
  );
  database.exec(`INSERT INTO jobs (${columns.join(', ')}) WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000) SELECT ${selected.join(', ')} FROM jobs, numbers`);
  database.close();
  const taken: number[] = [];
  while (taken.length < 5) {
    const begun = performance.now();
    assert.notEqual(await knowledge.claim({ now, leaseMs: 60_000 }), null);
    assert.equal(await knowledge.hasOtherWaiting('two'), false);
    taken.push(performance.now() - begun);
  }
  assert.ok(Math.min(...taken) < SOON, `took ${taken} ms`);
});

test('Search: counts of a store with many documents are read from an index alone', (t) => {
  const { path } = opened(t);
  const database = new BetterSqlite3(path, { readonly: true });
  t.after(() => database.close());
  const found = 'completed_at IS NOT NULL AND removed_at IS NULL';
  for (const sql of [
    `SELECT count(*) FROM documents WHERE store = 1 AND ${found}`,
    `SELECT sum(chunks) FROM documents WHERE store = 1 AND ${found}`,
    'SELECT sum(chunks) FROM documents WHERE store = 1',
  ]) {
    const [{ detail }] = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as [{ detail: string }];
    assert.match(detail, /USING COVERING INDEX/, sql);
  }
});

test('Search: a long query searches its rarest words and corrects few', async (t) => {
  const { knowledge, path } = opened(t);
  const now = Date.now();
  await knowledge.createJob('one', newJob(0, now), ROOM);
  const { job, fence } = (await knowledge.claim({ now, leaseMs: 60_000 })) as ClaimedJob;
  const common = Array.from({ length: 200 }, (_, index) => `common${index}`);
  const chunks = ['rare', ...common, ...common].map((text) => ({ text, headings: [], place: {}, metadata: null }));
  const lease = { jobId: job.jobId, fence };
  const batch = { chunks, embedded: null, units: null, notes: [], checkpoint: {}, progress: 1, leaseMs: 60_000 };
  await knowledge.commit(lease, batch);
  await knowledge.complete(lease, now);
  const search = new Search(openForSearch(path), { exactVectors: 1_000, keptBitsBytes: 0 });
  const plan = { store: 'manuals', vector: null, vectorWeight: 0, tests: [], limit: 10 };
  const { hits, total } = search.search('one', { ...plan, text: [...common, 'rare'].join(' ') })!;
  assert.equal(hits[0]!.text, 'rare');
  assert.ok(total < 150, `${total} chunks have one of them`);
  const misspelt = Array.from(
    { length: 100 },
    (_, index) => `rar${String.fromCodePoint(0x61 + (index % 26))}${'e'.repeat(index / 26)}`,
  );
  assert.ok(search.search('one', { ...plan, text: misspelt.join(' ') })!.repaired.length <= 16);
});

function opened(t: TestContext) {
  const path = join(temporaryDirectory(t), 'knowledge.sqlite');
  const knowledge = openWriter({ path, exactVectors: 1_000 }, (error) => assert.fail(error as Error));
  t.after(() => knowledge.close());
  return { knowledge, path };
}

function newJob(number: number, now: number): NewJob {
  const hygiene = { stripHtml: false, removeUrls: false, dropEmptyValues: false };
  return {
    ...{
      jobId: `job ${number}`,
      documentId: `document ${number}`,
      uploadId: `upload ${number}`,
      vectorStore: 'manuals',
    },
    ...{
      embedder: 'none',
      fingerprint: `file ${number}`,
      content: null,
      originalName: 'a.txt',
      size: 1,
      metadata: {},
      agentId: 'default',
    },
    options: { format: 'txt', hygiene: { ...hygiene, normalizeWhitespace: false, dedupeUnits: false } },
    ...{ sourceId: 'source', now },
  };
}
