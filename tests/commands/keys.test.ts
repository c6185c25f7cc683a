import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { newPerson, PORTAL } from '../support/people.ts';
import { createKey, eventually, newDataDirectory, runProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

test('keys revoke --user: keys of a user are void at once in the serving process', async (t) => {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir });
  const person = await newPerson(app, { role: 'USER' });
  const { body } = await person.request('POST', `${PORTAL}/keys`, { label: 'theirs', scopes: ['events:read'] });
  const run = (...args: string[]) => runCommand(['keys', 'revoke', ...args, '--data-dir', dataDir]);
  assert.match((await run()).stderr, /^error: id, --user: give the id of a key, or --user/);
  assert.match((await run(body.id, '--user', person.user.email)).stderr, /^error: id, --user: give/);
  assert.match((await run('--user', 'nobody@example.com')).stderr, /^error: There is no user with the id or e-mail/);
  assert.ok(await app.runtime.keyAuthenticator.authenticate(body.key));
  const { userId, email, revoked } = await runJson(dataDir, 'keys', 'revoke', '--user', person.user.email);
  assert.deepEqual([userId, email], [person.user.id, person.user.email]);
  assert.deepEqual(
    revoked.map(({ id }: { id: string }) => id),
    [body.id],
  );
  await assert.rejects(app.runtime.keyAuthenticator.authenticate(body.key), {
    message: 'The API key has been revoked.',
  });
  const again = await run('--user', person.user.id, '--tenant', 'default');
  assert.equal(again.stdout, `${email} has no valid key any more, and can still log in and make new ones.\n`);
});

test('keys create: --expires takes a duration or never', async (t) => {
  const dataDir = temporaryDirectory(t);
  const create = (...args: string[]) =>
    runJson(dataDir, 'keys', 'create', '--label', 'x', '--scopes', 'mcp:read', ...args);
  assert.equal((await create()).expiresAt, null);
  assert.equal((await create('--expires', 'never')).expiresAt, null);
  assert.ok(Date.parse((await create('--expires', '2h')).expiresAt) > Date.now());
  const refused = await runCommand([
    'keys',
    'create',
    '--label',
    'x',
    '--scopes',
    '*',
    '--expires',
    'soon',
    '--data-dir',
    dataDir,
  ]);
  assert.equal(
    refused.stderr,
    'error: --expires: "soon" is neither a duration such as 30m, 12h, 90d, 4w or 1y nor never\n',
  );
});

test('keys rotate --overlap: the old secret works, too, for at most seven days', async (t) => {
  const dataDir = temporaryDirectory(t);
  const { runtime, key } = await testApp(t, { dataDir });
  const { credential } = await runtime.keyAuthenticator.authenticate(key);
  const run = (...args: string[]) => runCommand(['keys', 'rotate', credential.id, ...args, '--data-dir', dataDir]);
  for (const overlap of ['8d', 'soon', '-1']) {
    const message = `error: --overlap: "${overlap}" is not a duration of at most 7d, such as 30m, 12h or 7d\n`;
    assert.equal((await run(`--overlap=${overlap}`)).stderr, message);
  }
  const { stdout } = await run('--overlap', '1d');
  assert.match(stdout, /^ar_.*\n[\s\S]*The old secret works until \d{4}-.*Z\.\n/);
  const [rotated] = stdout.split('\n');
  for (const one of [key, rotated!]) assert.equal((await runtime.keyAuthenticator.authenticate(one)).label, 'test');
  assert.doesNotMatch((await run()).stdout, /old secret/);
  await assert.rejects(runtime.keyAuthenticator.authenticate(key));
});

const USAGE = '/api/v1/runtime/v1/usage';

test('tenants quota, keys quota: set, remove and show quotas; wrong values are refused', async (t) => {
  const dataDir = newDataDirectory(t);
  const { id } = await createKey(dataDir);
  const run = (...args: string[]) => runCommand([...args, '--data-dir', dataDir]);
  const set = await run('tenants', 'quota', 'default', '--events', '1000', '--cost-per-day', '2.50');
  assert.equal(
    set.stdout,
    `QUOTA         LIMIT\nevents         1000  events\ncost-per-day    2.5  USD\n\nA server that runs on ${dataDir} uses this within a second.\n`,
  );
  const { quotas } = await runJson(dataDir, 'tenants', 'quota', 'default', '--events', 'none', '--documents', '5');
  assert.deepEqual(quotas, { documents: 5, 'cost-per-day': 2.5 });
  const ofKey = await runJson(dataDir, 'keys', 'quota', id, '--tokens-per-day', '7', '--requests-per-minute', '60');
  assert.deepEqual(ofKey.quotas, { 'requests-per-minute': 60, 'tokens-per-day': 7 });

  const [word, part, zero, events] = await Promise.all([
    run('tenants', 'quota', 'default', '--events', 'many'),
    run('tenants', 'quota', 'default', '--tokens-per-day', '1.5'),
    run('keys', 'quota', id, '--requests-per-minute', '0'),
    run('keys', 'quota', id, '--events', '1'),
  ]);
  assert.match(word.stderr, /--events: "many" is neither a number such as 100000 nor none/);
  assert.match(part.stderr, /tokens-per-day: must be a whole number/);
  assert.match(zero.stderr, /requests-per-minute: must be at least 1/);
  assert.match(events.stderr, /unknown option '--events'/);
  assert.deepEqual(
    [word, part, zero, events].map(({ code }) => code === 0),
    [false, false, false, false],
  );

  const usage = await runJson(dataDir, 'tenants', 'usage', 'default');
  assert.deepEqual(
    usage.tenant.quotas.map(({ quota, used }: { quota: string; used: number }) => [quota, used]),
    [
      ['documents', 0],
      ['cost-per-day', 0],
    ],
  );
  assert.deepEqual([usage.keys[0].id, usage.keys[0].quotas.length], [id, 2]);
  const { stdout } = await run('tenants', 'usage', 'default');
  assert.match(
    stdout,
    /^TENANT OR KEY +QUOTA +LIMIT +USED +RESERVED +REMAINING +UNTIL\ndefault +documents +5 +0 +0 +5 +-\n/,
  );
});

rareTest('tenants quota: a running server applies it within a second; import reports it', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  assert.deepEqual((await server.request(key, 'GET', USAGE)).body.tenant.quotas, []);
  await runJson(dataDir, 'tenants', 'quota', 'default', '--events', '10');
  await eventually(
    'the server knows of it',
    async () => (await server.request(key, 'GET', USAGE)).body.tenant.quotas.length === 1,
    1_000,
  );
  const input = Array.from({ length: 11 }, () => '{"eventName":"bought"}').join('\n');
  const environment = { AGENT_RUNTIME_API_KEY: key };
  const ending = await runProgram(t, ['import', '-', '--data-dir', dataDir], { input, environment });
  assert.notEqual(ending.code, 0);
  assert.match(ending.stderr, /The server refused a batch: 429 The quota events of the tenant/);
  const { body } = await server.request(key, 'GET', USAGE);
  assert.equal(body.tenant.quotas[0].used, 0);
});
