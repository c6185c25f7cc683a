import { join } from 'node:path';
import { type Installation, openInstallation } from '../../installation/installation.ts';
import { STATE_FILE } from '../../installation/names.ts';
import type { StateDatabase } from '../sql/database.ts';
import { openStateDatabase } from './database.ts';
import { examineState } from './examine/state.ts';

export interface OpenedState {
  installation: Installation;
  path: string;
  database: StateDatabase;
}

/** Also lists it in the manifest. Throws an UnusableFile. */
export async function openStateFile(config: { dataDir: string; secretKey?: string | undefined }): Promise<OpenedState> {
  const { dataDir } = config;
  const installation = openInstallation(config);
  await examineState(dataDir, {
    thorough: false,
    identity: installation.identityOf(STATE_FILE),
    // Imported for an empty file only: it loads the engine.
    mustHoldSomething: async () => (await import('../../events/duckdb/upkeep/examine.ts')).hasAccepted(dataDir),
  });
  const path = join(dataDir, STATE_FILE);
  const database = await openStateDatabase(path, installation.id);
  installation.made(STATE_FILE);
  return { installation, path, database };
}
