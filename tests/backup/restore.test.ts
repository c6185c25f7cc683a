import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { packTar, unpackTar } from 'modern-tar';
import { FORMAT, MANIFEST_FILE, type Manifest } from '../../src/backup/manifest.ts';
import { backupSource } from '../../src/backup/places.ts';
import { type Restored, restoreBackup } from '../../src/backup/restore.ts';
import { encrypterFor, type OpeningKeys, readIdentities, type Sealing } from '../../src/backup/sealing.ts';
import { FIXED } from '../../src/config.ts';
import { deriveKey } from '../../src/core/base/sealing/secret-key.ts';
import { eventsOf } from '../support/answers.ts';
import { randomOf } from '../support/api-fuzz/random.ts';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { BACKUP_KEY, packApp, sealedContent } from '../support/backup.ts';
import { contentOf, editedBackup } from '../support/backup-edit.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();
let backup: Buffer | undefined;

const PASSPHRASE = { passphrase: 'Grüße', workFactor: 10 };
const UNFIT = /is damaged, changed or cut off/;

/** A sound backup of 60 events, with a secret. */
async function soundBackup(t: TestContext, sealing?: Sealing): Promise<Buffer> {
  const app = await sharedApp();
  if (!backup) {
    await app.ingest(eventsOf('one', 60));
    backup = readFileSync(await packApp(t, app, undefined, new Map([['secret.key', Buffer.from('the secret')]])));
  }
  return sealing ? sealedContent(await contentOf(backup), sealing) : backup;
}

/** The backup with other content; its manifest follows unless the change is to it. */
async function changed(t: TestContext, change: Parameters<typeof editedBackup>[1]): Promise<Buffer> {
  return editedBackup(await soundBackup(t), change);
}

/** Restores over a directory that has something, which must be as it was after an error. */
async function restoring(
  t: TestContext,
  content: Buffer,
  keys: OpeningKeys = { identities: [BACKUP_KEY] },
): Promise<Restored & { dataDir: string }> {
  const directory = temporaryDirectory(t);
  const [file, dataDir] = [join(directory, 'a.backup'), join(directory, 'data')];
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'state.sqlite'), 'as it was');
  writeFileSync(file, content);
  try {
    const restored = await restoreBackup({
      ...{ source: backupSource(file), dataDir, keys, now: 0 },
      onProgress: () => undefined,
    });
    return { ...restored, dataDir };
  } catch (error) {
    assert.deepEqual(readdirSync(dataDir), ['state.sqlite'], String(error));
    assert.equal(readFileSync(join(dataDir, 'state.sqlite'), 'utf8'), 'as it was');
    throw error;
  }
}

test('restore: an intact backup is restored with its manifest and secret', async (t) => {
  const { manifest, before, dataDir } = await restoring(t, await soundBackup(t));
  assert.equal(manifest.events, 60);
  assert.match(before ?? '', /before-restore-/);
  assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'the secret');
});

test('restore: a file that is not a backup is refused as such', async (t) => {
  const none = /is not a backup of agent-runtime\. Name another file\.$/;
  const tar = Buffer.from(await packTar([{ header: { name: 'x', size: 1 }, body: 'x' }]));
  for (const content of [
    Buffer.from(''),
    Buffer.from('some text'),
    gzipSync(tar),
    await sealedContent(gzipSync(tar)),
  ]) {
    await assert.rejects(restoring(t, content), none);
  }
  await assert.rejects(restoring(t, await changed(t, (files) => files.delete(MANIFEST_FILE))), none);
  const ofAnother = changed(t, (_files, manifest) => Object.assign(manifest.program, { name: 'another' }));
  await assert.rejects(restoring(t, await ofAnother), none);
  const more = await changed(t, (files) => files.set('../state.sqlite', Buffer.from('x')));
  await assert.rejects(restoring(t, more), none);
});

test('restore: a backup that was cut off or edited anywhere is refused', async (t) => {
  const sound = await soundBackup(t);
  for (const length of [sound.length - 1, sound.length - 100, sound.length * 0.9, sound.length / 2, 300]) {
    await assert.rejects(restoring(t, sound.subarray(0, length)), UNFIT, String(length));
  }
  await assert.rejects(restoring(t, Buffer.concat([sound, Buffer.from('x')])), UNFIT);
  const random = randomOf(44);
  const places = Array.from({ length: 50 }, () => random.below(sound.length));
  for (const at of [...places, 30, 100, sound.length - 1]) {
    const edited = Buffer.from(sound);
    edited[at]! ^= 1;
    await assert.rejects(restoring(t, edited), /changed or cut off|does not open|is not a backup/, String(at));
  }
  await assert.rejects(restoring(t, await changed(t, (files) => files.delete('spool.sqlite'))), UNFIT);
});

