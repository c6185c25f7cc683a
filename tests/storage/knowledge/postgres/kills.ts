import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { newJob, openStore, plan, ROOM } from '../../../contracts/knowledge/backend.ts';
import { rareTest } from '../../../support/rare.ts';
import type { PostgresBackend } from './backend.ts';

const [JOBS, BATCHES, OF_BATCH, NODES] = [40, 6, 5, 3];
const source = (path: string) => JSON.stringify(import.meta.resolve(`../../../src/storage/${path}`));

/** A node that ingests until nothing is left. It resumes where a checkpoint says. */
const node = (url: string) => `(async () => {
  const { openPostgres } = await import(${source('postgres/database.ts')});
  const { openPostgresKnowledge } = await import(${source('postgres-knowledge/store.ts')});
  const { pool } = await openPostgres({ url: ${JSON.stringify(url)}, connections: 2 });
  const store = openPostgresKnowledge(pool, { onFault: () => undefined });
  for (;;) {
    const claim = await store.claim({ now: 1, leaseMs: 400 });
    if (!claim && (await store.openJobs('one')).all === 0) process.exit(0);
    if (!claim) continue;
    const lease = { jobId: claim.job.jobId, fence: claim.fence };
    let isOurs = true;
    for (let next = claim.checkpoint?.next ?? 0; isOurs && next < ${BATCHES}; next += 1) {
      const chunks = Array.from({ length: ${OF_BATCH} }, (_, index) => ({
        text: 'word ' + (next * ${OF_BATCH} + index), headings: [], place: {}, metadata: null,
      }));
      const batch = { chunks, embedded: null, units: null, checkpoint: { next: next + 1 }, progress: 1, leaseMs: 400 };
      isOurs = (await store.commit(lease, batch)) !== null;
    }
    if (isOurs) await store.complete(lease, 2);
  }
})()`;

export function testKills(backend: PostgresBackend): void {
  rareTest('Claims: nodes that are killed lose and double nothing', async (t) => {
    const { store, at } = await openStore(t, backend);
    for (let number = 0; number < JOBS; number += 1) {
      await store.createJob('one', newJob({ sourceId: `${number % 30}` }), ROOM);
    }
    const nodes = new Set<ChildProcess>();
    t.after(() => {
      for (const child of nodes) child.kill('SIGKILL');
    });
    let kills = 0;
    const run = async () => {
      for (;;) {
        const child = spawn(process.execPath, ['-e', node(at)], { stdio: ['ignore', 'ignore', 'inherit'] });
        nodes.add(child);
        const ended = once(child, 'exit') as Promise<[number | null]>;
        const isKilled =
          kills < 25 && (await Promise.race([ended.then(() => false), sleep(700 + Math.random() * 900, true)]));
        if (isKilled) child.kill('SIGKILL');
        const [code] = await ended;
        nodes.delete(child);
        if (code === 0) return;
        assert.equal(code, null, 'it failed by itself');
        kills += 1;
      }
    };
    await Promise.all(Array.from({ length: NODES }, run));
    await store.settle();
    // Of the jobs of a source the last document remains.
    const { items, total } = await store.listDocuments('one', { vectorStore: 'manuals', limit: 100, offset: 0 });
    assert.equal(total, 30);
    assert.deepEqual(new Set(items.map(({ chunks }) => chunks)), new Set([BATCHES * OF_BATCH]));
    const rows = await backend.query<{ document: number; seqs: string; texts: string }>(
      `SELECT document, string_agg(seq::text, ',' ORDER BY seq) AS seqs,
      string_agg(substr(text, 6), ',' ORDER BY seq) AS texts FROM knowledge_chunks GROUP BY document`,
    );
    const whole = Array.from({ length: BATCHES * OF_BATCH }, (_, index) => index).join(',');
    assert.deepEqual(new Set(rows.flatMap(({ seqs, texts }) => [seqs, texts])), new Set([whole]));
    assert.equal((await store.search('one', plan({ text: '7' })))?.total, 30);
    assert.equal((await store.unreportedJobs(100)).filter(({ job }) => job.status === 'completed').length, JOBS);
  });
}
