import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isInHome, refuseTemporaryProgram, refuseUnreachable } from '../../../src/commands/service/systemd.ts';
import { temporaryDirectory } from '../../support/app.ts';

test('Service: a program in a temporary directory or the cache of npx is refused', () => {
  const refused = ['/tmp/agent-runtime', '/dev/shm/x/y', '/own/tmp/x', '/home/ada/.npm/_npx/1a2b/node_modules/x.js'];
  for (const path of refused) {
    assert.throws(() => refuseTemporaryProgram(['/usr/bin/node', path], '/own/tmp'), /will not stay there/, path);
  }
  refuseTemporaryProgram(['/usr/bin/node', '/opt/tmp/agent-runtime', '/tmpfs/x', '/own/tmpx'], '/own/tmp');
  assert.deepEqual(['/home/ada/x', '/root', '/homes/x', '/srv/home'].map(isInHome), [true, true, false, false]);
});

test('Service: a program that its user cannot reach is refused', { skip: process.platform === 'win32' }, (t) => {
  const directory = join(temporaryDirectory(t), 'closed');
  mkdirSync(directory);
  chmodSync(directory, 0o700);
  const program = join(directory, 'agent-runtime');
  assert.throws(() => refuseUnreachable(program, null), { code: 'invalid', message: /could not enter .*closed\./ });
});
