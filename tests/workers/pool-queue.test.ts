import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import { readOptions } from './textual.ts';

const TASK_MS = 250;
const STAYS = new AbortController().signal;
/** The one thread takes some hundred milliseconds for them. */
const TEXTS = Array.from({ length: 400 }, (_, index) => `words of text ${index} `.repeat(100));

test('the time that a file may be read for begins when a thread is free for it', async (t) => {
  const { pool, path } = pools(t, TASK_MS);
  const options = { ...readOptions({}), format: 'txt' as const };
  const prepared = await pool.prepare(path, options, STAYS);
  const embed = () => pool.hashEmbedder('hash', 1_024).embed(TEXTS, 'document', STAYS);
  await embed();
  const begun = performance.now();
  await embed();
  const each = performance.now() - begun;
  const busy = Promise.all(Array.from({ length: Math.ceil((4 * TASK_MS) / each) }, embed));
  const { chunks } = await pool.read(prepared, null, options, STAYS);
  assert.ok(performance.now() - begun > TASK_MS, 'it had to wait for longer than it may take');
  assert.equal(chunks[0]!.text, 'hello');
  await busy;
});

test('who is aborted does not wait for a thread, and leaves it to others', async (t) => {
  const { pool, path } = pools(t, 60_000);
  const options = { ...readOptions({}), format: 'txt' as const };
  const controller = new AbortController();
  let isDone = false;
  const busy = pool
    .hashEmbedder('hash', 1_024)
    .embed(TEXTS, 'document', STAYS)
    .then(() => (isDone = true));
  const waiting = pool.prepare(path, options, controller.signal);
  controller.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  assert.ok(!isDone);
  await busy;
  await pool.prepare(path, options, STAYS);
});

function pools(t: TestContext, taskMs: number) {
  const pool = new WorkerPool({ threads: 1, taskMs });
  t.after(() => pool.close());
  const path = join(temporaryDirectory(t), 'upload');
  writeFileSync(path, 'hello');
  return { pool, path };
}
