import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from './app.ts';

const TESTS = `
  import { test } from 'node:test';
  test('Sum: adds', () => undefined);
  test('Sum: waits', { skip: 'no clock' }, () => undefined);
  test('Sum: groups', (t) => t.test('Sum: carries', () => { throw new Error('9 is not 10'); }));
`;

/** Tests cannot be run within a test, so another process runs them. */
const RUN = `
  import { run } from 'node:test';
  import { appendSummary } from '${new URL('./summary.ts', import.meta.url)}';
  const [file, page] = process.argv.slice(2);
  const stream = run({ files: [file] });
  appendSummary(stream, 'test sum', page);
  stream.resume();
`;

test('Summary: names each failed and skipped test once, with error and reason', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'sum.test.mjs');
  const page = join(directory, 'page.md');
  await writeFile(file, TESTS);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await writeFile(join(directory, 'run.mjs'), RUN);
  execFileSync(process.execPath, [join(directory, 'run.mjs'), file, page], { env });
  const text = await readFile(page, 'utf8');
  assert.match(text, /^## test sum: 1 failed\n\n4 tests in 0\.0 minutes, 1 passed, 1 skipped\.\n\n### Sum: carries\n/);
  assert.match(text, /Error: 9 is not 10/);
  assert.match(text, /### Skipped\n\n- Sum: waits: no clock\n/);
  assert.match(text, /### Slowest\n\n- \d+\.\d s: Sum: adds\n/);
});
