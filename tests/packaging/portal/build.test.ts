import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { filesIn } from '../../../packaging/binary/files.ts';
import { BUILD, ROOT } from '../../../packaging/paths.ts';
import { buildPortal } from '../../../packaging/portal/portal.ts';
import { buildReference } from '../../../packaging/portal/reference.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { rareTest } from '../../support/rare.ts';

const SCRIPT = join(ROOT, 'packaging/portal/build.ts');
const LOCK = join(BUILD, 'portal-build.lock');
const HOLDER = `
  import { FileLock } from '${pathToFileURL(join(ROOT, 'src/storage/state/sqlite/lock.ts'))}';
  await new FileLock(process.argv[1]).acquire(120_000);
  console.log('held');
  setInterval(() => undefined, 1000);
`;

test('Portal build: an interrupted build blocks no other, and its files go', { timeout: 60_000 }, async () => {
  const leftover = join(BUILD, 'portal-0');
  mkdirSync(join(leftover, 'assets'), { recursive: true });
  const interrupted = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, LOCK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(interrupted.stdout, 'data');
  const building = promisify(execFile)(process.execPath, [SCRIPT, 'portal']);
  interrupted.kill('SIGKILL');
  await building;
  assert.equal(existsSync(leftover), false);
  assert.ok(existsSync(join(BUILD, 'portal/index.html')));
});

rareTest('Portal build: two builds of each part are equal, byte for byte', async (t) => {
  for (const build of [buildPortal, buildReference]) {
    const [one, other] = [join(temporaryDirectory(t), 'one'), join(temporaryDirectory(t), 'other')];
    assert.deepEqual(await build(one), await build(other));
    assert.deepEqual(filesIn(one), filesIn(other));
    for (const file of filesIn(one))
      assert.ok(readFileSync(join(one, file)).equals(readFileSync(join(other, file))), file);
  }
});
