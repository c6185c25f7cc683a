import assert from 'node:assert/strict';
import test, { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextLoop, setImmediate as nextTurn } from 'node:timers/promises';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { Ingestion } from '../../../src/core/knowledge/ingestion.ts';
import { JobRun, type JobRunParts } from '../../../src/core/knowledge/job-run.ts';
import type { DocumentReader, ReadOptions } from '../../../src/core/knowledge/reader.ts';
import type { ChunkBatch, ClaimedJob, KnowledgeStore } from '../../../src/core/knowledge/store.ts';
import type { UploadStore } from '../../../src/core/knowledge/uploads.ts';
import { NO_HYGIENE } from '../../support/upload-file.ts';

const FULL = new RuntimeError('unavailable', 'The disk is full.');
const OPTIONS: ReadOptions = { format: 'txt', hygiene: NO_HYGIENE };

test('Ingestion: a job claimed during shutdown is released without being run', async (t) => {
  const { promise: asked, resolve: claimIsAsked } = Promise.withResolvers<void>();
  const { promise: answer, resolve: answerClaim } = Promise.withResolvers<ClaimedJob>();
  const { ingestion, reads, released } = working(t, {
    claim: () => {
      claimIsAsked();
      return answer;
    },
  });
  ingestion.wake();
  await asked;
  const stopped = ingestion.stop();
  answerClaim(claimedJob());
  await stopped;
  assert.deepEqual(reads, []);
  assert.deepEqual(released, [{ fence: 1, hasFailed: false }]);
});

test('Ingestion: releasing a job is retried on a full disk and counts no attempt', async (t) => {
  const attempts: boolean[] = [];
  const { promise: isReleased, resolve } = Promise.withResolvers<void>();
  const { ingestion } = working(t, {
    commit: async () => {
      throw FULL;
    },
    release: async (_lease, hasFailed) => {
      attempts.push(hasFailed);
      if (attempts.length < 4) throw FULL;
      resolve();
    },
  });
  ingestion.wake();
  await isReleased;
  assert.deepEqual(attempts, [false, false, false, false]);
});

