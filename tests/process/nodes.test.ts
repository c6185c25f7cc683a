import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ConfigInput, describeSettings } from '../../src/config.ts';
import { temporaryDirectory } from '../support/app.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';
import { eventually, newDataDirectory, runProgram, startMcp, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const options = { skip: !hasNodes };

function environmentOf(settings: ConfigInput): Record<string, string> {
  const variables = new Map(describeSettings().map(({ name, variable }) => [name, variable]));
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [variables.get(name)!, String(value)]));
}

/** Commands of one place; each has a directory of its own unless it names one. */
async function commandsOf(t: TestContext) {
  const environment = environmentOf(await serverSettings(newPlace()));
  const run = async (args: string[], input = '') => {
    const dataDir = args.includes('--data-dir') ? [] : ['--data-dir', newDataDirectory(t)];
    return runProgram(t, [...args, ...dataDir], { environment, input });
  };
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stderr.replaceAll(/\r.*?\r/g, '')], [0, ''], `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await succeed(...args, '--json'));
  return { environment, run, succeed, json };
}

test('commands on nodes: state is shared, backups are refused before anything is made', options, async (t) => {
  const { run, json } = await commandsOf(t);
  const { key } = await json('keys', 'create', '--label', 'x', '--scopes', 'mcp:read');
  assert.match(key, /^\S{20,}$/);
  const directory = newDataDirectory(t);
  const target = join(temporaryDirectory(t), 'a.backup');
  for (const args of [
    ['backup', target],
    ['restore', target],
  ]) {
    const { code, stderr } = await run([...args, '--data-dir', directory]);
    assert.equal(code, 1);
    assert.match(stderr, /backed up with their own tools: see docs\/scale\.md/);
  }
  assert.deepEqual([existsSync(directory), existsSync(target)], [false, false]);
});

rareTest('commands on nodes: each works in a directory of its own, also without a server', options, async (t) => {
  const { environment, run, succeed, json } = await commandsOf(t);
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir, { environment });
  const firstRun = join(dataDir, 'first-run.txt');
  assert.match(readFileSync(firstRun, 'utf8'), /Full access key +\S+/);
  if (process.platform !== 'win32') assert.equal(statSync(firstRun).mode & 0o777, 0o600);

  const { id: acme } = await json('tenants', 'create', 'acme');
  assert.ok((await json('tenants', 'list')).tenants.some(({ id }: { id: string }) => id === acme));
  const { key, id: keyId } = await json('keys', 'create', '--tenant', 'acme', '--label', 'all', '--scopes', '*');
  assert.equal((await server.request(key, 'GET', '/api/v1/runtime/v1/observability/events/feed')).status, 200);
  await json('users', 'create', '--tenant', 'acme', '--email', 'a@example.com', '--name', 'Ada', '--no-password');
  assert.equal((await json('users', 'list', '--tenant', 'acme')).users.length, 1);
  await succeed('users', 'unlock', 'a@example.com');
  await succeed('tenants', 'quota', 'acme', '--requests-per-minute', '100000');
  const { tenant: usage } = await json('tenants', 'usage', 'acme');
  assert.equal(usage.quotas[0].limit, 100_000);

  const events = join(temporaryDirectory(t), 'events.ndjson');
  writeFileSync(
    events,
    ['a', 'b'].map((id) => `${JSON.stringify({ id, eventName: 'seen', threadId: 't-1' })}\n`).join(''),
  );
  assert.equal((await json('import', events, '--tenant', 'acme', '--agent', 'support')).accepted, 2);
  const feed = () => server.request(key, 'GET', '/api/v1/runtime/v1/observability/events/feed?eventName=seen');
  await eventually('both are visible', async () => (await feed()).body.events?.length === 2 || null, 20_000);

  const manual = join(temporaryDirectory(t), 'manual.txt');
  writeFileSync(manual, 'The pump stands in the northern hall.');
  await succeed('ingest', manual, '--store', 'manuals', '--tenant', 'acme');
  assert.match(await succeed('search', 'pump', '--store', 'manuals', '--tenant', 'acme'), /northern hall/);

  const mcp = await startMcp(t, newDataDirectory(t), key, { environment });
  assert.ok((await mcp.client.listTools()).tools.length > 0);
  await mcp.client.close();

  const doctor = JSON.parse((await run(['doctor', '--json', '--data-dir', dataDir])).stdout);
  const failed = doctor.findings.filter(({ status }: { status: string }) => status === 'failed');
  // The servers of tests do not wait for the disk.
  assert.deepEqual(
    failed.map(({ check }: { check: string }) => check),
    ['PostgreSQL durability'],
  );
  const checks = new Set(doctor.findings.map(({ check }: { check: string }) => check));
  for (const name of [
    'PostgreSQL tables',
    'ClickHouse parts',
    'events that wait',
    'bucket of uploads',
    'sealing keys',
  ]) {
    assert.ok(checks.has(name), name);
  }
  assert.ok(!checks.has('state database') && !checks.has('event database') && !checks.has('properties'));

  const erased = await json('erase', '--tenant', 'acme', '--thread', 't-1', '--yes');
  assert.equal(erased.erased.events, 2);
  await server.end('SIGTERM');
  await succeed('keys', 'revoke', keyId);
  assert.match(await succeed('audit', 'export', '--tenant', 'acme'), /"action":"key.revoked"/);
  assert.equal((await json('erase', '--tenant', 'acme', '--yes')).tenant, 'acme');
  assert.ok(!(await json('tenants', 'list')).tenants.some(({ id }: { id: string }) => id === acme));
});
