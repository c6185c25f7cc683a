import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { prepareLimit, WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import { readOptions } from '../text/textual.ts';
import { pdfWithoutText } from './formats/make-pdf.ts';

const TASK_MS = 250;
const STAYS = new AbortController().signal;
const TASK = { tenantId: 'one', options: { ...readOptions({}), format: 'txt' as const }, signal: STAYS };
const SLOW = { ...TASK, options: { ...TASK.options, format: 'pdf' as const } };
/** Occupies a thread for a minute without interruption. */
const SLOW_PDF = pdfWithoutText(5_000, 50_000);
/** A thread takes some hundred milliseconds for them. */
const TEXTS = Array.from({ length: 400 }, (_, index) => `words of text ${index} `.repeat(100));

test("WorkerPool: a task's time limit starts once it has a thread", async (t) => {
  const { pool, path } = pools(t, TASK_MS);
  const prepared = await pool.prepare(path, TASK);
  const embed = () => pool.hashEmbedder('hash', 1_024).embed(TEXTS, 'document', STAYS);
  await embed();
  const begun = performance.now();
  await embed();
  const each = performance.now() - begun;
  const busy = Promise.all(Array.from({ length: Math.ceil((8 * TASK_MS) / each) }, embed));
  const { chunks } = await pool.read(prepared, null, TASK);
  assert.ok(performance.now() - begun > TASK_MS, 'it had to wait for longer than it may take');
  assert.equal(chunks[0]!.text, 'hello');
  await busy;
});

test('WorkerPool: an aborted task leaves the queue', async (t) => {
  const { pool, path } = pools(t, 60_000);
  const controller = new AbortController();
  let isDone = false;
  const embed = () => pool.hashEmbedder('hash', 1_024).embed(TEXTS, 'document', STAYS);
  const busy = Promise.all([embed(), embed()]).then(() => (isDone = true));
  const waiting = pool.prepare(path, { ...TASK, signal: controller.signal });
  controller.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  assert.ok(!isDone);
  await busy;
  await pool.prepare(path, TASK);
});

test('WorkerPool: a tenant gets a thread while another has all that it may have', async (t) => {
  const { pool, path, slow } = pools(t, 60_000);
  const controller = new AbortController();
  const task = { ...SLOW, signal: controller.signal };
  let isDone = false;
  const preparing = [slow, slow].map((file) =>
    pool.prepare(file, task).then(
      () => (isDone = true),
      () => undefined,
    ),
  );
  await pool.prepare(path, { ...TASK, tenantId: 'two' });
  assert.ok(!isDone);
  controller.abort();
  await Promise.all(preparing);
});

test('WorkerPool: a document that takes too long to prepare for its size is refused', async (t) => {
  const { pool, path, slow } = pools(t, 60_000, (bytes) => (bytes < 10 ? 60_000 : 200));
  await assert.rejects(pool.prepare(slow, SLOW), {
    name: 'UnreadableDocument',
    message:
      'Reading it took longer than 0.2 seconds, which is what a file of its size may take. Split the file or convert it, and upload that.',
  });
  await pool.prepare(path, TASK);
});

test('prepareLimit: 30 seconds and 10 more for each megabyte, up to ten minutes', () => {
  assert.deepEqual([0, 5_400, 3e6, 57e6, 2e9].map(prepareLimit), [30_000, 30_054, 60_000, 600_000, 600_000]);
});

function pools(t: TestContext, taskMs: number, prepareMs = prepareLimit) {
  const pool = new WorkerPool({ threads: 1, taskMs, prepareMs });
  t.after(() => pool.close());
  const directory = temporaryDirectory(t);
  const [path, slow] = [join(directory, 'upload'), join(directory, 'slow')];
  writeFileSync(path, 'hello');
  writeFileSync(slow, SLOW_PDF);
  return { pool, path, slow };
}
