import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey, eventually, newDataDirectory, runProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

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
