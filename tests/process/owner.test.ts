import assert from 'node:assert/strict';
import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/app.ts';
import { newDataDirectory, runProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const NOBODY = 65_534;

rareTest('Data directory: what commands of root make there belongs to its owner', async (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root can give files away');
  const [dataDir, work] = [newDataDirectory(t), temporaryDirectory(t)];
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY, NOBODY);
  const [events, page] = [join(work, 'events.ndjson'), join(work, 'page.md')];
  const [backup, passphrase] = [join(work, 'a.backup'), join(work, 'passphrase')];
  writeFileSync(events, '{"eventName":"imported"}\n');
  writeFileSync(page, '# Page\n\nText.\n');
  writeFileSync(passphrase, 'a long passphrase\n', { mode: 0o600 });
  for (const args of [
    ['keys', 'create', '--label', 'mine', '--scopes', 'mcp:read'],
    ['import', events],
    ['ingest', page, '--store', 'help'],
    ['backup', backup, '--passphrase-file', passphrase],
    ['restore', backup, '--passphrase-file', passphrase],
  ]) {
    const { code, stderr } = await runProgram(t, [...args, '--data-dir', dataDir]);
    assert.equal(code, 0, `${args[0]}: ${stderr}`);
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const ofOthers = files.filter((file) => statSync(join(dataDir, file)).uid !== NOBODY);
    assert.deepEqual(ofOthers, [], args[0]);
  }
});
