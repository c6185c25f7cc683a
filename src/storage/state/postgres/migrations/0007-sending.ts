import type { Kysely } from 'kysely';
import { createTables } from './tables.ts';

/*
 * As migration 0024 of SQLite. Nodes of the former release go on: they write the `body` of
 * deliveries.
 */

export function up(database: Kysely<unknown>): Promise<void> {
  return createTables(
    database,
    `CREATE TABLE delivery_messages (
      id text NOT NULL,
      part integer NOT NULL,
      tenant_id text NOT NULL REFERENCES tenants (id),
      bytes integer NOT NULL,
      created_at bigint NOT NULL,
      body text NOT NULL,
      PRIMARY KEY (id, part)
    )`,
    'CREATE INDEX delivery_messages_of_tenant ON delivery_messages (tenant_id, bytes)',
    'CREATE INDEX delivery_messages_created ON delivery_messages (created_at)',
    'ALTER TABLE deliveries ADD COLUMN message_id text',
    'ALTER TABLE deliveries ADD COLUMN recipients integer NOT NULL DEFAULT 1',
    `CREATE INDEX deliveries_of_message ON deliveries (message_id) WHERE state = 'waiting'`,
    'CREATE INDEX deliveries_created ON deliveries (tenant_id, created_at, recipients)',
    ...['alerts', 'digests'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN maker text`,
      `UPDATE ${table} SET maker = (
        SELECT id FROM users WHERE users.tenant_id = ${table}.tenant_id AND email_key = lower(${table}.created_by)
      )`,
    ]),
  );
}
