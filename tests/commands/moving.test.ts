import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand } from '../support/shell.ts';

test('export, import: what is meant otherwise is refused before anything is made', async (t) => {
  const [source, target, other] = [temporaryDirectory(t), join(temporaryDirectory(t), 'new'), temporaryDirectory(t)];
  const run = (...args: string[]) => runCommand([...args, '--data-dir', source]);
  assert.match((await run('export', target)).stderr, /There is no Agent Runtime data in/);
  assert.equal((await run('keys', 'create', '--label', 'first', '--scopes', 'mcp:read')).code, 0);
  writeFileSync(join(other, 'notes.txt'), 'Something else.');
  assert.match((await run('export', other)).stderr, /has other files\. Name an empty or a new directory/);
  assert.match((await run('export', source)).stderr, /is the source itself/);
  const options = ['--url', 'http://127.0.0.1:1', '--format', 'csv'];
  const refused = await runCommand(['import', source, ...options, '--data-dir', target]);
  assert.match(refused.stderr, /is a directory: it is imported whole.* Leave out --format, --url\./);
  assert.deepEqual([refused.code, existsSync(target)], [1, false]);
});

rareTest('export: it can be run again, also after the copy was copied', async (t) => {
  const [source, target, third] = Array.from({ length: 3 }, () => join(temporaryDirectory(t), 'data')) as [
    string,
    string,
    string,
  ];
  const copied = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(code, 0, stderr + stdout);
    return stdout;
  };
  await copied('keys', 'create', '--label', 'first', '--scopes', 'mcp:read', '--data-dir', source);
  assert.match(await copied('export', target, '--data-dir', source), /both are equal/);
  await copied('import', target, '--data-dir', third);
  assert.match(await copied('export', target, '--data-dir', source), /state: [\d,]+ rows/);
});
