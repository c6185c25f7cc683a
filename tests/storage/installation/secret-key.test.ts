import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { deriveKey, type SecretUse } from '../../../src/core/base/sealing/secret-key.ts';
import { InstallationSecret } from '../../../src/storage/installation/secret-key.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { runProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const USE: SecretUse = 'portal tokens';
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');

test('InstallationSecret: created on first use, for its owner only, and permanent', (t) => {
  const dataDir = temporaryDirectory(t);
  const secret = new InstallationSecret({ dataDir });
  secret.check();
  assert.equal(secret.existingKeyFor(USE), null);
  assert.deepEqual(readdirSync(dataDir), [], 'a look makes nothing');
  const key = secret.keyFor(USE);
  assert.equal(hex(secret.existingKeyFor(USE)!), hex(key));
  assert.equal(key.length, 32);
  assert.deepEqual(readdirSync(dataDir), ['secret.key'], 'no draft is left');
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  assert.equal(hex(new InstallationSecret({ dataDir }).keyFor(USE)), hex(key));
  const elsewhere = new InstallationSecret({ dataDir: temporaryDirectory(t) });
  assert.notEqual(hex(elsewhere.keyFor(USE)), hex(key));
});

test('InstallationSecret: of concurrent processes one creates it and all share it', async (t) => {
  const dataDir = temporaryDirectory(t);
  const script = `
    import { InstallationSecret } from ${JSON.stringify(new URL('../../../src/storage/installation/secret-key.ts', import.meta.url).href)};
    const key = new InstallationSecret({ dataDir: process.argv[1] }).keyFor('portal tokens');
    console.log(Buffer.from(key).toString('hex'));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataDir]);
  const keys = (await Promise.all(Array.from({ length: 6 }, run))).map(({ stdout }) => stdout.trim());
  assert.match(keys[0]!, /^[0-9a-f]{64}$/);
  assert.deepEqual(new Set(keys).size, 1);
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
});

test("InstallationSecret: the file's content works as the setting, which comes first", (t) => {
  const dataDir = temporaryDirectory(t);
  const key = new InstallationSecret({ dataDir }).keyFor(USE);
  const secretKey = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
  assert.equal(hex(new InstallationSecret({ dataDir: temporaryDirectory(t), secretKey }).keyFor(USE)), hex(key));
  const other = new InstallationSecret({ dataDir, secretKey: 'x'.repeat(32) });
  assert.notEqual(hex(other.keyFor(USE)), hex(key));
});

test('InstallationSecret: each use has its own key', () => {
  const secret = 'x'.repeat(43);
  assert.notEqual(hex(deriveKey(secret, USE)), hex(deriveKey(secret, 'backups')));
  assert.notEqual(hex(deriveKey(secret, USE)), hex(deriveKey(`${secret}x`, USE)));
});

test('InstallationSecret: an invalid file is reported with the remedy and unchanged', (t) => {
  for (const content of ['', 'short', `${'a'.repeat(40)}\n${'b'.repeat(40)}`, '\0'.repeat(64)]) {
    const dataDir = temporaryDirectory(t);
    writeFileSync(join(dataDir, 'secret.key'), content);
    const secret = new InstallationSecret({ dataDir });
    for (const use of [() => secret.check(), () => secret.keyFor(USE)]) {
      assert.throws(use, { name: 'UnusableFile', message: /secret\.key is not one line of 32 .* Put back your copy/ });
    }
    assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), content);
  }
  const dataDir = temporaryDirectory(t);
  mkdirSync(join(dataDir, 'secret.key'));
  assert.throws(() => new InstallationSecret({ dataDir }).check(), /secret\.key is not a file/);
});

test('InstallationSecret: in a read-only directory the error names the setting', (t) => {
  const dataDir = join(temporaryDirectory(t), 'not', 'there');
  assert.throws(
    () => new InstallationSecret({ dataDir }).keyFor(USE),
    /cannot be made: .*Set AGENT_RUNTIME_SECRET_KEY/,
  );
});

rareTest('InstallationSecret: serve and doctor report a damaged file without quoting it', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'secret.key'), 'short', { mode: 0o600 });
  const serve = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
  assert.equal(serve.code, 78);
  assert.match(serve.stderr, /^error: .*secret\.key is not one line of 32 or more characters\..*\n$/);
  const doctor = await runProgram(t, ['doctor', '--data-dir', dataDir]);
  assert.match(doctor.stdout, /FAILED {3}secret key: .*secret\.key/);
  const environment = { AGENT_RUNTIME_SECRET_KEY: 'short-and-secret' };
  const setting = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir], { environment });
  assert.match(setting.stderr, /AGENT_RUNTIME_SECRET_KEY\): what it is set to is not possible\. It must have at least/);
  assert.doesNotMatch(setting.stderr, /short-and-secret/);
});
