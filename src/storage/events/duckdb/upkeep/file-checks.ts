import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import {
  damaged,
  ofNewerVersion,
  ofOlderVersion,
  refuseForeign,
  type StoreIdentity,
} from '../../../installation/unusable.ts';
import { hasLog } from '../clean-close.ts';
import { readNumber, tableNames } from '../read/rows.ts';
import { EVENTS_VERSION, SCHEMA, settleLateColumns } from '../tables.ts';

/** Three headers precede the blocks. */
const HEADER_BYTES = 3 * 4_096;
const PROGRESS_MS = 200;

/** Throws an UnusableFile if blocks are missing. Not checked with a log, which may add some. */
export async function refuseTruncated(connection: DuckDBConnection, path: string): Promise<void> {
  if (hasLog(path)) return;
  const used = await readNumber(connection, 'SELECT block_size * used_blocks FROM pragma_database_size()');
  const expected = HEADER_BYTES + used;
  const { size } = statSync(path);
  if (size < expected) throw damaged(path, `is cut off: it has ${size} bytes, and needs ${expected} at least`);
}

/** `onProgress` gets the share read so far, 0 to 1. */
export async function readTables(
  connection: DuckDBConnection,
  tables: Iterable<string>,
  onProgress: (share: number) => void,
): Promise<void> {
  const sizes = await rowsOfTables(connection);
  const total = [...sizes.values()].reduce((sum, rows) => sum + rows, 0) || 1;
  // The engine reports its progress only with the progress bar on.
  await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  let before = 0;
  for (const table of tables) {
    const rows = sizes.get(table) ?? 0;
    const report = () => onProgress((before + (rows * Math.max(connection.progress.percentage, 0)) / 100) / total);
    const reporting = new PeriodicTask({ everyMs: PROGRESS_MS, run: report });
    try {
      await connection.run(`SELECT bit_xor(hash("${table}")) FROM "${table}"`);
    } finally {
      void reporting.close();
    }
    before += rows;
    onProgress(before / total);
  }
}

async function rowsOfTables(connection: DuckDBConnection): Promise<Map<string, number>> {
  const reader = await connection.runAndReadAll('SELECT table_name, estimated_size FROM duckdb_tables()');
  return new Map(reader.getRows().map(([name, rows]) => [String(name), Number(rows)]));
}

/** Throws an UnusableFile for tables of another version. */
export async function createTables(connection: DuckDBConnection, path: string): Promise<void> {
  if ((await knownVersion(connection, path)) === 0) await connection.run(`BEGIN; ${SCHEMA} COMMIT;`);
  else await settleLateColumns(connection);
}

/** 0 for a new file. Throws an UnusableFile for tables of another version. */
export async function knownVersion(connection: DuckDBConnection, path: string): Promise<number> {
  if (!(await tableNames(connection)).has('schema_version')) return 0;
  const version = await readNumber(connection, 'SELECT max(version) FROM schema_version');
  const versions = `schema ${version}, this program knows ${EVENTS_VERSION}`;
  if (version > EVENTS_VERSION) throw ofNewerVersion(path, versions);
  if (version < EVENTS_VERSION) throw ofOlderVersion(path, versions);
  return version;
}

export async function installationIn(connection: DuckDBConnection): Promise<string | null> {
  if (!(await tableNames(connection)).has('installation_id')) return null;
  const found = await connection.runAndReadAll('SELECT id FROM installation_id');
  return found.currentRowCount === 0 ? null : String(found.getRows()[0]![0]);
}

/** Writes the id if there is none; throws an UnusableFile if there is another. */
export async function claimTables(connection: DuckDBConnection, path: string, identity: StoreIdentity): Promise<void> {
  const found = await installationIn(connection);
  try {
    refuseForeign(path, found, identity);
  } catch (error) {
    // The file of another installation stays unchanged.
    await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    throw error;
  }
  if (identity.isMarked) return;
  if (found === null) {
    await connection.run('BEGIN; CREATE TABLE IF NOT EXISTS installation_id (id VARCHAR NOT NULL)');
    await connection.run('INSERT INTO installation_id VALUES ($1)', [identity.installationId]);
    await connection.run('COMMIT');
  }
  // The id must survive the loss of the log.
  await connection.run('CHECKPOINT');
}
