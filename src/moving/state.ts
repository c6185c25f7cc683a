import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { StateDatabase, StateTransaction } from '../storage/sql/database.ts';
import { dialectOf } from '../storage/sql/dialect.ts';
import { toReview } from '../storage/sql/reviews/lists.ts';
import { indexedTerms } from '../storage/sql/reviews/terms.ts';
import { APPEND_ONLY, MOVED_TABLES, type MovedTable, NOT_MOVED, ROWS_AT_ONCE } from './state-tables.ts';

type Row = Record<string, string | number | null>;

export interface TableDigest {
  rows: number;
  /** Of all rows in the order of their keys. */
  sha256: string;
}

const ROWS = 500;

/**
 * Makes the tables of `to` equal to those of `from`: changed and new rows are put, others are removed. Can be repeated
 * after an interruption. Nothing else may write to `to`.
 */
export async function copyState(
  from: StateDatabase,
  to: StateDatabase,
  onRows: (rows: number) => void = () => undefined,
): Promise<void> {
  const names = Object.keys(MOVED_TABLES) as MovedTable[];
  // Rows that reference others go first.
  for (const table of names.toReversed()) if (!APPEND_ONLY.has(table)) await removeOthers(from, to, table);
  for (const table of names) {
    for await (const rows of pages(from, table)) {
      await to.transaction().execute((transaction) => putRows(transaction, table, rows));
      onRows(rows.length);
    }
  }
  await dialectOf(to).continueNumbers(to);
}

export async function countState(database: StateDatabase): Promise<number> {
  let rows = 0;
  for (const table of Object.keys(MOVED_TABLES) as MovedTable[]) rows += await count(database, table);
  return rows;
}

export async function digestTable(database: StateDatabase, table: MovedTable): Promise<TableDigest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pages(database, table)) {
    for (const row of page) hash.update(canonical(row));
    rows += page.length;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** The columns of both databases have the same names, but perhaps another order. */
function canonical(row: Row): string {
  return `${JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))}\n`;
}

/** By key, so that each page is found by its index. */
async function* pages(database: StateDatabase, table: MovedTable): AsyncGenerator<Row[]> {
  const keys = MOVED_TABLES[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const limit = ROWS_AT_ONCE[table] ?? ROWS;
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

async function putRows(transaction: StateTransaction, table: MovedTable, rows: Row[]): Promise<void> {
  const keys: readonly string[] = MOVED_TABLES[table];
  // A trigger refuses lines of the audit log that are there, whatever the statement says of conflicts.
  const there = new Set(APPEND_ONLY.has(table) ? await existing(transaction, table, rows) : []);
  for (const row of rows) {
    if (there.has(keyOf(row, keys))) continue;
    const columns = Object.keys(row);
    const changed = columns.filter((column) => !keys.includes(column));
    const names = (of: readonly string[]) => sql.join(of.map((column) => sql.ref(column)));
    const conflict =
      changed.length === 0
        ? sql`DO NOTHING`
        : sql`DO UPDATE SET ${sql.join(changed.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`;
    await sql`INSERT INTO ${sql.table(table)} (${names(columns)}) VALUES (${sql.join(Object.values(row))})
      ON CONFLICT (${names(keys)}) ${conflict}`.execute(transaction);
    if (table === 'reviews') await indexReview(transaction, row);
  }
}

async function indexReview(transaction: StateTransaction, row: Row): Promise<void> {
  const number = Number(row.number);
  const review = toReview(row as unknown as Parameters<typeof toReview>[0]);
  await transaction.deleteFrom('review_index').where('rowid', '=', number).execute();
  const terms = indexedTerms(String(row.tenant_id), review);
  await dialectOf(transaction).reviews.insert(number, terms).execute(transaction);
}

/** Rows of `to` that `from` does not have, page by page of both in the order of their keys. */
async function removeOthers(from: StateDatabase, to: StateDatabase, table: MovedTable): Promise<void> {
  const keys = MOVED_TABLES[table];
  const name = sql.table(table);
  for await (const page of pages(to, table)) {
    const kept = new Set(await existing(from, table, page));
    for (const row of page) {
      if (kept.has(keyOf(row, keys))) continue;
      await sql`DELETE FROM ${name} WHERE ${isRow(row, keys)}`.execute(to);
    }
  }
}

async function existing(database: StateDatabase, table: MovedTable, rows: Row[]): Promise<string[]> {
  const keys = MOVED_TABLES[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
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

function valuesOf(row: Row, keys: readonly string[]) {
  return keys.map((key) => row[key]);
}

function keyOf(row: Row, keys: readonly string[]): string {
  return JSON.stringify(valuesOf(row, keys));
}

function isMoved(table: MovedTable): RawBuilder<boolean> {
  return sql.raw(NOT_MOVED[table] ?? 'true');
}

async function count(database: StateDatabase, table: MovedTable): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    SELECT count(*) AS rows FROM ${sql.table(table)} WHERE ${isMoved(table)}`.execute(database);
  return rows[0]!.rows;
}
