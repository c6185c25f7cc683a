import { sql } from 'kysely';
import type { StateDatabase } from '../../src/storage/state/sql/database.ts';
import { MOVED_TABLES } from '../../src/transfer/state.ts';

interface Column {
  name: string;
  type: string;
}

/** Columns that name rows of other tables, or whose texts are read. */
const GIVEN: Record<string, string | number> = {
  'agents.tenant_id': 'one',
  'users.tenant_id': 'one',
  'dashboard_cards.tab_id': 'dashboard_tabs.id 1',
  'dashboard_links.tab_id': 'dashboard_tabs.id 1',
  'dashboard_cards.agent_id': 'dashboard_tabs.agent_id 1',
  'session_identities.session_id': 'sessions.id 1',
  'user_identities.provider_uid': 'identity_providers.uid 1',
  'user_identities.user_id': 'users.id 1',
  'invitations.invited_by': 'users.id 1',
  'totp_factors.user_id': 'users.id 1',
  'passkeys.user_id': 'users.id 1',
  'recovery_codes.user_id': 'users.id 1',
  'alert_changes.alert_id': 'alerts.id 1',
  ...Object.fromEntries(
    ['tags', 'metadata', 'usage', 'tools', 'chat'].map((name) => [`executions.${name}`, '["a","b"]']),
  ),
  'executions.is_indexed': 0,
  'queue_items.queue_id': 'queues.id 1',
  'queue_hands.queue_id': 'queues.id 1',
  'reviews.tags': '["a","b"]',
  'reviews.comment': 'Comentário com informações',
};

/** Two rows in each table whose keys allow it, with a value in every column. Needs the tenants `one` and `two`. */
export async function fillState(database: StateDatabase, rows = 2): Promise<void> {
  for (const table of MOVED_TABLES) {
    if (table === 'tenants') continue;
    for (let number = 1; number <= rows; number += 1) {
      const columns = await columnsOf(database, table);
      const values = columns.map((column) => sql`${valueIn(table, column, number)}`);
      const names = columns.map(({ name }) => sql.ref(name));
      // A second row of a table whose key is given is the same row.
      await sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) VALUES (${sql.join(values)})
        ON CONFLICT DO NOTHING`.execute(database);
    }
  }
}

function valueIn(table: string, { name, type }: Column, number: number): string | number | Buffer {
  const given = GIVEN[`${table}.${name}`] ?? (name === 'tenant_id' ? 'one' : undefined);
  if (given !== undefined) return given;
  if (type === 'double precision') return number + 0.1;
  if (type === 'blob') return Buffer.from([number, 255]);
  return type === 'text' ? `${table}.${name} ${number}` : number;
}

async function columnsOf(database: StateDatabase, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`SELECT name, lower(type) AS type FROM pragma_table_info(${table})`.execute(
    database,
  );
  return rows;
}
