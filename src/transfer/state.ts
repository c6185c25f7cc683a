import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { AUDIT_DAYS } from '../core/base/audit/log.ts';
import type { StateDatabase, StateTransaction } from '../storage/state/sql/database.ts';
import { dialectOf } from '../storage/state/sql/dialect.ts';
import { type ExecutionTableRow, toFacts } from '../storage/state/sql/executions/rows.ts';
import { compileStatements, writeFacets } from '../storage/state/sql/executions/write.ts';
import { toReview } from '../storage/state/sql/reviews/lists.ts';
import { indexedTerms } from '../storage/state/sql/reviews/terms.ts';
import { ALL_TABLES, type StateTable, TABLES } from '../storage/state/tables.ts';

type Row = Record<string, string | number | Buffer | null>;

export interface TableDigest {
  rows: number;
  /** The hash of all rows in the order of their keys. */
  sha256: string;
}

/** In the order in which rows may be added. */
export const MOVED_TABLES = ALL_TABLES.filter(([, { moves }]) => moves).map(([table]) => table);

const ROWS = 500;
const AUDIT_RETENTION_MS = AUDIT_DAYS * 86_400_000;

/**
 * Makes the tables of `to` equal to those of `from`, in one transaction. Can be repeated after an
 * interruption. Nothing else may write to `to`.
 */
export async function copyState(
  from: StateDatabase,
  to: StateDatabase,
  onRows: (rows: number) => void = () => undefined,
): Promise<void> {
  await to.transaction().execute(async (transaction) => {
    // All are put again: rows that have exchanged unique values would refuse each other. Those that
    // reference others go first.
    for (const table of MOVED_TABLES.toReversed()) if (!TABLES[table].stays) await removeAll(transaction, table);
    await removeOtherTenants(from, transaction);
    await removeExpiredLines(transaction);
    for (const table of MOVED_TABLES) {
      for await (const rows of pages(from, table)) {
        await putRows(transaction, table, rows);
        onRows(rows.length);
      }
    }
    await indexExecutions(transaction);
  });
  await dialectOf(to).continueNumbers(to);
}

/** Everything it reads is of one moment, while others write. */
export function atOneMoment<Result>(
  database: StateDatabase,
  read: (database: StateTransaction) => Promise<Result>,
): Promise<Result> {
  // SQLite has it in every transaction.
  return database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

export async function countState(database: StateDatabase): Promise<number> {
  let rows = 0;
  for (const table of MOVED_TABLES) rows += await count(database, table);
  return rows;
}

export async function digestTable(
  database: StateDatabase,
  table: StateTable,
  onRows: (rows: number) => void = () => undefined,
): Promise<TableDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pages(database, table)) {
    for (const row of page) hash.update(canonical(row));
    rows += page.length;
    onRows(page.length);
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Says whether an index that is not moved has the row. */
const NOT_MOVED = 'is_indexed';

/** The columns of both databases have the same names, but perhaps another order. */
function canonical(row: Row): string {
  const members = Object.entries(row)
    .filter(([column]) => column !== NOT_MOVED)
    .map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString('base64') : value] as const);
  return `${JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)))}\n`;
}

