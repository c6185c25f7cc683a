import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findingsOfSealingKeys } from '../../../src/doctor/sealing-key.ts';
import { StoredKeyRing } from '../../../src/storage/installation/key-ring.ts';
import { temporaryDirectory, testApp } from '../../support/app.ts';
import { whileOpen } from '../../support/backup.ts';
import { openConnectors } from '../../support/connectors.ts';
import { applyConnector, call, petsAt, startApi } from '../../support/outside-api.ts';
import { newDataDirectory, runProgram } from '../../support/process.ts';
import { definition } from '../../support/providers.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';
import { activeKeyId, rotationSurvivesKills } from './rotation-kills.ts';

const SECRET = 'sk-this-is-the-secret';

rareTest('SealingRotation: killed at some points, it can be finished; all secrets open', async (t) => {
  await rotationSurvivesKills(t, 400, ['at its start', 'with its key on disk', 0.5]);
});

rareTest('secrets rotate: calls work during the rotation, and secret.key may be replaced', async (t) => {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir });
  const api = await startApi(t);
  const guarded = { auth: { type: 'bearer' }, credentials: ['main'] };
  const environments = { production: { baseUrl: `${api.url}/v1`, secret: { credential: 'main' } } };
  await applyConnector(app, petsAt(api.url, { ...guarded, environments }));
  await app.runtime.credentials.set(app.tenantId, { name: 'main', secret: SECRET, hosts: ['127.0.0.1'] }, null);
  await app.runtime.providers.apply(app.tenantId, definition({ apiKey: SECRET }));
  const before = await activeKeyId(dataDir);
  writeFileSync(join(dataDir, 'secret.key'), 'another secret of this installation', { mode: 0o600 });
  const rotating = runJson(dataDir, 'secrets', 'rotate');
  let ended = false;
  rotating.finally(() => {
    ended = true;
  });
  do {
    assert.equal((await call(app, { resource: 'getPet', data: { petId: 1 } })).status, 200);
  } while (!ended);
  const rotation = await rotating;
  assert.deepEqual({ ...rotation, keyId: '' }, { keyId: '', resealed: 2, unopened: [], retired: 1, forgotten: 0 });
  assert.notEqual(rotation.keyId, before);
  assert.equal((await call(app, { resource: 'getPet', data: { petId: 1 } })).status, 200);
  assert.equal(api.asked.at(-1)?.headers.authorization, `Bearer ${SECRET}`);
  const said = await findingsOfSealingKeys({ dataDir });
  assert.equal(said.length, 1);
  assert.match(said[0]!.message, /^\S+ \(retired, .*\) has sealed 0 secrets; \S+ \(active, .*\) has sealed 2 secrets$/);
});

rareTest('secrets rotate: a backup from before it still opens', async (t) => {
  const dataDir = newDataDirectory(t);
  const { state, credentials, tenantId } = await openConnectors(t, {}, dataDir);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: ['api.example.com'] }, null);
  await state.close();
  const file = join(temporaryDirectory(t), 'a.backup');
  await runJson(dataDir, 'backup', file);
  await runJson(dataDir, 'secrets', 'rotate');
  await runJson(dataDir, 'restore', file);
  const there = await openConnectors(t, {}, dataDir);
  assert.equal((await there.credentials.secretOf(tenantId, 'main')).secret, SECRET);
  await there.state.close();
  const elsewhere = newDataDirectory(t);
  await runJson(elsewhere, 'restore', file, '--identity', join(dataDir, 'secret.key'));
  for (const directory of [dataDir, elsewhere]) {
    const opened = await openConnectors(t, {}, directory);
    assert.equal((await opened.credentials.secretOf(tenantId, 'main')).secret, SECRET);
    await opened.state.close();
    assert.deepEqual((await runJson(directory, 'secrets', 'rotate')).unopened, []);
  }
});

test('secrets rotate: after a change of the secret key, the former one opens the ring', async (t) => {
  const dataDir = newDataDirectory(t);
  const [first, second] = ['the first secret key, which has gone', 'the second secret key, which is set now'];
  const { state, credentials, tenantId } = await openConnectors(t, { AGENT_RUNTIME_SECRET_KEY: first }, dataDir);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: ['api.example.com'] }, null);
  await state.close();
  const args = ['secrets', 'rotate', '--json', '--data-dir', dataDir];
  const environment = { AGENT_RUNTIME_SECRET_KEY: second };
  const without = await runProgram(t, args, { environment });
  assert.match(without.stderr, /another AGENT_RUNTIME_SECRET_KEY than this one.*--previous-key-file FILE/);
  const done = await runProgram(t, [...args, '--previous-key-file', '-'], { environment, input: `${first}\n` });
  assert.deepEqual([done.code, JSON.parse(done.stdout || '{}').unopened], [0, []], done.stderr);
  const there = await openConnectors(t, { AGENT_RUNTIME_SECRET_KEY: second }, dataDir);
  assert.equal((await there.credentials.secretOf(tenantId, 'main')).secret, SECRET);
  await there.state.close();
});

test('SealingRotation: the next server start finishes a rotation that was cut off', async (t) => {
  const dataDir = newDataDirectory(t);
  const { state, credentials, tenantId } = await openConnectors(t, {}, dataDir);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: ['api.example.com'] }, null);
  await state.close();
  await new StoredKeyRing({ dataDir }).rotate({ abandonLost: false });
  assert.match(
    (await findingsOfSealingKeys({ dataDir }))[1]!.message,
    /^1 secret still needs a retired key: a rotation was cut off/,
  );
  await whileOpen(dataDir, async () => undefined);
  assert.equal((await findingsOfSealingKeys({ dataDir })).length, 1);
});

test('secrets rotate: a ring that does not open is refused with the remedy', async (t) => {
  const dataDir = newDataDirectory(t);
  const environment = { AGENT_RUNTIME_SECRET_KEY: 'the first of two secrets of this test' };
  const { state, credentials, tenantId } = await openConnectors(t, environment, dataDir);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: ['api.example.com'] }, null);
  await state.close();
  const rotate = (...args: string[]) => runProgram(t, ['secrets', 'rotate', '--data-dir', dataDir, ...args]);
  const refused = await rotate();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^error: sealing-keys\.json is protected by another AGENT_RUNTIME_SECRET_KEY .*lost/);
  const abandoned = await rotate('--abandon-lost');
  assert.equal(abandoned.code, 1, 'there is something left to do');
  assert.match(
    abandoned.stdout,
    /Not sealed again: credential main .* another AGENT_RUNTIME_SECRET_KEY .*set it again\./,
  );
});
