import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openSource, openTarget } from '../../src/app/transfer.ts';
import { type ConfigInput, loadConfig } from '../../src/config.ts';
import { SPOOL_FILE, STATE_FILE } from '../../src/storage/installation/names.ts';
import { SqlInstallationStore } from '../../src/storage/state/sql/installation.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { digestEvents } from '../../src/transfer/events.ts';
import { copyInstallation, type Progress } from '../../src/transfer/installation.ts';
import { EVENTS, type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { ask, ingested, storePath } from '../support/knowledge.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';
import { runProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const SILENT = { logLevel: 'silent', port: 0 } as const;
const SECRET_KEY = 'a secret key that the tests have in common';
const progress: Progress = {
  onTotal: () => undefined,
  onRows: () => undefined,
  onStep: () => undefined,
  wait: async () => undefined,
};

async function copy(from: ConfigInput, to: ConfigInput, changed: Partial<Progress> = {}) {
  const source = await openSource(loadConfig({ ...SILENT, ...from }, {}, {}));
  try {
    const target = await openTarget(loadConfig({ ...SILENT, ...to }, {}, {}));
    try {
      return await copyInstallation(source, target, { ...progress, ...changed });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const order = (id: string) => ({ id, eventName: 'order.placed', agentId: 'support', properties: { total: 12.5, id } });

test('copyInstallation: files become nodes and files again; a repetition adds', { skip: !hasNodes }, async (t) => {
  const [files, scratch, back] = [temporaryDirectory(t), temporaryDirectory(t), temporaryDirectory(t)];
  const inFiles = { dataDir: files, secretKey: SECRET_KEY };
  const shared = { ...(await serverSettings(newPlace())), dataDir: scratch };
  const key = await filled(t, inFiles);
  const first = await copy(inFiles, shared);
  assert.deepEqual(
    first.map(({ what, isEqual }) => [what, isEqual]),
    [
      ['state', true],
      ['events of default', true],
      ['documents of default', true],
    ],
  );
  assert.equal(first[2]!.rows, 1);

  await withApp(t, inFiles, async (app) => {
    await app.ingest([order('order-2'), order('order-3')], key);
  });
  const again = await copy(inFiles, shared);
  assert.ok(
    again.every(({ isEqual }) => isEqual),
    JSON.stringify(again),
  );
  assert.equal(again[1]!.rows, first[1]!.rows + 1);

  await t.test('the nodes answer with the key of the files, and open their secrets', async (inner) => {
    const app = await testApp(inner, shared);
    const answer = await app.request('GET', `${EVENTS}/feed?eventName=order.placed`, undefined, { 'x-api-key': key });
    assert.equal(answer.body.events.length, 3);
    const found = await ask({ url: app.url, key }, 'POST', `${storePath('manuals')}/search`, { query: 'pump' });
    assert.equal(found.body.results.length, 1);
    const twice = await app.request('POST', EVENTS, { events: [order('order-1')] }, { 'x-api-key': key });
    assert.equal(twice.body.duplicates, 1, 'ids of callers are still known');
  });
  await assert.rejects(copy(inFiles, shared), { code: 'conflict', message: /a server has started there/ });

  const returned = await copy(shared, { dataDir: back, secretKey: SECRET_KEY });
  assert.ok(
    returned.every(({ isEqual }) => isEqual),
    JSON.stringify(returned),
  );
  assert.ok(returned[1]!.rows >= again[1]!.rows);
  await hasOrders(t, { dataDir: back, secretKey: SECRET_KEY }, key);
});

rareTest('copyInstallation: a run long after the one before doubles no events', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  await withApp(t, { dataDir: one }, async ({ ingest }) => {
    await ingest([order('order-1'), { eventName: 'message', agentId: 'support' }]);
  });
  const first = await copy({ dataDir: one }, { dataDir: other });
  const spool = new BetterSqlite3(join(other, SPOOL_FILE));
  assert.ok(spool.prepare('UPDATE caller_ids SET arrived_at = 0').run().changes > 1);
  spool.close();
  assert.deepEqual(await copy({ dataDir: one }, { dataDir: other }), first);
  assert.ok(first.every(({ isEqual }) => isEqual));
});

rareTest('copyInstallation: a tenant that was erased between two runs goes', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  let id = '';
  await withApp(t, { dataDir: one }, async (app) => {
    ({ id } = await app.runtime.tenants.create({ name: 'acme' }));
    const key = await app.newKey({ tenant: 'acme' });
    await app.ingest([order('order-1')], key);
    await ingested({ url: app.url, key }, { name: 'manual.txt', content: 'The pump stands in a hall.' });
  });
  await copy({ dataDir: one }, { dataDir: other });
  await withApp(t, { dataDir: one }, async (app) => {
    await app.runtime.erasure.erase({ tenant: 'acme' });
  });
  const again = await copy({ dataDir: one }, { dataDir: other });
  assert.ok(again.every(({ isEqual }) => isEqual));
  const target = await openTarget(loadConfig({ ...SILENT, dataDir: other }, {}, {}));
  t.after(() => target.close());
  assert.equal((await digestEvents(target.events, id)).events, 0);
  assert.deepEqual(await target.events.knownEvents(id, null), []);
  assert.deepEqual(await target.knowledge.listStores(id), []);
});

rareTest('copyInstallation: progress ends at the total, also of a repetition', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  await filled(t, { dataDir: one });
  for (const _ of ['first', 'last']) {
    const [totals, steps] = [[] as number[], [] as string[]];
    let rows = 0;
    await copy(
      { dataDir: one },
      { dataDir: other },
      {
        onTotal: (total) => totals.push(total),
        onRows: (more) => {
          rows += more;
        },
        onStep: (step) => steps.push(step),
      },
    );
    assert.deepEqual(totals, [rows]);
    const ofTenant = ['events', 'documents'].map((what) => `${what} of default`);
    assert.deepEqual(steps, ['state', ...ofTenant.flatMap((what) => [what, `comparing ${what}`])]);
  }
});

test('import: a directory without data is refused, and stays as it is', async (t) => {
  const [empty, dataDir] = [temporaryDirectory(t), temporaryDirectory(t)];
  const { code, stderr } = await runProgram(t, ['import', empty, '--data-dir', dataDir]);
  assert.deepEqual([code, stderr], [1, `error: There is no Agent Runtime data in ${empty}.\n`]);
  assert.deepEqual([...readdirSync(empty), ...readdirSync(dataDir)], []);
});

rareTest('copyInstallation: after a server has started there, a run is refused', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  await withApp(t, { dataDir: one }, async () => undefined);
  for (const _ of ['first', 'last']) await copy({ dataDir: one }, { dataDir: other });
  await withApp(t, { dataDir: other }, async ({ runtime }) => {
    await runtime.tenants.create({ name: 'acme' });
  });
  await assert.rejects(copy({ dataDir: one }, { dataDir: other }), { code: 'conflict' });
  await withApp(t, { dataDir: other }, async ({ runtime }) => {
    assert.equal((await runtime.tenants.get('acme')).name, 'acme');
  });
});

test('copyInstallation: a server that starts there during a run is noticed', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  await withApp(t, { dataDir: one }, async () => undefined);
  const onTotal = async () => {
    const state = await openStateDatabase(join(other, STATE_FILE));
    await new SqlInstallationStore(state).forget('import');
    await state.destroy();
  };
  const run = copy({ dataDir: one }, { dataDir: other }, { onTotal });
  await assert.rejects(run, { code: 'conflict', message: /started on the target, so/ });
});

