import { type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { StateDatabase } from './database.ts';

/** Epoch milliseconds by the clock of the database, which all processes share. */
export function databaseNow(database: StateDatabase): RawBuilder<number> {
  return database.getExecutor().adapter instanceof SqliteAdapter
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS integer)`
    : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;
}
