import type { SealingKeyRow } from '../storage/state/postgres/examine.ts';
import type { ExaminedRows } from '../storage/state/sql/examined.ts';
import { examineStateRows } from '../storage/state/sqlite/examine/state.ts';

export interface StateSettings {
  dataDir: string;
  databaseUrl?: string | undefined;
}

/** `sealingKeys`: null where they are in a file. */
export type StateRows = ExaminedRows & { sealingKeys: SealingKeyRow[] | null };

/** From `state.sqlite`, or from the database of AGENT_RUNTIME_DATABASE_URL. */
export async function readState({ dataDir, databaseUrl }: StateSettings): Promise<StateRows> {
  if (databaseUrl === undefined) return { ...(await examineStateRows(dataDir)), sealingKeys: null };
  const { examinePostgresRows } = await import('../storage/state/postgres/examine.ts');
  return examinePostgresRows(databaseUrl);
}
