import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { JobRun, type JobRunParts } from '../../../src/core/knowledge/job-run.ts';
import type { ChunkBatch, ClaimedJob } from '../../../src/core/knowledge/store.ts';

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

/** A run over six slices of one chunk each, whose commits wait for the test. */
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
