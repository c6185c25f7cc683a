import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { answersOf, type Endpoint, eventsOf, fill, request } from '../support/answers.ts';
import { EVENTS, type TestApp, testApp } from '../support/app.ts';
import { whileOpen } from '../support/backup.ts';
import { ingested } from '../support/knowledge.ts';
import { newDataDirectory, runProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

async function twoTenants(t: TestContext): Promise<{ dataDir: string; keys: [string, string] }> {
  const dataDir = newDataDirectory(t);
  const keys = await whileOpen(dataDir, async (app) => {
    await app.runtime.tenants.create({ name: 'other' });
    const both: [string, string] = [await app.newKey(), await app.newKey({ tenant: 'other' })];
    for (const [index, key] of both.entries()) await fill({ url: app.url, key }, `who ${index}`);
    return both;
  });
  return { dataDir, keys };
}

const total = async (endpoint: Endpoint) => (await request(endpoint, 'GET', `${EVENTS}/feed?limit=1`)).body.total;
const send = async (endpoint: Endpoint, events: object[]) => (await request(endpoint, 'POST', EVENTS, { events })).body;

rareTest('erase: on a serving directory the tenant is gone at once, and nothing else', async (t) => {
  const { dataDir, keys } = await twoTenants(t);
  const { url } = await startServer(t, dataDir);
  const [kept, other] = keys.map((key) => ({ url, key })) as [Endpoint, Endpoint];
  const before = await answersOf(kept);

  const thread = ['erase', '--tenant', 'other', '--thread', 'thread 3', '--yes', '--data-dir', dataDir];
  const { stdout } = await runProgram(t, thread);
  assert.match(stdout, /^Erased thread thread 3 of the tenant other: 3 reviews, 12 events, 2 executions\.\n/);
  assert.match(
    stdout,
    /written over or given back in time: until then old bytes may remain there\.\nBackups made before still hold it\.\n/,
  );
  assert.equal(await total(other), 108);
  const { accepted, duplicates } = await send(other, eventsOf('who 1'));
  assert.deepEqual([accepted, duplicates], [12, 108], 'ids that were erased are new again');
  assert.deepEqual(await answersOf(kept), before);

  await ingested(other, { name: 'help.md', content: 'A refund takes five days.' });
  const erased = await runJson(dataDir, 'erase', '--tenant', 'other', '--yes');
  assert.deepEqual([erased.tenant, erased.threadId], ['other', null]);
  const { events, ...rest } = erased.erased;
  // The end of the ingestion is an event, which follows it.
  assert.ok(events === 120 || events === 121, `${events} events`);
  assert.deepEqual(rest, {
    ...{ reviews: 3, executions: 3, dashboardCards: 8, dashboardTabs: 2, agents: 2, users: 0, apiKeys: 1 },
    ...{
      providers: 0,
      connectors: 0,
      credentials: 0,
      deliveries: 0,
      metrics: 0,
      terms: 0,
      annotations: 0,
      alerts: 0,
      digests: 0,
      segments: 0,
      grants: 0,
      identityProviders: 0,
      documents: 1,
    },
  });
  assert.equal((await request(other, 'GET', `${EVENTS}/feed`)).status, 401);
  assert.deepEqual(await answersOf(kept), before);
  const again = await runProgram(t, ['erase', '--tenant', 'other', '--yes', '--data-dir', dataDir]);
  assert.deepEqual([again.code, again.stdout], [1, '']);
  assert.equal(again.stderr, 'error: There is no tenant "other". Known tenants: default.\n');
});

rareTest('erase: works without a server and names copies that still hold the data', async (t) => {
  const { dataDir, keys } = await twoTenants(t);
  const [kept, gone] = keys;
  const { before, other } = await whileOpen(dataDir, async ({ url, runtime }) => ({
    before: await answersOf({ url, key: kept }),
    other: await runtime.tenants.get('other'),
  }));
  mkdirSync(join(dataDir, 'before-restore-x'));
  const unasked = await runCommand(['erase', '--tenant', 'other', '--data-dir', dataDir]);
  assert.equal(unasked.code, 1);
  assert.match(
    unasked.stderr,
    /--yes: is needed to erase everything of the tenant "other"; there is no terminal to ask/,
  );
  const { erased, copies } = await runJson(dataDir, 'erase', '--tenant', other.id, '--yes');
  assert.deepEqual([erased.reviews, erased.executions, erased.events], [6, 5, 120]);
  assert.deepEqual(copies, [join(dataDir, 'before-restore-x')]);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.endsWith('.sock')),
    [],
  );
  await whileOpen(dataDir, async ({ url, runtime }) => {
    assert.deepEqual(await answersOf({ url, key: kept }), before);
    assert.equal((await request({ url, key: gone }, 'GET', `${EVENTS}/feed`)).status, 401);
    assert.deepEqual(await runtime.eventStore.knownEvents(other.id, null), []);
  });
  const tables = new BetterSqlite3(join(dataDir, STATE_FILE), { readonly: true });
  t.after(() => tables.close());
  for (const table of tablesWithTenant(tables)) {
    const { rows } = tables.prepare(`SELECT count(*) AS rows FROM ${table} WHERE tenant_id = ?`).get(other.id) as {
      rows: number;
    };
    assert.equal(rows, 0, table);
  }
});

rareTest('erase: requests of the tenant during its erasure are refused and not stored', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { id } = await app.runtime.tenants.create({ name: 'other' });
  const endpoint = { url: app.url, key: await app.newKey({ tenant: 'other' }) };
  await send(endpoint, eventsOf('before'));
  let ended = false;
  const statuses = new Set<number>();
  const sending = Array.from({ length: 6 }, async (_, client) => {
    for (let sequence = 0; !ended; sequence++) {
      const { status } = await request(endpoint, 'POST', EVENTS, { events: eventsOf(`${client}-${sequence}`, 5) });
      statuses.add(status);
    }
  });
  const { erased } = await app.runtime.erasure.erase({ tenant: 'other' });
  ended = true;
  await Promise.all(sending);
  assert.ok((erased.events ?? 0) >= 120);
  assert.deepEqual(
    [...statuses].filter((status) => status !== 202 && status !== 401),
    [],
  );
  assert.equal(await left(app, id), 0);
  await assert.rejects(app.runtime.erasure.erase({ tenant: 'other' }), /There is no tenant "other"/);
});

test('erase: after a failure the tenant is unblocked and the erasure can be repeated', async (t) => {
  const app = await testApp(t);
  const { id } = await app.runtime.tenants.create({ name: 'other' });
  const endpoint = { url: app.url, key: await app.newKey({ tenant: 'other' }) };
  const { eventStore } = app.runtime;
  const { erase } = eventStore;
  eventStore.erase = async () => {
    throw new Error('the disk is full');
  };
  await assert.rejects(app.runtime.erasure.erase({ tenant: id }), /the disk is full/);
  assert.equal((await send(endpoint, eventsOf('again', 3))).accepted, 3);
  eventStore.erase = erase;
  assert.equal((await app.runtime.erasure.erase({ tenant: id })).erased.events, 3);
});

async function left({ runtime }: TestApp, tenantId: string): Promise<number> {
  return (await runtime.eventStore.knownEvents(tenantId, null)).reduce((sum, { events }) => sum + events, 0);
}

function tablesWithTenant(database: BetterSqlite3.Database): string[] {
  const rows = database
    .prepare<[], { name: string }>(
      `SELECT tables.name FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.name = 'tenant_id'`,
    )
    .all();
  assert.ok(rows.length >= 5);
  return rows.map(({ name }) => name);
}
