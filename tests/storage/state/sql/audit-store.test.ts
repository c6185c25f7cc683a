import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { AuditEntry } from '../../../../src/core/base/audit/store.ts';
import { SqlAuditStore } from '../../../../src/storage/state/sql/audit.ts';
import type { StateDatabase } from '../../../../src/storage/state/sql/database.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { testAuditStore } from '../../../contracts/audit-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openStateWithTenants, storeBackends } from '../../../support/state.ts';

const ALL = { limit: 10, offset: 0 };

async function openDatabase(t: TestContext): Promise<StateDatabase> {
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  return database;
}

function entry(members: Partial<AuditEntry>): AuditEntry {
  return {
    id: 'line',
    tenantId: 'one',
    at: Date.now(),
    actor: { kind: 'operator', id: null, label: 'operator' },
    action: 'key.created',
    target: null,
    details: {},
    address: null,
    requestId: null,
    ...members,
  };
}

for (const backend of storeBackends((database) => new SqlAuditStore(database))) testAuditStore(backend);

test('audit_log: no statement changes, replaces or removes a protected entry', async (t) => {
  const database = await openDatabase(t);
  const store = new SqlAuditStore(database);
  const lines = [entry({ id: 'a' }), entry({ id: 'b', tenantId: null }), entry({ id: 'c', tenantId: 'two' })];
  for (const line of lines) await store.append(line);
  const columns = sql.raw('id, tenant_id, at, actor, actor_kind, actor_id, action, target, details');
  const values = sql.raw("'a', 'one', 0, 'x', 'key', 'x', 'x', 'x', '{}'");
  const attempts = [
    sql`DELETE FROM audit_log`,
    sql`DELETE FROM audit_log WHERE id = 'a'`,
    sql`DELETE FROM audit_log WHERE tenant_id IS NULL`,
    sql`UPDATE audit_log SET details = '{}'`,
    sql`UPDATE audit_log SET at = 0 WHERE id = 'a'`,
    sql`UPDATE OR REPLACE audit_log SET id = 'a' WHERE id = 'b'`,
    sql`INSERT INTO audit_log (${columns}) VALUES (${values})`,
    sql`REPLACE INTO audit_log (${columns}) VALUES (${values})`,
    sql`INSERT INTO audit_log (${columns}) VALUES (${values}) ON CONFLICT (id) DO UPDATE SET details = '{}'`,
  ];
  for (const [index, attempt] of attempts.entries()) {
    await assert.rejects(attempt.execute(database), /audit log/, `attempt ${index}`);
  }
  assert.deepEqual((await store.list('all', ALL)).items, lines.toReversed());
});

test('audit_log: entries go with their tenant; those of others stay', async (t) => {
  const database = await openDatabase(t);
  const store = new SqlAuditStore(database);
  const kept = [entry({ id: 'b', tenantId: null }), entry({ id: 'c', tenantId: 'two' })];
  for (const line of [entry({ id: 'a' }), ...kept]) await store.append(line);
  assert.ok(await new SqlTenantStore(database).remove('one'));
  assert.deepEqual((await store.list('all', ALL)).items, kept.toReversed());
});
