import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { unpackTar } from 'modern-tar';
import { type Encryption, encrypterFor, readIdentities } from '../../src/backup/encryption.ts';
import { MANIFEST_FILE } from '../../src/backup/manifest.ts';
import { fileSource } from '../../src/backup/places.ts';
import { restore } from '../../src/backup/restore.ts';
import { eventsOf } from '../support/answers.ts';
import { temporaryDirectory } from '../support/app.ts';
import { BACKUP_KEY, packApp } from '../support/backup.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();

const CHEAP = { passphrase: 'Grüße', workFactor: 10 };

async function packed(t: TestContext, encryption: Encryption): Promise<Buffer> {
  const app = await sharedApp();
  await app.ingest(eventsOf('SEEN-IN-CLEAR', 60));
  return readFileSync(await packApp(t, app, undefined, encryption));
}

async function restored(t: TestContext, content: Buffer, keys: { passphrase?: string; identities?: string[] }) {
  const directory = temporaryDirectory(t);
  const [file, dataDir] = [join(directory, 'a.backup'), join(directory, 'data')];
  mkdirSync(dataDir);
  writeFileSync(file, content);
  const all = { installation: BACKUP_KEY, ...keys };
  const options = {
    source: fileSource(file),
    dataDir,
    keys: all,
    acceptUnauthenticated: false,
    now: 0,
    onProgress: () => undefined,
  };
  try {
    return (await restore(options)).manifest.events;
  } catch (error) {
    assert.deepEqual(readdirSync(dataDir), []);
    throw error;
  }
}

test('Encrypted backup: it is a file of the age format around an ordinary backup', async (t) => {
  const costly = await encrypterFor({ passphrase: 'Grüße' }).encrypt('');
  assert.match(
    Buffer.from(costly).subarray(0, 60).toString('latin1'),
    /^age-encryption\.org\/v1\n-> scrypt [\w+/]+ 17\n/,
  );
  const content = await packed(t, CHEAP);
  const decrypter = new Decrypter();
  decrypter.addPassphrase('Grüße');
  const plain = await decrypter.decrypt(content);
  const [first] = await unpackTar(gunzipSync(plain));
  assert.equal(first?.header.name, MANIFEST_FILE);
});

test('Encrypted backup: its passphrase opens it, and no other one', async (t) => {
  const content = await packed(t, CHEAP);
  assert.ok((await restored(t, content, { passphrase: 'Grüße'.normalize('NFD') })) >= 60);
  const closed = /is encrypted, and does not open: give its passphrase/;
  await assert.rejects(restored(t, content, { passphrase: 'another' }), closed);
  await assert.rejects(restored(t, content, {}), closed);
});

test('Encrypted backup: the identity of any recipient opens it', async (t) => {
  const identities = await Promise.all([1, 2, 3].map(() => generateIdentity()));
  const recipients = await Promise.all(identities.slice(0, 2).map((identity) => identityToRecipient(identity)));
  const content = await packed(t, { recipients });
  for (const identity of identities.slice(0, 2)) {
    assert.ok((await restored(t, content, { identities: [identity] })) >= 60);
  }
  await assert.rejects(restored(t, content, { identities: identities.slice(2) }), /does not open/);
});

test('Encrypted backup: one that is cut off or changed is refused', async (t) => {
  const identity = await generateIdentity();
  const content = await packed(t, { recipients: [await identityToRecipient(identity)] });
  for (const share of [0.001, 0.3, 0.9, 0.999]) {
    const cut = content.subarray(0, content.length * share);
    await assert.rejects(restored(t, cut, { identities: [identity] }), /is (damaged|cut off)/, String(share));
  }
  const changed = Buffer.from(content);
  changed[Math.floor(content.length / 2)]! ^= 1;
  await assert.rejects(restored(t, changed, { identities: [identity] }), /is damaged/);
});

test('Encrypted backup: an invalid recipient or identity is refused by its option', async (t) => {
  assert.throws(() => encrypterFor({ recipients: ['age1xyz'] }), /--recipient: age1xyz is no recipient of age/);
  const file = join(temporaryDirectory(t), 'key.txt');
  for (const content of ['AGE-SECRET-KEY-1XYZ\n', '# nothing\n']) {
    writeFileSync(file, content);
    assert.throws(() => readIdentities(file), /^RuntimeError: --identity: .*key\.txt holds/);
  }
});
