import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import { damaged } from '../../../installation/unusable.ts';
import { readNumber } from '../read/rows.ts';
import { hasLog } from './log-file.ts';

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
