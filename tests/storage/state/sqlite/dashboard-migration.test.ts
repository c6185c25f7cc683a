import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Installation } from '../../../../src/storage/installation/installation.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { migrations } from '../../../../src/storage/state/sqlite/migrations/index.ts';
import { CARDS, NUMBER, TABS } from '../../../http/routes/dashboards/support.ts';
import { temporaryDirectory, testApp } from '../../../support/app.ts';

const FIRST = '0001-tenants-and-keys';
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'dashboard%' ORDER BY name";

/** A data directory of the version before dashboards: one migration, and a tenant. */
async function oldDirectory(t: TestContext): Promise<string> {
  const dataDir = temporaryDirectory(t);
  const sqlite = new BetterSqlite3(join(dataDir, 'state.sqlite'));
  sqlite.pragma('journal_mode = WAL');
  const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  const provider = { getMigrations: async () => ({ [FIRST]: migrations[FIRST]! }) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  assert.equal(error, undefined);
  sqlite.prepare("INSERT INTO tenants VALUES ('old', 'default', 'Asia/Tokyo', 1)").run();
  sqlite.prepare("INSERT INTO agents VALUES ('old', 'support', 1)").run();
  assert.deepEqual(sqlite.prepare(TABLES).all(), []);
  await database.destroy();
  return dataDir;
}

const snapshotsIn = (dataDir: string) =>
  existsSync(join(dataDir, 'snapshots')) ? readdirSync(join(dataDir, 'snapshots')) : [];

test('migrations: a directory without dashboards gets their tables after a snapshot', async (t) => {
  const dataDir = await oldDirectory(t);
  Installation.rebuild(dataDir);
  const app = await testApp(t, { dataDir });
  assert.equal(app.tenantId, 'old', 'the tenant of those days is still the one');
  assert.equal(app.caller.timezone, 'Asia/Tokyo');
  const tab = await app.request('POST', TABS, { name: 'Sales' });
  const card = await app.request('POST', CARDS, { ...NUMBER, tabId: tab.body.id });
  assert.deepEqual([tab.status, card.status], [201, 201]);
  const [name, ...others] = snapshotsIn(dataDir);
  assert.deepEqual(others, []);
  assert.match(name ?? '', /^state-at-0001-tenants-and-keys-.*\.sqlite$/);
  assert.equal(statSync(join(dataDir, 'snapshots')).mode & 0o777, 0o700);
  const snapshot = new BetterSqlite3(join(dataDir, 'snapshots', name!), { readonly: true });
  t.after(() => snapshot.close());
  assert.deepEqual(snapshot.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(snapshot.prepare('SELECT id, timezone FROM tenants').all(), [{ id: 'old', timezone: 'Asia/Tokyo' }]);
  assert.deepEqual(snapshot.prepare(TABLES).all(), [], 'it is as it was before');
});

test('migrations: concurrent processes migrate once, and the next start does nothing', async (t) => {
  const dataDir = await oldDirectory(t);
  const path = join(dataDir, 'state.sqlite');
  const databases = await Promise.all(Array.from({ length: 4 }, () => openStateDatabase(path)));
  databases.push(await openStateDatabase(path));
  for (const database of databases) {
    assert.deepEqual(await database.selectFrom('dashboard_cards').selectAll().execute(), []);
    assert.equal((await database.selectFrom('tenants').selectAll().execute()).length, 1);
  }
  for (const database of databases) await database.destroy();
  assert.equal(snapshotsIn(dataDir).length, 1);
});

test('migrations: a new data directory needs no snapshot', async (t) => {
  const dataDir = temporaryDirectory(t);
  const database = await openStateDatabase(join(dataDir, 'state.sqlite'));
  await database.destroy();
  assert.deepEqual(snapshotsIn(dataDir), []);
});

test('migrations: a directory of a newer version is refused and unchanged', async (t) => {
  const dataDir = temporaryDirectory(t);
  const path = join(dataDir, 'state.sqlite');
  await (await openStateDatabase(path)).destroy();
  const sqlite = new BetterSqlite3(path);
  sqlite.prepare("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')").run();
  sqlite.close();
  await assert.rejects(openStateDatabase(path), /newer agent-runtime \(migration 9999-future\)/);
  assert.deepEqual(snapshotsIn(dataDir), []);
});

test('migrations: one that fails midway leaves nothing, and the next start succeeds', async (t) => {
  const dataDir = await oldDirectory(t);
  const path = join(dataDir, 'state.sqlite');
  const objects = () => sqlite.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all();
  const sqlite = new BetterSqlite3(path);
  t.after(() => sqlite.close());
  // The fourth migration makes it after many other statements.
  sqlite.exec('CREATE INDEX users_login ON users (tenant_id)');
  const before = objects();
  await assert.rejects(openStateDatabase(path), /users_login already exists/);
  assert.deepEqual(objects(), before);
  sqlite.exec('DROP INDEX users_login');
  const database = await openStateDatabase(path);
  assert.deepEqual(await database.selectFrom('dashboard_cards').selectAll().execute(), []);
  await database.destroy();
});
