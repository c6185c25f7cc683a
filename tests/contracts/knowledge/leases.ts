import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { batch, chunk, HOSTILE, type KnowledgeBackend, LONG_MS, leaseOf, openStore, suiteOf } from './backend.ts';

const HOUR = 3_600_000;

/** The order of claims, and leases. */
export function testLeases(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test } = suiteOf(backend);

  test(`KnowledgeStore (${name}): claim prefers the tenant with the fewest running jobs`, async (t) => {
    const { store, created, claimed } = await openStore(t, backend);
    for (const tenantId of ['one', 'one', 'one', 'two', 'three']) await created({}, tenantId);
    const claims = [];
    for (let now = 1; now <= 5; now++) claims.push(await claimed(now));
    assert.deepEqual(
      claims.map(({ job }) => job.tenantId),
      ['one', 'two', 'three', 'one', 'one'],
    );
    const ofOne = claims.filter(({ job }) => job.tenantId === 'one').map(({ job }) => job.jobId);
    assert.deepEqual(ofOne, [...ofOne].sort());
    assert.equal(await store.claim({ now: 6, leaseMs: LONG_MS }), null);
  });

  test(`KnowledgeStore (${name}): claim leaves out the tenants that are named`, async (t) => {
    const { store, created } = await openStore(t, backend);
    for (const tenantId of ['one', 'one', 'two', 'three']) await created({}, tenantId);
    const next = async (...except: string[]) => (await store.claim({ now: 1, leaseMs: LONG_MS, except }))?.job.tenantId;
    assert.deepEqual(
      [await next('one', 'two'), await next('one'), await next('one', HOSTILE)],
      ['three', 'two', undefined],
    );
    assert.equal(await next(), 'one');
  });

  test(`KnowledgeStore (${name}): claim breaks ties by the longest wait`, async (t) => {
    const { store, created, claimed } = await openStore(t, backend);
    for (let number = 0; number < 4; number++) await created({}, 'one');
    for (let number = 0; number < 4; number++) await created({}, 'two');
    const turns: string[] = [];
    for (let now = 1; now <= 8; now++) {
      const claim = await claimed(now);
      turns.push(claim.job.tenantId);
      await store.fail(leaseOf(claim), 'done', now);
    }
    assert.deepEqual(turns, ['one', 'two', 'one', 'two', 'one', 'two', 'one', 'two']);
  });

  test(`KnowledgeStore (${name}): hasOtherWaiting ignores tenants with as many running`, async (t) => {
    const { store, begun, created, claimed } = await openStore(t, backend);
    await begun({ sourceId: 'a' });
    await created({ sourceId: 'a' });
    assert.equal(await store.hasOtherWaiting('one'), false, 'only their own, which waits for the first');
    await created({}, 'two');
    assert.equal(await store.hasOtherWaiting('one'), true);
    assert.equal(await store.hasOtherWaiting('three'), false, 'who has none at work gives way to nobody');
    assert.equal((await claimed()).job.tenantId, 'two');
    assert.equal(await store.hasOtherWaiting('one'), false);
    await created({}, 'two');
    assert.equal(await store.hasOtherWaiting('one'), false, 'two has as many at work');
  });

  test(`KnowledgeStore (${name}): a later upload of a source waits for the earlier`, async (t) => {
    const { store, created, claimed } = await openStore(t, backend);
    const first = await created({ sourceId: 'page' });
    const second = await created({ sourceId: 'page' });
    const elsewhere = await created({ sourceId: 'page', vectorStore: 'other' });
    const theirs = await created({ sourceId: 'page' }, 'two');
    const claims = [await claimed(1), await claimed(2), await claimed(3)];
    assert.deepEqual(
      claims.map(({ job }) => job.jobId).sort(),
      [first, elsewhere, theirs].map(({ jobId }) => jobId).sort(),
    );
    assert.equal(await store.claim({ now: 4, leaseMs: LONG_MS }), null);
    await store.cancelJob('one', first.jobId, 'cancelled', 5);
    assert.equal((await claimed(6)).job.jobId, second.jobId);
  });

  test(`KnowledgeStore (${name}): a leased job is not claimed; renewing extends the lease`, async (t) => {
    const { store, at, created, claimed } = await openStore(t, backend);
    await created();
    const lease = leaseOf(await claimed(0, 2 * HOUR));
    await backend.passTime(at, HOUR);
    assert.equal(await store.claim({ now: 99, leaseMs: HOUR }), null);
    assert.equal(await store.renew(lease, 2 * HOUR), true);
    await backend.passTime(at, HOUR);
    assert.equal(await store.claim({ now: 149, leaseMs: HOUR }), null);
    await backend.passTime(at, HOUR);
    const next = await claimed(150, HOUR);
    assert.deepEqual([next.fence, next.attempts, next.job.startedAt], [lease.fence + 1, 2, 0]);
    assert.equal(await store.renew(lease, HOUR), false);
  });

  test(`KnowledgeStore (${name}): a lost lease changes nothing`, async (t) => {
    const { store, at, created, claimed, job } = await openStore(t, backend);
    const { jobId } = await created();
    const old = leaseOf(await claimed(0, HOUR));
    await store.commit(old, batch([chunk('first')], { checkpoint: { at: 1 }, progress: 0.5, leaseMs: HOUR }));
    await backend.passTime(at, HOUR);
    const current = leaseOf(await claimed(20, HOUR));
    assert.equal(await store.commit(old, batch([chunk('late')], { checkpoint: { at: 2 } })), null);
    assert.equal(await store.complete(old, 25), false);
    assert.equal(await store.fail(old, 'late', 25), false);
    assert.equal(await store.restart(old), false);
    assert.equal(await store.renew(old, HOUR), false);
    await store.release(old, true);
    assert.equal(await store.claim({ now: 29, leaseMs: HOUR }), null, "it is still the other's");
    assert.deepEqual([(await job(jobId)).status, (await job(jobId)).processedChunks], ['processing', 1]);
    await backend.passTime(at, HOUR);
    assert.deepEqual((await claimed(30, HOUR)).checkpoint, { at: 1 });
    assert.equal(await store.commit(current, batch([chunk('late')])), null);
  });

  test(`KnowledgeStore (${name}): a released job resumes; failures count until a commit`, async (t) => {
    const { store, created, claimed } = await openStore(t, backend);
    await created();
    const attempts = async (hasFailed: boolean) => {
      const claim = await claimed();
      await store.release(leaseOf(claim), hasFailed);
      return claim.attempts;
    };
    assert.deepEqual([await attempts(true), await attempts(true), await attempts(false)], [1, 2, 3]);
    assert.equal(await attempts(true), 1, 'a release without failure begins to count anew');
    const claim = await claimed();
    assert.equal(claim.attempts, 2);
    await store.commit(leaseOf(claim), batch([chunk('a')], { checkpoint: { row: 7 } }));
    await store.release(leaseOf(claim), true);
    const next = await claimed();
    assert.deepEqual([next.attempts, next.checkpoint, next.job.processedChunks], [1, { row: 7 }, 1]);
  });

  test(`KnowledgeStore (${name}): jobs of a crash are claimed again, as an attempt`, async (t) => {
    const { store, begun, close, at } = await openStore(t, backend);
    const { job, lease } = await begun();
    await store.commit(
      lease,
      batch([chunk('a'), chunk('b')], { checkpoint: { next: [1, { deep: null }] }, progress: 0.2 }),
    );
    await close();
    if (backend.isShared) await backend.passTime(at, LONG_MS);
    const opened = await openStore(t, backend, at);
    const claim = await opened.claimed(2);
    assert.deepEqual([claim.job.jobId, claim.fence, claim.attempts], [job.jobId, lease.fence + 1, 1]);
    assert.deepEqual(claim.checkpoint, { next: [1, { deep: null }] });
    const { processedChunks, totalChunks, progress } = claim.job;
    assert.deepEqual([processedChunks, totalChunks, progress], [2, 10, 0.2]);
    await opened.close();
    if (backend.isShared) await backend.passTime(at, LONG_MS);
    assert.equal((await (await openStore(t, backend, at)).claimed(3)).attempts, 2);
  });

  test(`KnowledgeStore (${name}): a hundred concurrent claims get distinct jobs`, async (t: TestContext) => {
    const { store, created } = await openStore(t, backend);
    for (let number = 0; number < 20; number++) await created({}, `tenant ${number % 3}`);
    const claims = await Promise.all(Array.from({ length: 100 }, () => store.claim({ now: 1, leaseMs: HOUR })));
    const got = claims.filter((claim) => claim !== null).map(({ job }) => job.jobId);
    assert.deepEqual([got.length, new Set(got).size], [20, 20]);
  });
}
