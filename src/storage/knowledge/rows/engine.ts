import type { Embedded } from '../../../core/knowledge/embedder.ts';
import type { ChunkBatch, Lease } from '../../../core/knowledge/store.ts';
import type { JobRow, StoredChunkRow } from './records.ts';

/*
 * Statements of the rows are written once, for SQLite and PostgreSQL: with numbered parameters, and
 * tables by their names in PostgreSQL (`knowledge_jobs` is `jobs` in SQLite's file).
 */

/** Conditions on jobs that wait or run, and on documents that are searchable. */
export const OPEN = "status IN ('queued', 'processing')";
export const FOUND = 'completed_at IS NOT NULL AND removed_at IS NULL';

export interface RowsClient {
  /** Throws `unavailable`: then nothing was changed. */
  query<Row extends object>(
    text: string,
    values?: readonly unknown[],
    durability?: Durability,
  ): Promise<{ rows: Row[]; rowCount: number }>;
}

/** A power failure may undo the change, a crash of the process not. PostgreSQL ignores it. */
export type Durability = 'unsynced';

export interface RowsDatabase extends RowsClient {
  /** Commits when `work` resolves and rolls back when it rejects. */
  transaction<Result>(work: (client: RowsClient) => Promise<Result>, durability?: Durability): Promise<Result>;
}

/**
 * The differences of SQLite and PostgreSQL for rows of vector stores. An engine leaves out what it
 * need not do.
 */
export interface RowsEngine {
  database: RowsDatabase;
  sql: RowsDialect;
  /**
   * Until the transaction ends, no other transaction changes jobs, stores or limits of the tenant.
   * SQLite has one writer anyway.
   */
  lockTenant?(client: RowsClient, tenantId: string): Promise<void>;
  /** Removes what `lockTenant` has stored. */
  forgetTenant?(client: RowsClient, tenantId: string): Promise<void>;
  /** A job of the tenant was claimed. */
  served?(tenantId: string, now: number): void;
  /** Columns of a document that filters read, beside its metadata. */
  filterColumns?(metadata: Record<string, unknown>): Record<string, unknown>;
  createIndexes?(store: number): void;
  createVectors?(store: number, dimensions: number): void;
  /** Drops the indexes of a store that is gone. */
  dropIndexes?(store: number): void;
  /** Adds the new ones of the chunks, with their words and vectors. Returns how many. */
  addChunks(client: RowsClient, job: JobRow, batch: ChunkBatch): Promise<number>;
  knownUnits(lease: Lease, units: Uint8Array[]): Promise<boolean[]>;
  /** Removes the first chunks of a document from everywhere. Returns how many. */
  removeChunks(client: RowsClient, document: RemovedDocument, limit: number): Promise<number>;
  vectorsOf(store: number, chunks: StoredChunkRow[], dimensions: number): Promise<Embedded>;
}

export interface RemovedDocument {
  id: number;
  store: number;
  /** Null if it has no vectors. */
  dimensions: number | null;
}

/** Parts of a statement. Leases end by the clock of the database. */
export interface RowsDialect {
  /** The column of jobs that grows with each one. Their ids follow the clocks of nodes. */
  number: string;
  now: string;
  /** The time that ended before any other. */
  past: string;
  /** A parameter with milliseconds as the time when they have passed. */
  after(parameter: string): string;
  /** The earlier one of a time of the caller and the database's own, in epoch milliseconds. */
  notAfterNow(parameter: string): string;
  /** A parameter with a list of texts as a subquery. */
  texts(parameter: string): string;
  /** When the last job of a tenant was claimed. */
  servedAt(tenant: string): string;
  /** A change that notes when a job was claimed, or nothing. */
  setServed: string;
  /** At the end of a query whose rows are about to be changed. */
  forUpdate: string;
  /** Rows that another transaction is changing are left out. */
  skipLocked(table?: string): string;
}

/** Inserts a row whose columns are the members. */
export async function insertRow<Row extends object>(
  client: RowsClient,
  table: string,
  row: Record<string, unknown>,
): Promise<Row> {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `$${index + 1}`);
  const { rows } = await client.query<Row>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')}) RETURNING *`,
    Object.values(row),
  );
  return rows[0]!;
}
