import type { DuckDBConnection } from '@duckdb/node-api';
import { refuseForeign, type StoreIdentity } from '../../installation/unusable.ts';
import { tableNames } from './read/rows.ts';

export interface EventIdentities {
  spool: StoreIdentity;
  events: StoreIdentity;
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
