import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import { NO_HYGIENE } from '../support/upload-file.ts';

const GIGABYTE = 1024 ** 3;
const ROWS_AT_ONCE = 10_000;

function writeTable(path: string, bytes: number): number {
  const file = openSync(path, 'w');
  let written = writeSync(file, 'id,name,note\n');
  let rows = 0;
  while (written < bytes) {
    const text = Array.from({ length: ROWS_AT_ONCE }, () => {
      rows += 1;
      return `${rows},Customer ${rows},"Delivered on time, ""as agreed"""\n`;
    }).join('');
    written += writeSync(file, text);
  }
  closeSync(file);
  return rows;
}

test('CSV: 1 GB is read to its last row, each once, in constant memory', async (t) => {
  const path = join(temporaryDirectory(t), 'upload');
  const rows = writeTable(path, GIGABYTE);
  const pool = new WorkerPool({ threads: 1 });
  t.after(() => pool.close());
  const { signal } = new AbortController();
  const task = { tenantId: 'one', options: { format: 'csv' as const, hygiene: NO_HYGIENE }, signal };

  const before = process.memoryUsage.rss();
  let peak = before;
  let read = 0;
  const prepared = await pool.prepare(path, task);
  for (let from: unknown = null, isFirst = true; isFirst || from !== null; isFirst = false) {
    const { chunks, next } = await pool.read(prepared, from, task);
    for (const { place, text } of chunks) {
      read += 1;
      if (place.row !== read || !text.startsWith(`id: ${read}\n`)) assert.fail(`row ${place.row} came as row ${read}`);
    }
    from = next;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  assert.equal(read, rows);
  assert.ok(peak - before < 300e6, `${(peak - before) / 1e6} MB`);
});
