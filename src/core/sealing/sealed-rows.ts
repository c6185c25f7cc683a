import { type SecretPlace, sealedKeyId } from './sealing.ts';

export interface SealedRow {
  kind: 'credential' | 'provider';
  tenantId: string;
  name: string;
  stored: string;
  /** The content with each sealed text replaced by the result of `change`. */
  reseal(change: (sealed: string, place: SecretPlace) => string): string;
}

/** Every row of the installation with sealed texts. Add new kinds of sealed text here. */
export interface SealedRowStore {
  /** Rows of every tenant, in a stable order. */
  list(): Promise<SealedRow[]>;
  /** In one transaction. Skips rows changed or removed since. Returns the number replaced. */
  replace(changes: { row: SealedRow; stored: string }[]): Promise<number>;
}

export function keyIdsOf(row: SealedRow): string[] {
  const ids: string[] = [];
  row.reseal((sealed) => {
    const id = sealedKeyId(sealed);
    if (id !== null) ids.push(id);
    return sealed;
  });
  return ids;
}

export async function neededKeys(rows: Pick<SealedRowStore, 'list'>): Promise<Set<string>> {
  return new Set((await rows.list()).flatMap(keyIdsOf));
}
