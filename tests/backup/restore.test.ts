import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import type { BackupKeys } from '../../src/backup/authentication.ts';
import { FORMAT, MANIFEST_FILE, type Manifest } from '../../src/backup/manifest.ts';
import { fileSource } from '../../src/backup/places.ts';
import { type Restored, restore } from '../../src/backup/restore.ts';
import { seal, unseal } from '../../src/backup/sealing.ts';
import { eventsOf } from '../support/answers.ts';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { packApp } from '../support/backup.ts';
import { editedBackup } from '../support/backup-edit.ts';
import { rareTest } from '../support/rare.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();
let backup: Buffer | undefined;

/** A sound backup of 60 events, with a secret. */
async function soundBackup(t: TestContext): Promise<Buffer> {
  if (backup) return backup;
  const app = await sharedApp();
  await app.ingest(eventsOf('one', 60));
  backup = readFileSync(await packApp(t, app, { content: 'the secret', passphrase: 'right' }));
  return backup;
}

/** The backup with other content; its manifest follows unless the change is to it. */
async function changed(t: TestContext, change: Parameters<typeof editedBackup>[1]): Promise<Buffer> {
  return editedBackup(await soundBackup(t), change);
}

/** Restores over a directory that has something, which must be as it was after an error. */
async function restoring(
  t: TestContext,
  content: Buffer,
  { acceptUnauthenticated = true, ...given }: Partial<BackupKeys> & { acceptUnauthenticated?: boolean } = {},
): Promise<Restored> {
  const keys = { installation: null, ...given };
  const directory = temporaryDirectory(t);
  const [file, dataDir] = [join(directory, 'a.backup'), join(directory, 'data')];
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'state.sqlite'), 'as it was');
  writeFileSync(file, content);
  try {
    return await restore({
      source: fileSource(file),
      dataDir,
      keys,
      acceptUnauthenticated,
      now: 0,
      onProgress: () => undefined,
    });
  } catch (error) {
    assert.deepEqual(readdirSync(dataDir), ['state.sqlite'], String(error));
    assert.equal(readFileSync(join(dataDir, 'state.sqlite'), 'utf8'), 'as it was');
    throw error;
  }
}

test('restore: an intact backup is restored with its manifest', async (t) => {
  const restored = await restoring(t, await soundBackup(t));
  assert.equal(restored.manifest.events, 60);
  assert.equal(restored.secrets['secret.key'], 'left out');
  assert.match(restored.before ?? '', /before-restore-/);
});

test('restore: a file that is not a backup is refused as such', async (t) => {
  const none = /is not a backup of agent-runtime\.$/;
  const tar = Buffer.from(await packTar([{ header: { name: 'x', size: 1 }, body: 'x' }]));
  for (const content of [Buffer.from('some text'), gzipSync('some text'), gzipSync(tar), tar]) {
    await assert.rejects(restoring(t, content), none);
  }
  await assert.rejects(restoring(t, await changed(t, (files) => files.delete(MANIFEST_FILE))), none);
  const ofAnother = changed(t, (_files, manifest) => Object.assign(manifest.program, { name: 'another' }));
  await assert.rejects(restoring(t, await ofAnother), none);
});

test('restore: a truncated backup is refused, wherever it ends', async (t) => {
  const sound = await soundBackup(t);
  for (const share of [0, 0.001, 0.1, 0.5, 0.9, 0.999]) {
    await assert.rejects(restoring(t, sound.subarray(0, sound.length * share)), /is cut off/, String(share));
  }
  const entryLess = await changed(t, (files) => files.delete('spool.sqlite'));
  await assert.rejects(restoring(t, entryLess), /is cut off/);
  const tar = gunzipSync(sound);
  await assert.rejects(restoring(t, gzipSync(tar.subarray(0, tar.length / 2))), /is cut off/);
});

