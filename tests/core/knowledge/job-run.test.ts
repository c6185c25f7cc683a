import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { withMethods } from '../../../src/core/base/shared/with-methods.ts';
import type { DocumentFormat } from '../../../src/core/knowledge/reader.ts';
import { HYGIENE } from '../../contracts/knowledge/backend.ts';
import { CRASH, slices, words, workshop } from './ingestion-support.ts';

const deduping = { options: { format: 'csv' as const, hygiene: { ...HYGIENE, dedupeUnits: true } } };

test('JobRun: chunks keep document order and vectors, however long embedding takes', async (t) => {
  const { add, turn, embedder, stored, job } = workshop(t);
  const made = await add(slices(8, 5));
  embedder.meanwhile = async (texts) => void (await sleep(40 - (Number(texts[0]!.slice(5)) % 40)));
  assert.equal(await turn(), 'over');
  assert.deepEqual(await stored(), { texts: words(40), wrong: [] });
  const { status, processedChunks, totalChunks, progress, documentId } = await job(made);
  assert.deepEqual([status, processedChunks, totalChunks, progress], ['completed', 40, 40, 1]);
  assert.equal(documentId, made.documentId);
});

test('JobRun: reading ahead during embedding is limited to a few slices', async (t) => {
  const { add, turn, embedder, reader } = workshop(t);
  await add(slices(50, 1));
  const stalled = Promise.withResolvers<void>();
  embedder.meanwhile = () => stalled.promise;
  const turning = turn();
  while (embedder.asked.length < 3) await sleep(2);
  await sleep(30);
  assert.ok(reader.slicesRead.length <= 4, `${reader.slicesRead.length} slices`);
  stalled.resolve();
  assert.equal(await turning, 'over');
});

test('JobRun: a run yields to another tenant after its time slice and resumes later', async (t) => {
  const { add, turn, embedder, reader, clock, stored, store } = workshop(t);
  await add(slices(12, 2));
  embedder.meanwhile = async () => {
    clock.now += 500;
  };
  const others = await add([['theirs']], {}, 'two');
  assert.equal(await turn(), 'yielded');
  const before = reader.slicesRead.length;
  assert.ok(before < 12, `${before} slices`);
  assert.equal((await store.stats()).processing, 1, 'it is still being processed');
  assert.equal(await turn(), 'over');
  assert.equal((await store.findJob(others.jobId))?.status, 'completed', 'theirs was next');
  assert.equal(await turn(), 'over');
  assert.deepEqual(await stored(), { texts: words(24), wrong: [] });
  assert.equal(reader.prepared.length, 2, 'each was looked over once');
});

test('JobRun: without waiting jobs a run continues to the end', async (t) => {
  const { add, turn, embedder, clock } = workshop(t);
  await add(slices(12, 2));
  await add([['another of ours']]);
  embedder.meanwhile = async () => {
    clock.now += 5_000;
  };
  assert.equal(await turn(), 'over');
});

test('JobRun: a job begun by another reader version starts from the beginning', async (t) => {
  const { add, turn, store, clock, stored, reader, parts } = workshop(t);
  const made = await add(slices(4, 3), deduping);
  const broken = {
    ...parts.reader,
    prepare: parts.reader.prepare.bind(parts.reader),
    read: async () => Promise.reject(new RuntimeError('unavailable', 'no room')),
  };
  assert.equal(await turn({ changes: { reader: broken as unknown as typeof parts.reader } }), 'later');
  const claimed = (await store.claim({ now: clock.now, leaseMs: 60_000 }))!;
  const lease = { jobId: made.jobId, fence: claimed.fence };
  const { chunks } = await reader.read({ path: made.uploadId }, 0, { signal: new AbortController().signal });
  await store.commit(lease, {
    ...{ chunks: chunks.map((one) => ({ ...one, text: `old ${one.text}` })), embedded: null, units: null, notes: [] },
    ...{ checkpoint: { version: 0, prepared: { path: 'old' }, next: 2 }, progress: 0.5, leaseMs: 60_000 },
  });
  await store.release(lease, false);
  assert.equal(await turn(), 'over');
  assert.deepEqual(await stored(), { texts: words(12), wrong: [] });
});

test('JobRun: duplicates are dropped, and stored chunks are not embedded again', async (t) => {
  const { add, turn, embedder, stored } = workshop(t);
  const again = Array.from({ length: 30 }, () => ['b 2', 'a 1', 'a 1']);
  await add([['a 1', 'a 1', 'b 2'], ['b 2', 'c 3'], ...again, ['d 4', 'c 3', 'd 4']], deduping);
  assert.equal(await turn(), 'over');
  assert.deepEqual(await stored(), { texts: ['a 1', 'b 2', 'c 3', 'd 4'], wrong: [] });
  // Duplicates in flight at the same time are embedded.
  assert.ok(embedder.asked.length < 30, `${embedder.asked.length} of 98 were embedded`);
});