/** By key, so that each page is found by its index. */
async function* pages(database: StateDatabase, table: StateTable): AsyncGenerator<Row[]> {
  const keys = TABLES[table].key;
  const columns = refs(keys);
  const limit = TABLES[table].rowsAtOnce ?? ROWS;
  let last: Row | undefined;
  for (;;) {
    const after = last ? sql`AND (${columns}) > (${sql.join(valuesOf(last, keys))})` : sql``;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${isMoved(table)} ${after}
      ORDER BY ${columns} LIMIT ${limit}`.execute(database);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

async function putRows(transaction: StateTransaction, table: StateTable, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  // A trigger refuses lines of the audit log that are there, whatever the statement says of
  // conflicts.
  const there = new Set(table === 'audit_log' ? await existing(transaction, table, rows) : []);
  const added = rows.filter((row) => !there.has(keyOf(row, TABLES[table].key)));
  if (added.length === 0) return;
  const values = added.map((row) => sql`(${sql.join(columns.map((name) => (name === NOT_MOVED ? 0 : row[name])))})`);
  await sql`INSERT INTO ${sql.table(table)} (${refs(columns)}) VALUES ${sql.join(values)}
    ${table === 'tenants' ? onConflict(table, columns) : sql``}`.execute(transaction);
  if (table === 'reviews') for (const row of added) await indexReview(transaction, row);
}

function onConflict(table: StateTable, columns: string[]): RawBuilder<unknown> {
  const changed = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`ON CONFLICT (${refs(TABLES[table].key)}) DO UPDATE SET ${sql.join(changed)}`;
}

async function indexReview(transaction: StateTransaction, row: Row): Promise<void> {
  const number = Number(row.number);
  const review = toReview(row as unknown as Parameters<typeof toReview>[0]);
  const terms = indexedTerms(String(row.tenant_id), review);
  await dialectOf(transaction)
    .terms.insert('review_index', [[number, terms]])
    .execute(transaction);
}

/** Words of contents are indexed by the server. */
async function indexExecutions(transaction: StateTransaction): Promise<void> {
  const statements = compileStatements(transaction);
  for await (const rows of pages(transaction, 'executions')) {
    for (const row of rows as unknown as ExecutionTableRow[]) {
      const { tenant_id: tenantId, number, steps } = row;
      const facets = { tenantId, execution: toFacts(row), before: null, number, hasSteps: steps > 0 };
      await writeFacets(transaction, statements, facets);
    }
  }
}

async function removeAll(transaction: StateTransaction, table: StateTable): Promise<void> {
  await sql`DELETE FROM ${sql.table(table)} WHERE ${isMoved(table)}`.execute(transaction);
}

/** Their lines of the audit log go with them. */
async function removeOtherTenants(from: StateDatabase, transaction: StateTransaction): Promise<void> {
  for await (const page of pages(transaction, 'tenants')) {
    const kept = new Set(await existing(from, 'tenants', page));
    const others = page.filter((row) => !kept.has(keyOf(row, TABLES.tenants.key)));
    for (const { id } of others) await transaction.deleteFrom('tenants').where('id', '=', String(id)).execute();
  }
}

/** Which `from` has perhaps removed. */
async function removeExpiredLines(transaction: StateTransaction): Promise<void> {
  const before = sql<number>`${dialectOf(transaction).now} - ${AUDIT_RETENTION_MS}`;
  await transaction.deleteFrom('audit_log').where('at', '<', before).execute();
}

async function existing(database: StateDatabase, table: StateTable, rows: Row[]): Promise<string[]> {
  const keys = TABLES[table].key;
  const columns = refs(keys);
  const asked = sql.join(
    rows.map((row) => isRow(row, keys)),
    sql` OR `,
  );
  const found = await sql<Row>`SELECT ${columns} FROM ${sql.table(table)} WHERE ${asked}`.execute(database);
  return found.rows.map((row) => keyOf(row, keys));
}

function isRow(row: Row, keys: readonly string[]): RawBuilder<boolean> {
  const conditions = keys.map((key) => sql`${sql.ref(key)} = ${row[key]}`);
  return sql`(${sql.join(conditions, sql` AND `)})`;
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function valuesOf(row: Row, keys: readonly string[]) {
  return keys.map((key) => row[key]);
}

function keyOf(row: Row, keys: readonly string[]): string {
  return JSON.stringify(valuesOf(row, keys));
}

function isMoved(table: StateTable): RawBuilder<boolean> {
  return sql.raw(TABLES[table].moved ?? 'true');
}

async function count(database: StateDatabase, table: StateTable): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    SELECT count(*) AS rows FROM ${sql.table(table)} WHERE ${isMoved(table)}`.execute(database);
  return rows[0]!.rows;
}
