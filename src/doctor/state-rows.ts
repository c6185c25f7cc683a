import type { SealingKeyRow } from '../storage/state/postgres/examine.ts';
import type { ExaminedRows } from '../storage/state/sql/examined.ts';
import { examineStateRows } from '../storage/state/sqlite/examine/state.ts';

export interface StateSettings {
  dataDir: string;
  nodes?: { databaseUrl: string } | null;
}

/** `sealingKeys`: null where they are in a file. */
export type StateRows = ExaminedRows & { sealingKeys: SealingKeyRow[] | null };

/** From `state.sqlite`, or from the database that nodes share. */
export async function readState({ dataDir, nodes }: StateSettings): Promise<StateRows> {
  if (!nodes) return { ...(await examineStateRows(dataDir)), sealingKeys: null };
  const { examinePostgresRows } = await import('../storage/state/postgres/examine.ts');
  return examinePostgresRows(nodes.databaseUrl);
}
