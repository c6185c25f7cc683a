import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/agent-runtime.js', import.meta.url));

rareTest('Administration commands: creating a new workspace is announced once', (t) => {
  const home = temporaryDirectory(t);
  const dataDir = join(home, 'mistyped');
  const keys = () =>
    spawnSync(process.execPath, [PROGRAM, 'keys', 'list', '--json', '--data-dir', dataDir], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    });
  const first = keys();
  assert.equal(first.status, 0, first.stderr);
  assert.ok(first.stderr.includes(`There was no Agent Runtime data in ${dataDir}`), first.stderr);
  assert.deepEqual(JSON.parse(first.stdout), { keys: [] });
  assert.equal(keys().stderr, '');
});
