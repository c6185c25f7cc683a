import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { PortalFiles, reasonOf } from '../../src/portal/files.ts';

const run = (script: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);

test('Portal files: a failed build is reported with its reason', async () => {
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

test('Portal files: a failed build is not repeated for some seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let builds = 0;
  const files = new PortalFiles(async () => {
    builds += 1;
    if (builds === 1) throw new Error('no space left');
    return new Map();
  });
  await assert.rejects(files.find('index.html'), /no space left/);
  await assert.rejects(files.find('index.html'), /no space left/);
  t.mock.timers.tick(10_000);
  assert.equal(await files.find('index.html'), null);
  assert.equal(builds, 2);
});