test('Ingestion: a job reclaimed after a clock leap runs once; stop waits for both', async (t) => {
  const claims = [claimedJob(1), null, claimedJob(2)];
  const begun: AbortSignal[] = [];
  const { ingestion } = working(t, {
    claim: async () => claims.shift() ?? null,
    read: (signal) => {
      begun.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  ingestion.wake();
  await turns();
  ingestion.wake();
  await turns();
  assert.deepEqual(
    begun.map(({ aborted }) => aborted),
    [true, false],
  );
  await ingestion.abort({ jobId: 'job' });
  assert.ok(begun[1]!.aborted);
});

test('Ingestion: jobs run although an earlier end could not be reported', async (t) => {
  const { ingestion, errors, reads } = working(t, {
    unreportedJobs: async () => {
      throw FULL;
    },
  });
  ingestion.wake();
  await turns();
  assert.equal(reads.length, 1);
  assert.ok(errors.every((error) => error === FULL));
});

test('Ingestion: yielding to another tenant first stores what was read and embedded', async (t) => {
  const clock = { now: 0 };
  const slices = 10;
  const stored: string[] = [];
  const embedded: string[] = [];
  let checkpoint: ClaimedJob['checkpoint'] = null;
  let waits = true;
  const { ingestion } = working(t, {
    width: 1,
    now: () => clock.now,
    claim: async () => {
      if (!waits) return null;
      waits = false;
      return { ...claimedJob(), embedder: 'test', checkpoint };
    },
    release: async () => {
      waits = true;
    },
    read: async (_signal, from) => {
      const at = (from as number | null) ?? 0;
      return {
        chunks: [{ text: `chunk ${at}`, headings: [], place: {}, metadata: null }],
        next: at + 1 < slices ? at + 1 : null,
        done: (at + 1) / slices,
      };
    },
    embed: async (texts) => {
      embedded.push(...texts);
      clock.now += 1_500;
    },
    hasOtherWaiting: async () => true,
    commit: async (_lease, batch) => {
      stored.push(...batch.chunks.map(({ text }) => text));
      checkpoint = batch.checkpoint;
      return batch.chunks.length;
    },
  });
  ingestion.wake();
  await turns(400);
  const all = Array.from({ length: slices }, (_, at) => `chunk ${at}`);
  assert.deepEqual(stored, all);
  assert.deepEqual(embedded, all);
});

test('Ingestion: jobs that another node has left are found by polling', async (t) => {
  const { promise: isClaimed, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const { reads } = working(t, {
    pollMs: 1,
    claim: async () => {
      asked += 1;
      return asked === 3 ? claimedJob() : null;
    },
    complete: async () => {
      resolve();
      return true;
    },
  });
  await isClaimed;
  assert.equal(reads.length, 1);
});

interface Changes extends Partial<Omit<KnowledgeStore, 'claim'>> {
  claim?: () => Promise<ClaimedJob | null>;
  now?: () => number;
  width?: number;
  pollMs?: number;
  read?: (signal: AbortSignal, from: unknown) => Promise<Awaited<ReturnType<DocumentReader['read']>>>;
  embed?: (texts: readonly string[]) => Promise<void>;
}

/** An ingestion over a store that claims one job again and again by default. */
function working(t: TestContext, { now = () => 0, width = 2, pollMs, read, embed, ...store }: Changes) {
  const reads: unknown[] = [];
  const errors: unknown[] = [];
  const released: { fence: number; hasFailed: boolean }[] = [];
  const claims = [claimedJob()];
  const ingestion = new Ingestion({
    store: {
      unreportedJobs: async () => [],
      markReported: async () => [],
      claim: async () => claims.shift() ?? null,
      hasOtherWaiting: async () => false,
      renew: async () => true,
      restart: async () => true,
      commit: async () => 1,
      complete: async () => true,
      fail: async () => true,
      release: async ({ fence }: { fence: number }, hasFailed: boolean) => void released.push({ fence, hasFailed }),
      ...store,
    } as unknown as KnowledgeStore,
    reader: {
      columns: async () => [],
      prepare: async () => ({}),
      read: (_prepared, from, { signal }) => {
        signal.throwIfAborted();
        reads.push(from);
        if (read) return read(signal, from);
        const chunk = { text: 'text', headings: [], place: {}, metadata: null };
        return Promise.resolve({ chunks: [chunk], next: null, done: 1 });
      },
    },
    uploads: {
      open: async (path: string) => ({ path, close: async () => undefined }),
      remove: async () => undefined,
    } as unknown as UploadStore,
    embedders: {
      configured: 'none',
      of: (name) =>
        name === 'none'
          ? null
          : {
              ...{ name, dimensions: 1, semantic: true },
              embed: async (texts) => {
                await embed?.(texts);
                return { vectors: new Float32Array(texts.length).fill(1), dimensions: 1 };
              },
            },
    },
    effects: { now, newId: () => 'unused' },
    outbox: { store: async () => [] },
    ...{ jobsPerTenant: width, retryMs: 5, ...(pollMs !== undefined && { pollMs }) },
    onChunks: () => undefined,
    onEnd: () => undefined,
    onError: (error) => errors.push(error),
  });
  t.after(() => ingestion.stop());
  return { ingestion, reads, errors, released };
}

function claimedJob(fence = 1): ClaimedJob {
  return {
    job: {
      ...{ jobId: 'job', tenantId: 'tenant', vectorStore: 'manuals', status: 'processing', originalName: 'a.txt' },
      ...{ totalChunks: 0, processedChunks: 0, progress: 0, documentId: null, error: null, notes: [] },
      ...{ createdAt: 0, startedAt: 0, completedAt: null },
    },
    ...{ documentId: 'document', fence, uploadId: 'upload', options: OPTIONS, metadata: {} },
    ...{ embedder: 'none', dimensions: null, checkpoint: null, attempts: 1 },
  };
}

async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

const SLICES = 6;

const claimed = {
  job: { jobId: 'job', tenantId: 'tenant', processedChunks: 0 },
  fence: 1,
  uploadId: 'upload',
  options: { format: 'txt', hygiene: {} },
  embedder: 'none',
  dimensions: null,
  checkpoint: null,
  attempts: 1,
} as unknown as ClaimedJob;

function runOf(answer: (nth: number) => Promise<number | null>, signal = new AbortController().signal) {
  const happened: string[] = [];
  const parts = {
    store: {
      commit: async (_: unknown, { chunks }: ChunkBatch) => {
        const nth = Number(chunks[0]!.text);
        happened.push(`store ${nth}`);
        const stored = await answer(nth);
        happened.push(`stored ${nth}`);
        return stored;
      },
      complete: async () => true,
      release: async () => void happened.push('release'),
      renew: async () => true,
      fail: async (_: unknown, error: string) => Boolean(happened.push(error)),
    },
    reader: {
      prepare: async () => ({}),
      read: async (_: unknown, from: number | null) => {
        const nth = (from ?? 0) + 1;
        happened.push(`read ${nth}`);
        const chunk = { text: String(nth), headings: [], place: {}, metadata: null };
        return { chunks: [chunk], next: nth === SLICES ? null : nth, done: nth / SLICES };
      },
    },
    uploads: { open: async () => ({ path: '/upload', close: async () => undefined }) },
    embedders: { of: () => null },
    effects: { now: () => 0 },
    onChunks: () => undefined,
  } as unknown as JobRunParts;
  return { happened, run: new JobRun(parts, claimed, signal) };
}

async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) await nextLoop();
}

describe('JobRun: order of commits', () => {
  it('JobRun: reads ahead during a commit, and commits in order', async () => {
    const waiting: (() => void)[] = [];
    const { happened, run } = runOf(() => new Promise((resolve) => waiting.push(() => resolve(1))));
    const end = run.run();
    await settled();
    assert.deepEqual(happened, ['read 1', 'read 2', 'read 3', 'store 1', 'read 4']);
    for (let nth = 1; nth <= SLICES; nth++) {
      assert.equal(waiting.length, 1, 'one is stored at a time');
      waiting.pop()?.();
      await settled();
    }
    assert.equal(await end, 'over');
    const stored = happened.filter((what) => what.startsWith('stored'));
    assert.deepEqual(
      stored,
      [1, 2, 3, 4, 5, 6].map((nth) => `stored ${nth}`),
    );
  });

  it('JobRun: stores nothing more once its lease is lost', async () => {
    const { happened, run } = runOf(async (nth) => (nth === 2 ? null : 1));
    assert.equal(await run.run(), 'lost');
    assert.ok(!happened.includes('store 3'), happened.join(', '));
  });

  it('JobRun: leaves nothing running when it is aborted', async () => {
    const controller = new AbortController();
    let finish = () => {};
    const slow = new Promise<number>((resolve) => {
      finish = () => resolve(1);
    });
    const { happened, run } = runOf((nth) => (nth === 2 ? slow : Promise.resolve(1)), controller.signal);
    const end = run.run();
    await settled();
    controller.abort();
    finish();
    assert.equal(await end, 'lost');
    const stores = happened.filter((what) => !what.startsWith('read'));
    assert.deepEqual(stores, ['store 1', 'stored 1', 'store 2', 'stored 2', 'release']);
  });

  it('JobRun: ends with the error of a failed commit', async () => {
    const { run } = runOf(async (nth) => {
      if (nth === 2) throw new Error('a defect');
      return 1;
    });
    await assert.rejects(run.run(), /a defect/);
  });
});
