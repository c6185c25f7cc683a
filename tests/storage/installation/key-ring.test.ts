import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { keyIdOf, open, openWith, seal } from '../../../src/core/base/sealing/sealing.ts';
import { deriveKey } from '../../../src/core/base/sealing/secret-key.ts';
import { StoredKeyRing } from '../../../src/storage/installation/key-ring.ts';
import { keyRingPath, mergedKeyRing } from '../../../src/storage/installation/key-ring-file.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { runProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const PLACE = ['credential', 'tenant', 'main'];
const [FIRST, SECOND] = ['the first of two secrets of this test', 'the second of two secrets of this test'];

function ringIn(t: TestContext, dataDir = temporaryDirectory(t)) {
  const opened = (settings: object = {}) => new StoredKeyRing({ dataDir, ...settings });
  return { dataDir, path: keyRingPath(dataDir), opened };
}

async function sealed(ring: StoredKeyRing, text = 'a secret'): Promise<string> {
  return seal(await ring.active(), text, PLACE);
}

const needing = (...ids: string[]) => ({ needed: async () => new Set(ids) });

test('KeyRing: the first key is created once, for its owner only', async (t) => {
  const { dataDir, path, opened } = ringIn(t);
  assert.equal(opened().read(), null);
  assert.deepEqual(readdirSync(dataDir), [], 'reading makes nothing');
  const keys = await Promise.all(Array.from({ length: 6 }, () => opened().active()));
  assert.equal(new Set(keys.map(keyIdOf)).size, 1);
  assert.equal(keys[0]!.length, 32);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(dataDir).sort(), ['sealing-keys.json', 'sealing-keys.json.lock'], 'no draft is left');
});

test('KeyRing: after a rotation every process opens what was sealed before', async (t) => {
  const { opened } = ringIn(t);
  const [one, other] = [opened(), opened()];
  const before = await sealed(one);
  assert.equal(openWith(other, before, PLACE), 'a secret');
  await one.rotate({ abandonLost: false });
  const after = await sealed(one);
  assert.notEqual(after.split('.')[1], before.split('.')[1]);
  for (const ring of [one, other, opened()]) {
    for (const text of [before, after]) assert.equal(openWith(ring, text, PLACE), 'a secret');
  }
  assert.equal(keyIdOf(await other.active()), after.split('.')[1], 'and it seals with the new key');
  assert.equal(one.retired(), 1);
});

