import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { reasonOf } from '../../src/portal/files.ts';

const run = (script: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);

test('Portal files: a build that fails is told with its reason', async () => {
  for (const [script, reason] of [
    ["await import('no-such-package')", /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'no-such-package'/],
    ["throw new TypeError('no entry.', { cause: new Error('why') })", /^TypeError: no entry$/],
    ['process.exit(3)', /^Command failed: /],
  ] as const) {
    await assert.rejects(run(script), (error: Error) => {
      assert.match(reasonOf(error), reason);
      return true;
    });
  }
});
