import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { clientTypes, committedTypes } from '../../packaging/client/generate.ts';
import { temporaryDirectory } from '../support/app.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

test('clients/typescript/api.d.ts: is generated from the current API', async () => {
  const isSame = (await clientTypes()) === committedTypes();
  assert.ok(isSame, 'the API has changed: run `npm run client` and commit clients/typescript');
});

test('clients/typescript/lib: is compiled from the current sources', async (t) => {
  const compiled = temporaryDirectory(t);
  await promisify(execFile)(process.execPath, [TSC, '-p', CLIENT, '--outDir', compiled]);
  const committed = join(CLIENT, 'lib');
  assert.deepEqual(readdirSync(committed).sort(), readdirSync(compiled).sort());
  for (const name of readdirSync(compiled)) {
    const isSame = readFileSync(join(compiled, name), 'utf8') === readFileSync(join(committed, name), 'utf8');
    assert.ok(isSame, `${name}: the sources have changed: run \`npm run client\` and commit clients/typescript`);
  }
});