test('copyInstallation: a target with tenants of its own is refused', async (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  for (const dataDir of [one, other]) await withApp(t, { dataDir }, async () => undefined);
  await assert.rejects(copy({ dataDir: one }, { dataDir: other }), { code: 'conflict', message: /tenants of its own/ });
});

/** A server that is stopped afterwards. */
async function withApp(t: TestContext, settings: ConfigInput, use: (app: TestApp) => Promise<void>): Promise<void> {
  await t.test('a server runs', async (inner) => use(await testApp(inner, settings)));
}

/** A server over a copy answers with the key of the original. */
async function hasOrders(t: TestContext, settings: ConfigInput, key: string): Promise<void> {
  await withApp(t, settings, async (app) => {
    const answer = await app.request('GET', `${EVENTS}/feed?eventName=order.placed`, undefined, { 'x-api-key': key });
    assert.equal(answer.body.events.length, 3, JSON.stringify(answer.body));
  });
}

async function filled(t: TestContext, settings: ConfigInput): Promise<string> {
  let key = '';
  await withApp(t, settings, async (app) => {
    key = app.key;
    await app.ingest([order('order-1'), order('order-2'), { eventName: 'message', agentId: 'support' }]);
    await ingested(app, { name: 'manual.txt', content: 'The pump stands in the northern hall.' });
  });
  return key;
}
