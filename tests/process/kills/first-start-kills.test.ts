import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS_FILE, INSTALLATION_FILE, SPOOL_FILE, STATE_FILE } from '../../../src/storage/installation/names.ts';
import { eventually, newDataDirectory, startProgram, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';

rareTest('First start: killed as each file appears, the next start succeeds', async (t) => {
  const dataDir = newDataDirectory(t);
  const moments = [INSTALLATION_FILE, STATE_FILE, `${STATE_FILE}-wal`, EVENTS_FILE, SPOOL_FILE];
  const files = ['owner.lock', ...moments];
  for (const file of files) {
    const { child, ended } = startProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
    const isOver = () => child.exitCode !== null;
    await eventually(`${file} is there`, async () => existsSync(join(dataDir, file)) || isOver(), 20_000);
    assert.equal(isOver(), false, `it starts after the kill before ${file}`);
    child.kill('SIGKILL');
    await ended;
  }
  const server = await startServer(t, dataDir);
  assert.match(readFileSync(join(dataDir, 'first-run.txt'), 'utf8'), /MCP read-only key +ar_/, 'keys that nobody saw');
  await server.end('SIGTERM');
  const { ok, findings } = await runJson(dataDir, 'doctor');
  assert.equal(ok, true, JSON.stringify(findings));
});
