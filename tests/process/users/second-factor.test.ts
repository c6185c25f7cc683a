import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { generate } from 'otplib';
import { PORTAL } from '../../support/people.ts';
import { newDataDirectory, type Server, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';

const PASSWORD = 'correct horse battery staple';
const FACTORS = `${PORTAL}/me/second-factor`;
const EMAIL = 'ana@example.com';

const epoch = () => Math.floor(Date.now() / 1_000);

async function newUserWithApp(t: TestContext) {
  const dataDir = newDataDirectory(t);
  const create = ['users', 'create', '--email', EMAIL, '--name', 'Ana', '--data-dir', dataDir];
  assert.equal((await runCommand(create, { input: PASSWORD })).code, 0);
  const server = await startServer(t, dataDir);
  const { body } = await post(server, '/login', { email: EMAIL, password: PASSWORD });
  const headers = { authorization: `Bearer ${body.token}` };
  const begun = await server.request('', 'POST', `${FACTORS}/enrolment`, { method: 'code' }, headers);
  const { secret } = begun.body.totp;
  const code = await generate({ secret, epoch: epoch() });
  const confirmed = await server.request('', 'POST', `${FACTORS}/enrolment/confirm`, { code }, headers);
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { dataDir, server, secret, recoveryCodes: confirmed.body.recoveryCodes as string[], headers };
}

function post(server: Server, path: string, body: object) {
  return server.request('', 'POST', `${PORTAL}${path}`, body);
}

async function give(server: Server, proof: object) {
  const { body } = await post(server, '/login', { email: EMAIL, password: PASSWORD });
  return post(server, '/login/second-factor', { ticket: body.secondFactor.ticket, ...proof });
}

rareTest('second factor: what was accepted stays used after kill -9, tickets end', async (t) => {
  const { dataDir, server, secret, recoveryCodes } = await newUserWithApp(t);
  const code = await generate({ secret, epoch: epoch() + 30 });
  const waiting = (await post(server, '/login', { email: EMAIL, password: PASSWORD })).body.secondFactor;
  const used = [await give(server, { code }), await give(server, { recoveryCode: recoveryCodes[0] })];
  assert.deepEqual(
    used.map(({ status }) => status),
    [200, 200],
  );
  await server.end('SIGKILL');

  const next = await startServer(t, dataDir);
  const again = [await give(next, { code }), await give(next, { recoveryCode: recoveryCodes[0] })];
  assert.deepEqual(
    again.map(({ status }) => status),
    [422, 422],
  );
  const late = await post(next, '/login/second-factor', { ticket: waiting.ticket, recoveryCode: recoveryCodes[1] });
  assert.equal(late.status, 401);
  assert.equal((await give(next, { recoveryCode: recoveryCodes[1] })).status, 200);
});

rareTest('second factor: the operator resets it, requires it, and rotates its key', async (t) => {
  const { dataDir, server, secret, headers } = await newUserWithApp(t);
  const rotated = await runJson(dataDir, 'secrets', 'rotate');
  assert.deepEqual([rotated.resealed, rotated.unopened], [1, []]);
  const forgotten = await runJson(dataDir, 'secrets', 'rotate', '--forget-retired');
  assert.ok(forgotten.forgotten >= 1);
  assert.equal((await give(server, { code: await generate({ secret, epoch: epoch() + 30 }) })).status, 200);

  const required = await runCommand([
    'tenants',
    'set',
    'default',
    '--second-factor',
    'everyone',
    '--data-dir',
    dataDir,
  ]);
  assert.equal(required.stdout, 'default: everyone needs a second factor from their next login on. Sessions stay.\n');
  const wrong = await runCommand(['tenants', 'set', 'default', '--second-factor', 'all', '--data-dir', dataDir]);
  assert.match(wrong.stderr, /--second-factor: "all" is none of optional, administrators, everyone/);
  const me = () => server.request('', 'GET', `${PORTAL}/me`, undefined, headers);
  assert.equal((await me()).status, 200);

  const reset = await runCommand(['users', 'reset-second-factor', EMAIL, '--data-dir', dataDir]);
  assert.equal(
    reset.stdout,
    'USER Ana (ana@example.com) has no second factor any more. Sessions from before are void.\n',
  );
  assert.equal((await me()).status, 401);
  const { status, body } = await post(server, '/login', { email: EMAIL, password: PASSWORD });
  assert.deepEqual([status, body.secondFactor.enrol], [202, true]);
  const none = await runJson(dataDir, 'users', 'reset-second-factor', EMAIL);
  assert.deepEqual([none.removed, none.ended], [0, 0]);
});
