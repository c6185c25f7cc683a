import type { DuckDBConnection } from '@duckdb/node-api';
import type { Transact } from './transactions.ts';

/* New events are in `hot`, sorted runs in `cold` (docs/decisions/0008-typed-columns.md). */

/** A file of another version is refused. */
export const EVENTS_VERSION = 4;

/** A container column only marks objects and arrays. */
export const KINDS = ['text', 'integer', 'double', 'boolean', 'container'] as const;
export type Kind = (typeof KINDS)[number];

export type ColumnCounts = Record<Kind, number>;

const TYPE_OF_KIND: Record<Kind, string> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  container: 'BOOLEAN',
};

const FIRST_COLUMNS: ColumnCounts = { text: 8, integer: 6, double: 4, boolean: 2, container: 2 };
/** Every column slows flushes and takes memory; keys without one are read from JSON. */
export const MAX_COLUMNS: ColumnCounts = { text: 48, integer: 24, double: 24, boolean: 12, container: 12 };
const GROWTH = 4;

export function columnName(kind: Kind, index: number): string {
  return `${kind}_${index}`;
}

const EVENT_COLUMNS = `
  tenant INTEGER NOT NULL, run INTEGER NOT NULL, epoch INTEGER NOT NULL,
  agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, timestamp BIGINT NOT NULL,
  uuid UUID, id VARCHAR, thread_id VARCHAR, execution_id VARCHAR,
  properties VARCHAR NOT NULL USING COMPRESSION zstd`;

const COUNT_COLUMNS = KINDS.map((kind) => `${kind}_columns INTEGER NOT NULL`).join(', ');
const typed = KINDS.flatMap((kind) =>
  Array.from({ length: FIRST_COLUMNS[kind] }, (_, index) => `${columnName(kind, index)} ${TYPE_OF_KIND[kind]}`),
).join(', ');

/** `uuid` takes a quarter less space than text; only ids that are no canonical UUID are in `id`. */
const COLUMNS_OF_QUERIES: Record<string, string> = {
  id: 'coalesce(uuid::VARCHAR, id) AS id',
  other_id: 'id AS other_id',
  row_number: 'rowid AS row_number',
};

/**
 * DuckDB 1.5 drops a condition that its statistics call always true, and then shows runs that
 * other tenants commit meanwhile (Layout.lastRun). `xor` has no statistics.
 */
const enforced = (column: string, comparison: string) => `${column} ${comparison} AND xor(${column}, 0) ${comparison}`;

/** Tenant isolation: the only SQL that names the tables. Planning time grows with the columns. */
export function eventsOf(tenant: number, throughRun: number, columns: Iterable<string>): string {
  const named = Array.from(columns, (column) => COLUMNS_OF_QUERIES[column] ?? column).join(', ');
  const eventsIn = (table: string) => `SELECT ${named} FROM ${table} WHERE ${enforced('tenant', `= ${tenant}`)}`;
  return `(${eventsIn('hot')} UNION ALL ${eventsIn('cold')} AND ${enforced('run', `<= ${throughRun}`)})`;
}

/** `epoch` and `since` were for columns learned late; nothing reads them (`settleLateColumns`). */
export const EPOCH = 1;

/** `run` is 0 in `hot`. */
export const SCHEMA = `
  CREATE TABLE hot (${EVENT_COLUMNS}, ${typed});
  CREATE TABLE cold (${EVENT_COLUMNS}, ${typed});
  CREATE TABLE last_run (run INTEGER NOT NULL);
  INSERT INTO last_run VALUES (0);
  CREATE TABLE runs (run INTEGER NOT NULL, events BIGINT NOT NULL, epoch INTEGER NOT NULL);
  CREATE TABLE layout (epoch INTEGER NOT NULL, ${COUNT_COLUMNS});
  INSERT INTO layout VALUES (${EPOCH}, ${KINDS.map((kind) => FIRST_COLUMNS[kind]).join(', ')});
  CREATE TABLE tenants (
    number INTEGER PRIMARY KEY, tenant_id VARCHAR NOT NULL, learned_all BOOLEAN NOT NULL, missed_dotted BOOLEAN NOT NULL,
    listed_all BOOLEAN NOT NULL);
  CREATE TABLE learned (
    tenant INTEGER NOT NULL, path VARCHAR NOT NULL, kind VARCHAR NOT NULL, slot INTEGER NOT NULL, since INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS flushed (spool_id VARCHAR PRIMARY KEY, position BIGINT NOT NULL);
  CREATE TABLE known_events (
    tenant INTEGER, agent_id VARCHAR, event_name VARCHAR, events BIGINT NOT NULL,
    first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, PRIMARY KEY (tenant, agent_id, event_name));
  CREATE SEQUENCE property_order;
  CREATE TABLE known_properties (
    tenant INTEGER NOT NULL, agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, path VARCHAR NOT NULL,
    type VARCHAR NOT NULL, seen_order BIGINT NOT NULL DEFAULT nextval('property_order'));
  CREATE TABLE ids_to_forget (tenant_id VARCHAR NOT NULL, id VARCHAR);
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (${EVENTS_VERSION});
`;