test('JobRun: a full disk pauses the job, which resumes once there is space', async (t) => {
  const { add, turn, store, parts, stored, job, reader } = workshop(t);
  const made = await add(slices(6, 2));
  let commits = 0;
  const full = withMethods(parts.store, {
    commit: async (...args) => {
      commits += 1;
      if (commits === 3) throw new RuntimeError('unavailable', 'The disk is full.');
      return store.commit(...args);
    },
  });
  assert.equal(await turn({ changes: { store: full } }), 'later');
  const { status, error, processedChunks } = await job(made);
  assert.deepEqual([status, error, processedChunks], ['processing', null, 4]);
  for (let times = 0; times < 5; times++) {
    const never = withMethods(parts.store, {
      commit: async () => Promise.reject(new RuntimeError('unavailable', 'full')),
    });
    assert.equal(await turn({ changes: { store: never } }), 'later', 'it is never given up for that');
  }
  reader.slicesRead.length = 0;
  assert.equal(await turn(), 'over');
  assert.equal(reader.slicesRead[0], 2);
  assert.deepEqual(await stored(), { texts: words(12), wrong: [] });
});

test('JobRun: a refusal by the embedder fails the job with its message', async (t) => {
  const { add, turn, embedder, job, store } = workshop(t);
  const made = await add(slices(9, 2));
  embedder.meanwhile = async (texts) => {
    if (texts.includes('word 8')) throw new RuntimeError('upstream', 'test/fake made no vectors: It answered 400.');
  };
  assert.equal(await turn(), 'over');
  const { status, error, documentId } = await job(made);
  assert.deepEqual([status, error, documentId], ['failed', 'test/fake made no vectors: It answered 400.', null]);
  assert.equal((await store.findStore('one', 'manuals'))?.chunks, 0);
});

test("JobRun: vectors of other dimensions than the store's fail the job with a remedy", async (t) => {
  const { add, turn, job, parts } = workshop(t);
  await add([['word 1']]);
  assert.equal(await turn(), 'over');
  const made = await add([['word 2']]);
  const embedded = { vectors: Float32Array.of(1, 0, 0), dimensions: 3 };
  const of = () => ({ ...parts.embedders.of('test/fake')!, embed: async () => embedded });
  await turn({ changes: { embedders: { configured: 'x', of } as unknown as typeof parts.embedders } });
  const { status, error } = await job(made);
  assert.deepEqual(
    [status, error],
    [
      'failed',
      'test/fake made vectors of 3 dimensions for a store of 2. Use the model that the store was made with, or another store.',
    ],
  );
});

test('JobRun: a failed commit fails the job while the next vectors are awaited', async (t) => {
  const { add, turn, embedder, store, parts, job } = workshop(t);
  const made = await add(slices(3, 2));
  const refused = Promise.withResolvers<void>();
  const refusing = withMethods(parts.store, {
    commit: async (...[lease, batch]: Parameters<typeof store.commit>) => {
      if (batch.chunks[0]?.text === 'word 0') return store.commit(lease, batch);
      refused.resolve();
      throw new RuntimeError('upstream', 'These vectors are refused.');
    },
  });
  embedder.meanwhile = async (texts) => {
    if (texts[0] !== 'word 4') return;
    await refused.promise;
    // An unhandled rejection would end the process meanwhile.
    await sleep(10);
  };
  assert.equal(await turn({ changes: { store: refusing } }), 'over');
  const { status, error } = await job(made);
  assert.deepEqual([status, error], ['failed', 'These vectors are refused.']);
});

test('JobRun: a reader crash reaches the caller; the third fails the document', async (t) => {
  const { add, turn, job, store, clock } = workshop(t);
  const made = await add([...slices(4, 2), CRASH]);
  // The first attempt has stored something, so it does not count.
  for (let attempt = 0; attempt < 4; attempt++) {
    await assert.rejects(turn(), /out of memory/);
    const { status } = await job(made);
    assert.equal(status, 'processing');
    // As the ingestion does.
    await store.release({ jobId: made.jobId, fence: attempt + 1 }, true);
    clock.now += 1;
  }
  assert.equal(await turn(), 'over');
  const { status, error } = await job(made);
  assert.equal(status, 'failed');
  assert.match(
    error!,
    /^It was given up after 3 attempts: reading it behind the first 4 chunks ended the reader, or the server, each time\. Split/,
  );
});

test('JobRun: an aborted run releases the job at once without counting an attempt', async (t) => {
  const { add, turn, embedder, store, stored, clock } = workshop(t);
  await add(slices(9, 2));
  const leaving = new AbortController();
  embedder.meanwhile = async (texts, signal) => {
    if (!texts.includes('word 8')) return;
    leaving.abort();
    signal.throwIfAborted();
  };
  assert.equal(await turn({ signal: leaving.signal }), 'lost');
  const claimed = (await store.claim({ now: clock.now, leaseMs: 60_000 }))!;
  assert.equal(claimed.attempts, 1);
  await store.release({ jobId: claimed.job.jobId, fence: claimed.fence }, false);
  embedder.meanwhile = async () => undefined;
  assert.equal(await turn(), 'over');
  assert.deepEqual(await stored(), { texts: words(18), wrong: [] });
});

