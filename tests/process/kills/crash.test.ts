import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { accepts, eventually, newDataDirectory, ownerOf, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { drainsUnderLoad, survivesKills } from './crash-cycles.ts';

test('serve: a kill under load loses and duplicates no acknowledged event', { timeout: 60_000 }, async (t) => {
  await survivesKills(t, 1, 800);
});

rareTest('serve: SIGTERM under load exits 0 in time and loses no acknowledged event', async (t) => {
  const { code, stderr, drainMs } = await drainsUnderLoad(t);
  assert.equal(code, 0, stderr);
  // Only streams get ten seconds; these requests take a moment each. Docker, for one, kills after ten.
  assert.ok(drainMs < 5_000, `drained for ${drainMs.toFixed(0)} ms`);
});

rareTest('bin: under an older Node.js, a killed wrapper leaves no server behind', async (t) => {
  const node = olderNode();
  if (node === undefined) return;
  const dataDir = newDataDirectory(t);
  const wrapper = await startServer(t, dataDir, { node });
  const owner = await ownerOf(join(dataDir, 'runtime.sock'));
  assert.ok(owner && owner.pid !== wrapper.pid, 'the server is a process of its own');
  wrapper.child.kill('SIGKILL');
  await eventually('the server ends', async () => !(await accepts(wrapper.url)), 5_000).catch((error) => {
    process.kill(owner.pid, 'SIGKILL');
    throw error;
  });
  const next = await startServer(t, dataDir, { node });
  const { code } = await next.end('SIGTERM');
  assert.equal(code, 0, 'a wrapper passes SIGTERM on, and the exit code back');
});

function olderNode(): string | undefined {
  return ['/usr/local/bin/node', '/usr/bin/node'].find((path) => {
    try {
      const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
        .split('.')
        .map(Number);
      return major < 22 || (major === 22 && minor < 18);
    } catch {
      return false;
    }
  });
}
