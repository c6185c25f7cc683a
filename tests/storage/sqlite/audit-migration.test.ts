import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '../../../src/storage/sqlite/migrations/index.ts';
import { temporaryDirectory, testApp } from '../../support/app.ts';

const BEFORE = Object.entries(migrations).filter(([name]) => name < '0009');

test('audit_log: entries of version 0.1 are kept, without address and request', async (t) => {
  const dataDir = temporaryDirectory(t);
  const sqlite = new BetterSqlite3(join(dataDir, 'state.sqlite'));
  const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  const provider = { getMigrations: async () => Object.fromEntries(BEFORE) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  assert.equal(error, undefined);
  const at = Date.now() - 1_000;
  sqlite.prepare("INSERT INTO tenants (id, name, timezone, created_at) VALUES ('old', 'default', 'UTC', ?)").run(at);
  const line = sqlite.prepare("INSERT INTO audit_log VALUES (?, 'old', ?, 'ada', 'user', 'u1', 'key.created', 'k', ?)");
  for (const id of ['00-a', '00-b']) line.run(id, at, '{"label":"x"}');
  await database.destroy();

  const app = await testApp(t, { dataDir });
  const administrator = { ...app.caller, role: 'ADMIN' as const };
  const query = { action: 'key.created', limit: 10, offset: 0 };
  const { items } = await app.runtime.audit.entries(administrator, query);
  const [, newer, older] = items;
  assert.deepEqual(newer, {
    id: '00-b',
    at: new Date(at).toISOString(),
    actor: { kind: 'user', id: 'u1', label: 'ada' },
    action: 'key.created',
    target: 'k',
    details: { label: 'x' },
    address: null,
    requestId: null,
  });
  assert.equal(older?.id, '00-a');
});
