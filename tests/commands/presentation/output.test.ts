import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import { BIN, cleanEnvironment } from '../../support/process.ts';

for (const args of [['--help'], ['--version'], ['ingest', '--help'], ['connectors', 'example']]) {
  test(`Closed pipe: ${args.join(' ')} ends without a message`, async () => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    assert.deepEqual(await once(child, 'close'), [141, null]);
    assert.equal(stderr, '');
  });
}

test('Output: a write that fails otherwise is an error', { skip: process.platform !== 'linux' }, async () => {
  const child = spawn(process.execPath, [BIN, '--help'], {
    env: cleanEnvironment(),
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.match(stderr, /^error: the output cannot be written: ENOSPC.*\n$/);
});
