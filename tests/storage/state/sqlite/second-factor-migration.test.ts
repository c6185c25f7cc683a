import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { STATE_FILE } from '../../../../src/storage/installation/names.ts';
import { migrations } from '../../../../src/storage/state/sqlite/migrations/index.ts';
import { temporaryDirectory, testApp } from '../../../support/app.ts';
import { PORTAL, withToken } from '../../../support/people.ts';
import { withoutProcesses } from '../../../support/state.ts';

const BEFORE = Object.entries(migrations).filter(([name]) => name < '0019');

test('second factor: users and sessions of earlier versions stay, and need none', async (t) => {
  const dataDir = temporaryDirectory(t);
  const { id, token } = await oneSession(dataDir);
  const sqlite = new BetterSqlite3(join(dataDir, STATE_FILE));
  sqlite.exec('ALTER TABLE deliveries DROP COLUMN runner');
  withoutProcesses(sqlite);
  for (const table of ['totp_factors', 'passkeys', 'recovery_codes']) sqlite.exec(`DROP TABLE ${table}`);
  sqlite.exec('ALTER TABLE tenants DROP COLUMN second_factor; ALTER TABLE sessions DROP COLUMN second_factor_at');
  sqlite.prepare("DELETE FROM kysely_migration WHERE name = '0021-second-factors'").run();
  sqlite.close();

  const app = await testApp(t, { dataDir });
  const request = withToken(app, token);
  const { body } = await request('GET', `${PORTAL}/me`);
  assert.equal(body.user.id, id, 'the session of before');
  assert.equal((await request('GET', `${PORTAL}/settings`)).body.secondFactor, 'optional');
  assert.deepEqual((await request('GET', `${PORTAL}/me/second-factor`)).body.passkeys, []);
  assert.equal((await request('POST', `${PORTAL}/keys`, { label: 'x', scopes: ['mcp:read'] })).status, 201);
});

async function oneSession(dataDir: string): Promise<{ id: string; token: string }> {
  const { openState } = await import('../../../../src/app/state.ts');
  const { loadConfig } = await import('../../../../src/config.ts');
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  const { id: tenantId } = await state.tenants.get('default');
  const input = {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'ADMIN' as const,
    phone: null,
    avatarUrl: null,
    metadata: {},
  };
  const { id } = await state.users.create(tenantId, input, null);
  const { token } = await state.sessions.open((await state.userStore.find(id))!, { address: 'before' });
  await state.close();
  return { id, token };
}

test('second factor: the migration runs after any of the earlier ones', async (t) => {
  const sqlite = new BetterSqlite3(join(temporaryDirectory(t), 'state.sqlite'));
  const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  t.after(() => database.destroy());
  for (const list of [BEFORE, Object.entries(migrations)]) {
    const provider = { getMigrations: async () => Object.fromEntries(list) };
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
    assert.equal(error, undefined);
  }
  const columns = sqlite.prepare("SELECT name FROM pragma_table_info('passkeys')").pluck().all();
  assert.ok(columns.includes('credential_id'));
});
