import type { DuckDBConnection } from '@duckdb/node-api';
import { refuseForeign, type StoreIdentity } from '../files/identity.ts';

/** The id of the installation that the tables belong to; null when none has been written yet. */
export async function installationIn(connection: DuckDBConnection): Promise<string | null> {
  const table = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE table_name = 'installation_id'");
  if (table.currentRowCount === 0) return null;
  const found = await connection.runAndReadAll('SELECT id FROM installation_id');
  return found.currentRowCount === 0 ? null : String(found.getRows()[0]![0]);
}

/** Writes the id into tables that carry none. Throws an UnusableFile, and changes nothing, when they belong elsewhere. */
export async function claimTables(connection: DuckDBConnection, path: string, identity: StoreIdentity): Promise<void> {
  const found = await installationIn(connection);
  try {
    refuseForeign(path, found, identity);
  } catch (error) {
    // The file of another installation stays as it is.
    await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    throw error;
  }
  if (identity.isMarked) return;
  if (found === null) {
    await connection.run('BEGIN; CREATE TABLE IF NOT EXISTS installation_id (id VARCHAR NOT NULL)');
    await connection.run('INSERT INTO installation_id VALUES ($1)', [identity.installationId]);
    await connection.run('COMMIT');
  }
  // Into the file itself: it must be known also when its log is lost.
  await connection.run('CHECKPOINT');
}