test('restore: a changed backup is refused with the reason', async (t) => {
  const spoiled = Buffer.from(await soundBackup(t));
  // More than a bit: compression has codes that nothing uses.
  const middle = Math.floor(spoiled.length / 2);
  spoiled.fill(0x55, middle, middle + 64);
  await assert.rejects(restoring(t, spoiled), /is damaged/);
  const tampered = await changed(t, (files) => {
    files.get('state.sqlite')![5_000]! ^= 1;
  });
  await assert.rejects(restoring(t, tampered), /is damaged: state\.sqlite is not what was packed/);
  const more = await changed(t, (files) => files.set('../state.sqlite', Buffer.from('x')));
  await assert.rejects(restoring(t, more), /is damaged: \.\.\/state\.sqlite/);
});

test('restore: databases are checked even when their hashes match', async (t) => {
  const withHash = (name: string, spoil: (content: Buffer) => Buffer) =>
    changed(t, (files, manifest) => {
      const content = spoil(files.get(name)!);
      files.set(name, content);
      const entry = manifest.entries.find((one) => one.name === name)!;
      Object.assign(entry, { size: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    });
  const broken = await withHash('state.sqlite', (content) =>
    Buffer.concat([content.subarray(0, 8_192), content.fill(7, 8_192).subarray(8_192)]),
  );
  await assert.rejects(restoring(t, broken), /holds a database that is not whole/);
  const short = await withHash('events.duckdb', (content) => content.subarray(0, 5_000));
  await assert.rejects(restoring(t, short), /holds a database that is not whole/);
  const fewer = await changed(t, (_files, manifest) => Object.assign(manifest, { events: 61 }));
  await assert.rejects(restoring(t, fewer), /holds 60 events where 61 were packed/);
});

test('restore: a backup of a newer program is refused with its version', async (t) => {
  const newer =
    /was made by a newer agent-runtime \(9\.9\.9\); this is \d+\.\d+\.\d+\. Restore it with that version\.$/;
  const changes: ((manifest: Manifest) => void)[] = [
    (manifest) => Object.assign(manifest, { format: FORMAT + 1, entries: 'in another shape' }),
    (manifest) => Object.assign(manifest.schema, { events: 99 }),
    (manifest) => Object.assign(manifest.schema, { state: '9999-future' }),
  ];
  for (const change of changes) {
    const content = await changed(t, (_files, manifest) => {
      manifest.program = { ...manifest.program, version: '9.9.9' };
      change(manifest);
    });
    await assert.rejects(restoring(t, content), newer);
  }
});

test('restore: a backup larger than the free space is refused before it is unpacked', async (t) => {
  const huge = await changed(t, (_files, manifest) => Object.assign(manifest.entries[0]!, { size: 2 ** 52 }));
  await assert.rejects(restoring(t, huge), /There is not enough room in .*: the backup needs 4,294,967,\d{3} MB/);
});

test('pack: erased data is not in the free pages of a backup', async (t) => {
  const app = await testApp(t);
  await app.ingest(eventsOf('ERASED-MARK', 2_000));
  assert.equal(await app.runtime.eventStore.erase(app.tenantId, {}), 2_000);
  const tar = gunzipSync(readFileSync(await packApp(t, app)));
  for (const { header, data } of await unpackTar(tar)) {
    if (!header.name.endsWith('.sqlite')) continue;
    assert.equal(Buffer.from(data ?? []).includes('ERASED-MARK'), false, header.name);
  }
});

rareTest('restore: a wrong passphrase changes nothing; the right one restores the secret', async (t) => {
  const sound = await soundBackup(t);
  await assert.rejects(restoring(t, sound, { passphrase: 'wrong' }), /was made with another passphrase, or changed/);
  const restored = await restoring(t, sound, { passphrase: 'right' });
  assert.equal(restored.secrets['secret.key'], 'restored');
});

rareTest('seal: the text does not show the secret and opens only with its passphrase', () => {
  const sealed = seal(Buffer.from('the secret'), 'Grüße');
  assert.doesNotMatch(sealed, /secret"/);
  assert.equal(unseal(sealed, 'Grüße'.normalize('NFD'))?.toString(), 'the secret');
  const parts = JSON.parse(sealed) as { data: string };
  const data = Buffer.from(parts.data, 'base64');
  data[0]! ^= 1;
  assert.equal(unseal(JSON.stringify({ ...parts, data: data.toString('base64') }), 'Grüße'), null);
});
