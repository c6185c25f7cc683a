import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import { SqlTenantStore } from '../../../src/storage/state/sql/tenants.ts';
import { openStateDatabase } from '../../../src/storage/state/sqlite/database.ts';
import { ALL_TABLES, SEALED_TABLES, TABLES } from '../../../src/storage/state/tables.ts';
import { MOVED_TABLES } from '../../../src/transfer/state.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openStateWithTenants } from '../../support/state.ts';

const namesOf = (text: string) => text.trim().split(/\s+/).toSorted();

const REMOVED = namesOf(`
  agents alert_changes alerts annotations api_keys budget_reservations budget_usage connectors credentials
  dashboard_cards dashboard_changes dashboard_links dashboard_tabs deliveries delivery_messages digests first_hours identity_providers invitations metrics oauth_grants
  oauth_records passkeys providers queues quotas recovery_codes rubrics segments session_identities sessions terms totp_factors
  user_identities users`);
const REMOVED_BEFORE_OR_WITH_OTHERS = namesOf(
  'assessments audit_log execution_bodies execution_index execution_steps execution_text_index executions queue_changes queue_hands queue_items review_counts review_index reviews',
);
const MOVED = namesOf(`
  agents alert_changes alerts annotations api_keys assessments audit_log budget_usage connectors credentials dashboard_cards
  dashboard_changes dashboard_links dashboard_tabs deliveries delivery_messages digests execution_bodies execution_steps executions first_hours identity_providers installation invitations
  metrics oauth_clients oauth_grants oauth_records passkeys providers queue_changes queue_hands queue_items queues quotas recovery_codes reviews rubrics segments
  session_identities sessions tenants terms totp_factors used_names user_identities users`);
const COUNTED = namesOf(`
  agents alerts annotations apiKeys connectors credentials dashboardCards dashboardLinks dashboardTabs digests grants
  identityProviders invitations metrics providers queues rubrics segments terms users`);
const SEALED = [
  'alerts.targets: alert, revised',
  'credentials.sealed: credential',
  'deliveries.target: delivery',
  'digests.targets: digest, revised',
  'identity_providers.sealed_secret: identity provider, revised',
  'providers.definition: provider',
  'totp_factors.sealed: TOTP secret',
];

test('TABLES: removal, transfer and sealing touch what they should', async (t) => {
  const by = (...ways: (string | null)[]) =>
    ALL_TABLES.filter(([, { removedBy }]) => ways.includes(removedBy)).map(([name]) => name);
  assert.deepEqual(by('tenant', 'grant').toSorted(), REMOVED);
  assert.deepEqual(by('eraser', 'cascade').toSorted(), REMOVED_BEFORE_OR_WITH_OTHERS);
  assert.deepEqual(MOVED_TABLES.toSorted(), MOVED);
  const sealed = SEALED_TABLES.map(
    ({ table, column, kind, isRevised }) => `${table}.${column}: ${kind}${isRevised ? ', revised' : ''}`,
  );
  assert.deepEqual(sealed.toSorted(), SEALED);
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  assert.deepEqual(Object.keys((await new SqlTenantStore(database).remove('one')) ?? {}).toSorted(), COUNTED);
});

test("TABLES: it has every table, its key, and what removes its tenants' rows", async (t) => {
  const path = join(temporaryDirectory(t), STATE_FILE);
  await (await openStateDatabase(path)).destroy();
  const sqlite = new BetterSqlite3(path, { readonly: true });
  t.after(() => sqlite.close());
  const listed = sqlite.pragma('table_list') as { schema: string; name: string; type: string }[];
  const made = listed.filter(
    ({ schema, name, type }) => schema === 'main' && type !== 'shadow' && !/^(sqlite|kysely)_/.test(name),
  );
  assert.deepEqual(made.map(({ name }) => name).toSorted(), Object.keys(TABLES).toSorted());
  const seen = new Set<string>();
  for (const [name, { key, removedBy, moves }] of ALL_TABLES) {
    if (name.endsWith('_index')) continue;
    const columns = sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[];
    const primary = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    assert.deepEqual(
      key,
      primary.map((column) => column.name),
      name,
    );
    const referred = sqlite.pragma(`foreign_key_list("${name}")`) as { table: string; on_delete: string }[];
    const isOfTenants =
      columns.some((column) => column.name === 'tenant_id') ||
      referred.some(({ on_delete: action }) => removedBy === 'cascade' && action === 'CASCADE');
    assert.equal(removedBy === null || removedBy === 'grant', !isOfTenants, name);
    if (moves) for (const { table } of referred) assert.ok(seen.has(table), `${name} refers to ${table}`);
    seen.add(name);
  }
});