test('KeyRing: AGENT_RUNTIME_SECRET_KEY wraps the keys', async (t) => {
  const { path, opened } = ringIn(t);
  const text = await sealed(opened({ secretKey: FIRST }));
  assert.match(readFileSync(path, 'utf8'), /"wrapped": "v1\./);
  const refusal = {
    code: 'unavailable',
    message: /another AGENT_RUNTIME_SECRET_KEY .* `secrets rotate --previous-key-file FILE`/,
  };
  for (const settings of [{}, { secretKey: SECOND }]) {
    const ring = opened(settings);
    assert.throws(() => openWith(ring, text, PLACE), { name: 'UnopenableSecret', reason: 'another key' });
    await assert.rejects(ring.active(), refusal);
    await assert.rejects(ring.rotate({ abandonLost: false }), refusal);
    assert.deepEqual(
      ring.read()?.map(({ opens }) => opens),
      [false],
    );
  }
  assert.equal(openWith(opened({ secretKey: FIRST }), text, PLACE), 'a secret');
});

test('KeyRing: the setting can be set, changed and unset with its former value', async (t) => {
  const { path, opened } = ringIn(t);
  const text = await sealed(opened());
  const steps = [{ secretKey: FIRST }, { secretKey: SECOND, previousSecretKey: FIRST }, { previousSecretKey: SECOND }];
  for (const settings of steps) {
    await opened(settings).settle();
    const { secretKey } = settings as { secretKey?: string };
    assert.equal(readFileSync(path, 'utf8').includes('wrapped'), secretKey !== undefined);
    assert.equal(openWith(opened({ secretKey }), text, PLACE), 'a secret');
  }
});

test('KeyRing: a missing ring is not recreated while stored secrets need it', async (t) => {
  const { dataDir, path, opened } = ringIn(t);
  const text = await sealed(opened());
  renameSync(path, `${path}.moved`);
  const ring = opened(needing(text.split('.')[1]!));
  const refusal = { code: 'unavailable', message: /^sealing-keys\.json is missing, .* Put it back, .*--abandon-lost/ };
  await assert.rejects(ring.active(), refusal);
  await assert.rejects(ring.rotate({ abandonLost: false }), refusal);
  await ring.settle();
  assert.ok(!readdirSync(dataDir).includes('sealing-keys.json'));
  assert.throws(() => openWith(ring, text, PLACE), { message: /^was sealed with another key than those in / });
  await ring.rotate({ abandonLost: true });
  assert.ok(openWith(ring, await sealed(ring), PLACE));
});

test('KeyRing: a retired key is removed only when no secret needs it', async (t) => {
  const { opened } = ringIn(t);
  let now = 0;
  const ring = opened({ now: () => now });
  const ids: string[] = [];
  for (let step = 1; step <= 4; step += 1) {
    now = step * 1_000;
    if (step > 1) await ring.rotate({ abandonLost: false });
    ids.push(keyIdOf(await ring.active()));
  }
  // Retired at 2,000, 3,000 and 4,000.
  assert.equal(await ring.forget({ retiredBefore: 4_000, needed: new Set([ids[0]!]) }), 1);
  assert.deepEqual(
    ring.read()?.map(({ id }) => id),
    [ids[0], ids[2], ids[3]],
  );
});

test('KeyRing: a restored ring adds its keys and removes none', async (t) => {
  const [backup, present] = [ringIn(t), ringIn(t)];
  const texts = [await sealed(backup.opened()), await sealed(present.opened())];
  const active = keyIdOf(await present.opened().active());
  writeFileSync(present.path, mergedKeyRing(readFileSync(backup.path, 'utf8'), present.dataDir));
  for (const text of texts) assert.equal(openWith(present.opened(), text, PLACE), 'a secret');
  assert.equal(keyIdOf(await present.opened().active()), active);
  writeFileSync(present.path, 'damaged');
  writeFileSync(present.path, mergedKeyRing(readFileSync(backup.path, 'utf8'), present.dataDir));
  assert.equal(openWith(present.opened(), texts[0]!, PLACE), 'a secret', 'in the place of a damaged one');
});

test('KeyRing: a damaged file is named with the remedy and unchanged', async (t) => {
  const { path, opened } = ringIn(t);
  await opened().active();
  const sound = readFileSync(path, 'utf8');
  const { keys } = JSON.parse(sound) as { keys: { id: string; key: string; retiredAt: string | null }[] };
  const changed = (change: object) => JSON.stringify({ version: 1, keys: [{ ...keys[0], ...change }] });
  const wrong = ['', 'x', '{}', sound.slice(0, -20), '{"version":1,"keys":[]}', changed({ id: 'AAAAAAAA' })];
  for (const text of [...wrong, changed({ key: 'A'.repeat(43) }), changed({ retiredAt: '2026-01-01T00:00:00.000Z' })]) {
    writeFileSync(path, text);
    const refusal = { name: 'UnusableFile', message: /sealing-keys\.json is not a key ring\. .*restore a backup/ };
    await assert.rejects(opened().active(), refusal, text);
    assert.throws(() => opened().read(), refusal, text);
    assert.equal(readFileSync(path, 'utf8'), text);
  }
  writeFileSync(path, '{"version":2}');
  assert.throws(() => opened().read(), /was written by a newer agent-runtime/);
});

rareTest('KeyRing: serve does not start on a damaged ring, and doctor names it', async (t) => {
  const { dataDir, path } = ringIn(t);
  writeFileSync(path, '{"version":1}', { mode: 0o600 });
  const serve = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
  assert.equal(serve.code, 78);
  assert.match(serve.stderr, /^error: .*sealing-keys\.json is not a key ring\..*\n$/);
  const doctor = await runProgram(t, ['doctor', '--data-dir', dataDir]);
  assert.match(doctor.stdout, /FAILED {3}sealing keys: .*sealing-keys\.json is not a key ring/);
});

test('KeyRing: neither errors nor listings contain a key', async (t) => {
  const { path, opened } = ringIn(t);
  const ring = opened();
  const key = Buffer.from(await ring.active()).toString('base64url');
  assert.ok(readFileSync(path, 'utf8').includes(key));
  assert.ok(!JSON.stringify(ring.read()).includes(key));
  const text = await sealed(ring);
  assert.throws(
    () => open(deriveKey(FIRST, 'backups'), text, PLACE),
    (error: Error) => !JSON.stringify([error, error.stack]).includes(key),
  );
});
