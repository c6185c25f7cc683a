import assert from 'node:assert/strict';
import { HOSTILE, HYGIENE, type KnowledgeBackend, LONG_MS, newJob, openStore, ROOM, suiteOf } from './backend.ts';

/** Creating, listing and ending jobs without running them. */
export function testJobs(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test, vectorTest } = suiteOf(backend);

  test(`KnowledgeStore (${name}): a job keeps everything its ingestion needs`, async (t) => {
    const { store, claimed } = await openStore(t, backend);
    const options = { format: 'csv' as const, csvDelimiter: '\t', csvContentColumns: [HOSTILE], hygiene: HYGIENE };
    const metadata = { [HOSTILE]: { deep: [1, null, true] }, sourceId: HOSTILE };
    const job = newJob({ originalName: HOSTILE, agentId: HOSTILE, sourceId: HOSTILE, options, metadata });
    const made = await store.createJob('one', job, ROOM);
    assert.equal(made.outcome, 'created');
    const expected = {
      ...{ jobId: job.jobId, tenantId: 'one', vectorStore: 'manuals', status: 'queued', originalName: HOSTILE },
      ...{ totalChunks: 0, processedChunks: 0, progress: 0, documentId: null, error: null, notes: [] },
      ...{ createdAt: job.now, startedAt: null, completedAt: null },
    };
    assert.deepEqual([made.job, made.stored], [expected, 0]);
    assert.deepEqual(await store.findJob(job.jobId), expected);
    assert.deepEqual(await claimed(77), {
      job: { ...expected, status: 'processing', startedAt: 77 },
      ...{ documentId: job.documentId, fence: 1, uploadId: job.uploadId, options, metadata },
      ...{ embedder: 'none', dimensions: null, checkpoint: null, attempts: 1 },
    });
    assert.equal(await store.findJob('nothing'), null);
  });

  test(`KnowledgeStore (${name}): the same file is the running job, per store and tenant`, async (t) => {
    const { store, created } = await openStore(t, backend);
    const first = await created({ fingerprint: 'same' });
    const again = newJob({ fingerprint: 'same' });
    const answer = await store.createJob('one', again, ROOM);
    assert.deepEqual([answer.outcome, 'job' in answer && answer.job.jobId], ['running', first.jobId]);
    assert.equal(await store.findJob(again.jobId), null);
    await store.claim({ now: 1, leaseMs: LONG_MS });
    assert.equal((await store.createJob('one', again, ROOM)).outcome, 'running', 'also while it is processed');
    await created({ fingerprint: 'same' }, 'two');
    await created({ fingerprint: 'same', vectorStore: 'other' });
    assert.equal(await store.cancelJob('one', first.jobId, 'cancelled', 5), true);
    assert.equal((await store.createJob('one', again, ROOM)).outcome, 'created');
  });

  test(`KnowledgeStore (${name}): of fifty equal jobs at once one is created`, async (t) => {
    const { store } = await openStore(t, backend);
    const all = Array.from({ length: 50 }, () => newJob({ fingerprint: 'same' }));
    const results = await Promise.all(all.map((job) => store.createJob('one', job, ROOM)));
    assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 1);
    assert.equal(results.filter(({ outcome }) => outcome === 'running').length, 49);
    assert.equal(new Set(results.map((result) => ('job' in result ? result.job.jobId : ''))).size, 1);
  });

  test(`KnowledgeStore (${name}): unfinished jobs are limited per tenant and in total`, async (t) => {
    const { store, claimed } = await openStore(t, backend);
    const limits = { perTenant: 2, total: 3 };
    const add = async (tenantId: string) => (await store.createJob(tenantId, newJob(), limits)).outcome;
    assert.deepEqual([await add('one'), await add('one'), await add('one')], ['created', 'created', 'full']);
    assert.deepEqual(
      [await store.openJobs('one'), await store.openJobs('two')],
      [
        { own: 2, all: 2 },
        { own: 0, all: 2 },
      ],
    );
    assert.deepEqual([await add('two'), await add('three')], ['created', 'full']);
    const { job } = await claimed();
    assert.equal(await add('one'), 'full', 'one at work counts');
    assert.equal(await store.cancelJob(job.tenantId, job.jobId, 'cancelled', 1), true);
    assert.equal(await add('three'), 'created');
    assert.deepEqual(await store.listStores('four'), [], 'nothing is made for who is refused');
  });

  vectorTest(`KnowledgeStore (${name}): a store keeps its embedder`, async (t) => {
    const { store, created } = await openStore(t, backend);
    await created({ embedder: 'test/a' });
    const other = newJob({ embedder: 'test/b' });
    assert.deepEqual(await store.createJob('one', other, ROOM), { outcome: 'other embedder', embedder: 'test/a' });
    assert.equal(await store.findJob(other.jobId), null);
    await created({ embedder: 'test/b' }, 'two');
    assert.equal(await store.dropStore('one', 'manuals', 5), true);
    await created({ embedder: 'test/b' });
    assert.equal((await store.findStore('one', 'manuals'))?.embedder, 'test/b');
  });

  test(`KnowledgeStore (${name}): jobs are listed newest first, by store and status`, async (t) => {
    const { store, created, claimed } = await openStore(t, backend);
    const made: string[] = [];
    for (let number = 0; number < 7; number++) made.push((await created()).jobId);
    await created({}, 'two');
    await created({ vectorStore: 'other' });
    const newest = [...made].reverse();
    const list = async (query: object) =>
      (await store.listJobs('one', { vectorStore: 'manuals', status: null, limit: 100, offset: 0, ...query })).map(
        ({ jobId }) => jobId,
      );
    assert.deepEqual(await list({}), newest);
    assert.deepEqual(await list({ limit: 3, offset: 2 }), newest.slice(2, 5));
    assert.deepEqual(await list({ offset: 7 }), []);
    const { job } = await claimed();
    await store.cancelJob('one', made[3]!, 'cancelled', 9);
    assert.deepEqual(await list({ status: 'processing' }), [job.jobId]);
    assert.deepEqual(await list({ status: 'failed' }), [made[3]]);
    assert.deepEqual(await list({ status: 'completed' }), []);
    assert.equal((await list({ status: 'queued' })).length, 5);
    assert.deepEqual(await store.stats(), { queued: 7, processing: 1 });
    assert.deepEqual(await list({ vectorStore: 'nothing' }), []);
    for (const [status, total] of [
      [null, 7],
      ['queued', 5],
      ['processing', 1],
      ['failed', 1],
    ] as const) {
      assert.equal(await store.countJobs('one', { vectorStore: 'manuals', status }), total, String(status));
    }
  });

  test(`KnowledgeStore (${name}): a cancelled job fails once with its reason`, async (t) => {
    const { store, begun, job } = await openStore(t, backend);
    const { job: made, lease } = await begun();
    assert.equal(await store.cancelJob('two', made.jobId, 'theirs', 5), false);
    assert.equal(await store.cancelJob('one', 'nothing', 'none', 5), false);
    assert.equal(await store.cancelJob('one', made.jobId, 'cancelled', 5), true);
    const { status, error, completedAt, documentId } = await job(made.jobId);
    assert.deepEqual([status, error, completedAt, documentId], ['failed', 'cancelled', 5, null]);
    assert.equal(await store.cancelJob('one', made.jobId, 'again', 6), false);
    assert.equal(await store.complete(lease, 7), false);
    assert.equal((await job(made.jobId)).error, 'cancelled');
  });

  test(`KnowledgeStore (${name}): ended jobs stay unreported until they are marked`, async (t) => {
    const { store, begun, filled, created, close, at } = await openStore(t, backend);
    const done = await filled({ agentId: 'mine', size: 7 });
    const { job: failed, lease } = await begun();
    await store.fail(lease, 'It is broken.', 9);
    const waiting = await created();
    const needed = [done, failed, waiting].map(({ uploadId }) => uploadId);
    assert.deepEqual((await store.neededUploads()).sort(), needed.sort());
    const ends = await store.unreportedJobs(10);
    assert.deepEqual(
      ends.map(({ job, ...rest }) => ({ ...rest, jobId: job.jobId, status: job.status, error: job.error })),
      [
        {
          agentId: 'mine',
          uploadId: done.uploadId,
          size: 7,
          format: 'csv',
          jobId: done.jobId,
          status: 'completed',
          error: null,
        },
        {
          agentId: 'support',
          uploadId: failed.uploadId,
          size: 10,
          format: 'csv',
          jobId: failed.jobId,
          status: 'failed',
          error: 'It is broken.',
        },
      ],
    );
    assert.deepEqual(
      (await store.unreportedJobs(1)).map(({ job }) => job.jobId),
      [done.jobId],
    );
    await store.markReported([done.jobId]);
    await close();
    const { store: reopened } = await openStore(t, backend, at);
    assert.deepEqual(
      (await reopened.unreportedJobs(10)).map(({ job }) => job.jobId),
      [failed.jobId],
    );
    assert.deepEqual(await reopened.markReported([done.jobId, failed.jobId, 'nothing']), [failed.jobId]);
    assert.deepEqual(await reopened.unreportedJobs(10), []);
    assert.deepEqual(await reopened.neededUploads(), [waiting.uploadId]);
  });
}