export interface Layout {
  columns: ColumnCounts;
  /** DuckDB 1.5 shows a large insert to earlier snapshots too: readers exclude later runs. */
  lastRun: number;
}

export async function columnOrder(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    "SELECT column_name FROM duckdb_columns() WHERE table_name = 'hot' ORDER BY column_index",
  );
  return reader.getRows().map((row) => String(row[0]));
}

const READ_LAYOUT = `SELECT (SELECT run FROM last_run), ${KINDS.map((kind) => `${kind}_columns`).join(', ')} FROM layout`;

export function readLayout(connection: DuckDBConnection): Promise<Layout> {
  return layoutFrom(connection, READ_LAYOUT);
}

/** `known` is the current layout if the caller has it; `isOpen`: another transaction ends first. */
export async function beginReading(
  connection: DuckDBConnection,
  { known, isOpen }: { known: Layout | null; isOpen: boolean },
): Promise<Layout> {
  const begin = isOpen ? 'ROLLBACK; BEGIN' : 'BEGIN';
  if (known === null) return layoutFrom(connection, `${begin}; ${READ_LAYOUT}`);
  // BEGIN alone takes no snapshot; this statement does, at half the cost of reading the layout.
  await connection.run(`${begin}; SELECT txid_current()`);
  return known;
}

async function layoutFrom(connection: DuckDBConnection, sql: string): Promise<Layout> {
  const reader = await connection.runAndReadAll(sql);
  const [lastRun, ...columns] = reader.getRows()[0]!.map(Number);
  return {
    lastRun: lastRun!,
    columns: Object.fromEntries(KINDS.map((kind, index) => [kind, columns[index]!])) as ColumnCounts,
  };
}

/**
 * Earlier programs also learned columns late, with `since` above 0: events whose `epoch` is lower
 * have the path in their JSON alone. Such a path keeps its columns if compaction has filled them
 * for all events; otherwise its columns are retired.
 */
export async function settleLateColumns(connection: DuckDBConnection): Promise<void> {
  const late = await connection.runAndReadAll('SELECT 1 FROM learned WHERE since > 0 LIMIT 1');
  if (late.currentRowCount === 0) return;
  await connection.run(`BEGIN;
    UPDATE learned SET path = '[]' WHERE EXISTS (
      SELECT 1 FROM (SELECT tenant, epoch FROM hot UNION ALL SELECT tenant, epoch FROM cold) AS event
      WHERE event.tenant = learned.tenant AND event.epoch < learned.since);
    UPDATE learned SET since = 0 WHERE since > 0;
    COMMIT`);
}

export async function addColumns(transact: Transact, present: ColumnCounts, wanted: ColumnCounts): Promise<void> {
  const grown = { ...present };
  const statements: string[] = [];
  for (const kind of KINDS.filter((one) => wanted[one] > present[one])) {
    grown[kind] = Math.min(MAX_COLUMNS[kind], wanted[kind] + GROWTH);
    for (let index = present[kind]; index < grown[kind]; index++) {
      for (const table of ['hot', 'cold']) {
        statements.push(`ALTER TABLE ${table} ADD COLUMN ${columnName(kind, index)} ${TYPE_OF_KIND[kind]}`);
      }
    }
    statements.push(`UPDATE layout SET ${kind}_columns = ${grown[kind]}`);
  }
  if (statements.length > 0) await transact((connection) => connection.run(statements.join('; ')));
}
