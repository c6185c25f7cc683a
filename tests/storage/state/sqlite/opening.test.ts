import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporaryDirectory } from '../../../support/app.ts';
import type { Opening } from './opening-thread.ts';

test('SQLite: threads that open the same new files at once all succeed', async (t) => {
  const threads = 3;
  const arrivals = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: Opening = { directory: temporaryDirectory(t), files: 12, threads, arrivals };
  const failures = await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Worker(new URL('./opening-thread.ts', import.meta.url), { workerData });
      const [reported] = await once(thread, 'message');
      await once(thread, 'exit');
      return reported as string[];
    }),
  );
  assert.deepEqual(failures.flat(), []);
});