test('restore: its databases are checked', async (t) => {
  const withContent = (name: string, spoil: (content: Buffer) => Buffer) =>
    changed(t, (files, manifest) => {
      const content = spoil(files.get(name)!);
      files.set(name, content);
      Object.assign(manifest.entries.find((one) => one.name === name)!, { size: content.length });
    });
  const broken = await withContent('state.sqlite', (content) =>
    Buffer.concat([content.subarray(0, 8_192), content.fill(7, 8_192).subarray(8_192)]),
  );
  await assert.rejects(restoring(t, broken), /holds a database that is not whole/);
  const short = await withContent('events.duckdb', (content) => content.subarray(0, 5_000));
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
  const tar = gunzipSync(await contentOf(readFileSync(await packApp(t, app))));
  for (const { header, data } of await unpackTar(tar)) {
    if (!header.name.endsWith('.sqlite')) continue;
    assert.equal(Buffer.from(data ?? []).includes('ERASED-MARK'), false, header.name);
  }
});

test('Sealed backup: the key of its installation opens it, and no other one', async (t) => {
  const content = await soundBackup(t);
  const other = { passphrase: 'any', identities: [new Uint8Array(32).fill(8), await generateIdentity()] };
  const closed = /does not open with the keys that are here: set AGENT_RUNTIME_SECRET_KEY as .*--identity FILE/;
  await assert.rejects(restoring(t, content, other), closed);
  await assert.rejects(restoring(t, content, { identities: [] }), closed);
});

test('Sealed backup: its passphrase opens it, and no other one', async (t) => {
  const costly = await (await encrypterFor({ passphrase: 'Grüße', workFactor: FIXED.backupWork })).encrypt('');
  assert.match(
    Buffer.from(costly).subarray(0, 60).toString('latin1'),
    /^age-encryption\.org\/v1\n-> scrypt [\w+/]+ 17\n/,
  );
  const content = await soundBackup(t, PASSPHRASE);
  const decrypter = new Decrypter();
  decrypter.addPassphrase('Grüße');
  const [first] = await unpackTar(gunzipSync(await decrypter.decrypt(content)));
  assert.equal(first?.header.name, MANIFEST_FILE);
  const keys = { passphrase: 'Grüße'.normalize('NFD'), identities: [BACKUP_KEY] };
  assert.equal((await restoring(t, content, keys)).manifest.events, 60);
  const closed = /is sealed with a passphrase, and does not open with what was given/;
  for (const passphrase of ['another', undefined]) {
    await assert.rejects(restoring(t, content, { passphrase, identities: [BACKUP_KEY] }), closed);
  }
});

test('Sealed backup: the identity of any recipient opens it', async (t) => {
  const identities = await Promise.all([1, 2, 3].map(() => generateIdentity()));
  const recipients = await Promise.all(identities.slice(0, 2).map((identity) => identityToRecipient(identity)));
  const content = await soundBackup(t, { recipients });
  for (const identity of identities.slice(0, 2)) {
    assert.equal((await restoring(t, content, { identities: [BACKUP_KEY, identity] })).manifest.events, 60);
  }
  await assert.rejects(restoring(t, content, { identities: identities.slice(2) }), /does not open/);
});

test('readIdentities: identities of age or a secret.key; all else is refused', async (t) => {
  await assert.rejects(encrypterFor({ recipients: ['age1xyz'] }), /--recipient: age1xyz is not an age recipient/);
  const file = join(temporaryDirectory(t), 'key.txt');
  const [identity, secret] = [await generateIdentity(), 'a secret of an installation, long enough'];
  writeFileSync(file, `# a comment\n${identity}\n`);
  assert.deepEqual(readIdentities(file), [identity]);
  writeFileSync(file, `${secret}\n`);
  assert.deepEqual(readIdentities(file), [deriveKey(secret, 'backups')]);
  for (const content of ['AGE-SECRET-KEY-1XYZ\n', '# nothing\n', 'short\n', '']) {
    writeFileSync(file, content);
    assert.throws(() => readIdentities(file), /^RuntimeError: --identity: .*key\.txt holds/);
  }
});
