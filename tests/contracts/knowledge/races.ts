import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { KnowledgeStore } from '../../../src/core/knowledge/store.ts';
import {
  batch,
  chunk,
  type KnowledgeBackend,
  LONG_MS,
  leaseOf,
  newJob,
  openStore,
  plan,
  ROOM,
  suiteOf,
} from './backend.ts';

const HOUR = 3_600_000;
const WORKERS = 8;

/** Two stores on one place at once, as two nodes or two processes have it. */
export function testRaces(backend: KnowledgeBackend, jobs = 200): void {
  const { name } = backend;
  const { test } = suiteOf(backend);

  test(`KnowledgeStore (${name}): two stores run each job once, a source at a time`, async (t) => {
    const { one, two } = await twoStores(t, backend);
    for (let number = 0; number < jobs; number++) {
      const sourceId = number % 4 === 0 ? `source ${number % 10}` : null;
      const metadata = { sourceId };
      await one.store.createJob(`tenant ${number % 5}`, newJob({ sourceId, metadata }), ROOM);
    }
    const run: string[] = [];
    const sources = new Set<string>();
    const work = async (store: KnowledgeStore) => {
      for (;;) {
        const claim = await store.claim({ now: 1, leaseMs: HOUR });
        if (!claim) {
          if ((await store.openJobs('tenant 0')).all === 0) return;
          continue;
        }
        run.push(claim.job.jobId);
        const source = typeof claim.metadata.sourceId === 'string' ? claim.metadata.sourceId : null;
        const key = `${claim.job.tenantId} ${source}`;
        assert.ok(source === null || !sources.has(key), `${key} is being replaced by another job`);
        sources.add(key);
        assert.equal(await store.commit(leaseOf(claim), batch([chunk(claim.job.jobId)])), 1);
        sources.delete(key);
        assert.equal(await store.complete(leaseOf(claim), 2), true);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker % 2 === 0 ? one.store : two.store)));
    assert.deepEqual([run.length, new Set(run).size], [jobs, jobs]);
    const reported = await Promise.all(
      [one.store, two.store].map(async (store) =>
        store.markReported((await store.unreportedJobs(jobs)).map(({ job }) => job.jobId)),
      ),
    );
    assert.equal(reported.flat().length, jobs, 'each end is reported by one');
  });

  test(`KnowledgeStore (${name}): a write under an old fence changes nothing`, async (t) => {
    const { one, two, at } = await twoStores(t, backend);
    const { jobId } = await one.created();
    const old = leaseOf(await one.claimed(1, HOUR));
    await backend.passTime(at, HOUR);
    const claim = await two.claimed(2, HOUR);
    await two.store.commit(leaseOf(claim), batch([chunk('mine')], { checkpoint: { at: 1 }, leaseMs: HOUR }));
    const late = batch([chunk('late')], { checkpoint: { at: 9 } });
    assert.deepEqual(
      await Promise.all([
        one.store.commit(old, late),
        one.store.renew(old, LONG_MS),
        one.store.restart(old),
        one.store.complete(old, 3),
        one.store.fail(old, 'late', 3),
      ]),
      [null, false, false, false, false],
    );
    await one.store.release(old, true);
    assert.equal(await one.store.claim({ now: 4, leaseMs: HOUR }), null, 'it is still leased');
    const { status, processedChunks } = await two.job(jobId);
    assert.deepEqual([status, processedChunks], ['processing', 1]);
    assert.equal(await two.store.complete(leaseOf(claim), 5), true);
    assert.deepEqual(await one.texts({ text: 'mine late' }), ['mine']);
  });

  test(`KnowledgeStore (${name}): a node's wrong clock neither takes nor keeps a lease`, async (t) => {
    const { one, two, at } = await twoStores(t, backend);
    await one.created();
    const clock = Date.now();
    for (const skew of [-HOUR, HOUR]) {
      const lease = leaseOf(await one.claimed(clock + skew, HOUR / 2));
      for (const now of [clock - HOUR, clock, clock + HOUR]) {
        assert.equal(await two.store.claim({ now, leaseMs: HOUR / 2 }), null, `at ${now - clock}`);
      }
      await backend.passTime(at, HOUR / 2);
      const next = leaseOf(await two.claimed(clock, HOUR));
      assert.equal(next.fence, lease.fence + 1);
      await two.store.release(next, false);
    }
  });

  test(`KnowledgeStore (${name}): opening another store releases nothing`, async (t) => {
    const { store, created, claimed, at } = await openStore(t, backend);
    await created();
    const lease = leaseOf(await claimed());
    const other = await openStore(t, backend, at);
    assert.equal(await other.store.claim({ now: 2, leaseMs: HOUR }), null);
    await other.close();
    const third = await openStore(t, backend, at);
    assert.equal(await third.store.claim({ now: 2, leaseMs: HOUR }), null);
    assert.equal(await store.commit(lease, batch([chunk('mine')])), 1);
    assert.equal(await store.complete(lease, 3), true);
  });

  test(`KnowledgeStore (${name}): limits and quota hold for two stores at once`, async (t) => {
    const { one, two } = await twoStores(t, backend);
    const outcomes = async (limits: typeof ROOM & { documentBytes?: number }, tenantId: string, members = {}) => {
      const results = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          (index % 2 === 0 ? one : two).store.createJob(tenantId, newJob({ size: 10, ...members }), limits),
        ),
      );
      return results.filter(({ outcome }) => outcome === 'created').length;
    };
    assert.equal(await outcomes({ ...ROOM, documentBytes: 75 }, 'of bytes'), 7);
    assert.equal(await one.store.storedBytes('of bytes'), 70);
    assert.equal(await outcomes({ ...ROOM, perTenant: 5 }, 'of jobs'), 5);
    assert.equal(await outcomes(ROOM, 'equal', { fingerprint: 'same' }), 1);
  });

  test(`KnowledgeStore (${name}): the order of a source is not that of ids`, async (t) => {
    const { one, two } = await twoStores(t, backend);
    // Ids follow the clocks of their nodes.
    const first = await one.created({ jobId: 'job-b', sourceId: 'page' });
    const claim = await one.claimed();
    const second = await two.created({ jobId: 'job-a', sourceId: 'page' });
    assert.equal(await two.store.claim({ now: 1, leaseMs: HOUR }), null);
    assert.equal(claim.job.jobId, first.jobId);
    await one.store.fail(leaseOf(claim), 'no', 2);
    assert.equal((await two.claimed()).job.jobId, second.jobId);
  });

  test(`KnowledgeStore (${name}): a store erased by another node takes no batch`, async (t) => {
    const { one, two } = await twoStores(t, backend);
    for (const remove of [
      () => two.store.dropStore('one', 'manuals', 5),
      async () => (await two.store.erase('one', 5)).documents > 0,
    ]) {
      const { lease } = await one.begun();
      const [stored, removed] = await Promise.all([one.store.commit(lease, batch([chunk('late')])), remove()]);
      assert.ok(stored === 1 || stored === null);
      assert.equal(removed, true);
      assert.equal(await one.store.complete(lease, 6), false);
      assert.equal(await one.store.search('one', plan({ text: 'late' })), null);
      await Promise.all([one.store.settle(), two.store.settle()]);
    }
  });
}

async function twoStores(t: TestContext, backend: KnowledgeBackend) {
  const one = await openStore(t, backend);
  const two = await openStore(t, backend, one.at);
  return { one, two, at: one.at };
}
