import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BackupKeys, MAC_FILE } from '../../src/backup/authentication.ts';
import { fileSource } from '../../src/backup/places.ts';
import { restore } from '../../src/backup/restore.ts';
import { unpack } from '../../src/backup/unpack.ts';
import { temporaryDirectory } from '../support/app.ts';
import { BACKUP_KEY, packApp } from '../support/backup.ts';
import { editedBackup } from '../support/backup-edit.ts';
import { rareTest } from '../support/rare.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();
let backup: Buffer | undefined;

/** With a key for reading alone, and a passphrase. */
async function soundBackup(t: TestContext): Promise<Buffer> {
  if (backup) return backup;
  const app = await sharedApp();
  await app.newKey({ scopes: ['mcp:read'] });
  backup = readFileSync(await packApp(t, app, { content: 'the secret', passphrase: 'right' }));
  return backup;
}

/** A key that may read may do everything, and every hash in the manifest is right. */
async function editedScopes(t: TestContext): Promise<Buffer> {
  return editedBackup(await soundBackup(t), (files, manifest) => {
    const state = files.get('state.sqlite')!;
    const at = state.indexOf('["mcp:read"]');
    assert.ok(at > 0);
    state.write('["*"       ]', at);
    const entry = manifest.entries.find(({ name }) => name === 'state.sqlite')!;
    entry.sha256 = createHash('sha256').update(state).digest('hex');
  });
}

const NONE: BackupKeys = { installation: null };
const OF_INSTALLATION: BackupKeys = { installation: BACKUP_KEY };
const OF_ANOTHER: BackupKeys = { installation: new Uint8Array(32).fill(9) };
const PASSPHRASE: BackupKeys = { installation: null, passphrase: 'right' };

/** Restores over a directory that has something, which must be as it was after an error. */
async function restored(t: TestContext, content: Buffer, keys: BackupKeys, acceptUnauthenticated = false) {
  const directory = temporaryDirectory(t);
  const [file, dataDir] = [join(directory, 'a.backup'), join(directory, 'data')];
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'state.sqlite'), 'as it was');
  writeFileSync(file, content);
  const reading = { source: fileSource(file), keys, acceptUnauthenticated, onProgress: () => undefined };
  try {
    const { isAuthentic } = await restore({ ...reading, dataDir, now: 0 });
    return isAuthentic;
  } catch (error) {
    assert.deepEqual(readdirSync(dataDir), ['state.sqlite'], String(error));
    assert.equal(readFileSync(join(dataDir, 'state.sqlite'), 'utf8'), 'as it was');
    // What `doctor --backup` does says the same.
    const { message } = error as Error;
    await assert.rejects(unpack({ ...reading, directory: null }), { message });
    throw error;
  }
}

rareTest('Backup MAC: the key of the installation or the passphrase authenticates a backup', async (t) => {
  const sound = await soundBackup(t);
  for (const keys of [OF_INSTALLATION, PASSPHRASE, { ...OF_ANOTHER, passphrase: 'right' }]) {
    assert.equal(await restored(t, sound, keys), true);
  }
});

rareTest('Backup MAC: an edited backup is refused, though its hashes are right', async (t) => {
  const edited = await editedScopes(t);
  await assert.rejects(restored(t, edited, OF_INSTALLATION), /was changed after it was made/);
  await assert.rejects(restored(t, edited, OF_INSTALLATION, true), /was changed after it was made/);
  await assert.rejects(restored(t, edited, PASSPHRASE, true), /was made with another passphrase, or changed/);
});

rareTest('Backup MAC: without a key a backup is refused, unless that is accepted', async (t) => {
  const sound = await soundBackup(t);
  const refusal = /neither the secret .* AGENT_RUNTIME_SECRET_KEY .* --accept-unauthenticated takes it as it is\.$/;
  for (const keys of [NONE, OF_ANOTHER]) {
    await assert.rejects(restored(t, sound, keys), refusal);
    assert.equal(await restored(t, sound, keys, true), false);
  }
});

test('Backup MAC: a backup without one, or of another format, is refused', async (t) => {
  const cases: [edit: Parameters<typeof editedBackup>[1], refusal: RegExp][] = [
    [(files) => files.delete(MAC_FILE), /carries no MAC: it was changed/],
    [(_, manifest) => Object.assign(manifest, { format: 1 }), /was made by an older agent-runtime/],
    [(_, manifest) => Object.assign(manifest.schema, { events: 3 }), /was made by an older agent-runtime/],
    [(_, manifest) => Object.assign(manifest, { format: 3 }), /was made by a newer agent-runtime/],
  ];
  for (const [edit, refusal] of cases) {
    const content = await editedBackup(await soundBackup(t), edit);
    await assert.rejects(restored(t, content, OF_INSTALLATION, true), refusal);
  }
});