test('JobRun: a job cancelled during the run is left alone', async (t) => {
  const { add, turn, embedder, store, job } = workshop(t);
  const made = await add(slices(9, 2));
  embedder.meanwhile = async (texts) => {
    if (texts.includes('word 8')) await store.cancelJob('one', made.jobId, 'cancelled', 5);
  };
  assert.equal(await turn(), 'lost');
  assert.equal((await job(made)).error, 'cancelled');
});

test('JobRun: a document without text, or without a file, fails with a remedy', async (t) => {
  const { add, turn, job, reader } = workshop(t);
  const failure = async (format: DocumentFormat, removeUrls = false) => {
    const made = await add([[], []], { options: { format, hygiene: { ...HYGIENE, removeUrls } } });
    assert.equal(await turn(), 'over');
    const { status, error } = await job(made);
    assert.equal(status, 'failed');
    return error;
  };
  assert.equal(await failure('txt'), 'No extractable text was found in the file.');
  assert.match((await failure('pdf'))!, /^No extractable text was found in the file\. It may be scanned:.*OCR/);
  assert.match((await failure('docx'))!, /images alone\.$/);
  assert.match((await failure('csv', true))!, /What there was, the hygiene options have taken out\.$/);
  const made = await add([['x']]);
  reader.documents.clear();
  await turn();
  assert.match(
    (await job(made)).error!,
    /^The uploaded file is not there any more: a backup holds no files.*Upload it again\.$/,
  );
});

test('JobRun: dropping the store during a run ends it as lost, without an error', async (t) => {
  const { add, turn, store, clock, job } = workshop(t);
  const dropped = async (): Promise<string[]> => {
    await store.dropStore('one', 'manuals', clock.now);
    throw new Error('ENOENT: no such file or directory');
  };
  const made = await add([['first'], dropped]);
  assert.equal(await turn(), 'lost');
  assert.equal((await job(made)).status, 'failed');
});

test('JobRun: another node prepares its own copy and goes on where the first stopped', async (t) => {
  const { add, turn, embedder, reader, clock, stored, parts } = workshop(t);
  const document = slices(12, 2);
  const made = await add(document);
  const open = new Set<string>();
  const node = (path: string) => {
    reader.documents.set(path, document);
    return {
      ...parts.uploads,
      open: async () => {
        assert.equal(open.size, 0);
        open.add(path);
        return { path, close: async () => void open.delete(path) };
      },
    };
  };
  embedder.meanwhile = async () => {
    clock.now += 500;
  };
  await add([['theirs']], {}, 'two');
  assert.equal(await turn({ changes: { uploads: node('/one/copy-1/upload') } }), 'yielded');
  const before = reader.slicesRead.length;
  assert.deepEqual([reader.prepared, [...open]], [['/one/copy-1/upload'], []]);
  assert.equal(await turn(), 'over');
  reader.slicesRead.length = 0;
  assert.equal(await turn({ changes: { uploads: node('/two/copy-1/upload') } }), 'over');
  assert.deepEqual(reader.prepared.slice(-1), ['/two/copy-1/upload']);
  assert.equal(reader.slicesRead[0], before, 'it does not begin anew');
  assert.deepEqual([(await stored()).texts, [...open]], [words(24), []]);
  assert.equal(reader.documents.has(made.uploadId), true, 'the end of jobs removes it, not the run');
});

test('JobRun: a run closes its upload however it ends', async (t) => {
  const { add, turn, parts, store } = workshop(t);
  let open = 0;
  const uploads = {
    ...parts.uploads,
    open: async (id: string) => {
      open += 1;
      const close = async () => {
        open -= 1;
      };
      return { path: id, close };
    },
  };
  const made = await add([words(2), CRASH]);
  await assert.rejects(turn({ changes: { uploads } }), /out of memory/);
  await store.release({ jobId: made.jobId, fence: 1 }, true);
  const leaving = new AbortController();
  leaving.abort();
  assert.equal(await turn({ signal: leaving.signal, changes: { uploads } }), 'lost');
  assert.equal(open, 0);
});

test('JobRun: a job waits while uploads cannot be opened, and is never given up', async (t) => {
  const { add, turn, parts, job } = workshop(t);
  const made = await add(slices(2, 2));
  const away = {
    ...parts.uploads,
    open: async () => Promise.reject(new RuntimeError('unavailable', 'The storage of uploads fails.')),
  };
  for (let times = 0; times < 5; times++) assert.equal(await turn({ changes: { uploads: away } }), 'later');
  assert.equal((await job(made)).status, 'processing');
  assert.equal(await turn(), 'over');
  assert.equal((await job(made)).status, 'completed');
});
