import { type SecretPlace, sealedKeyId } from './sealing.ts';

/** A stored row that holds sealed texts. */
export interface SealedRow {
  kind: 'credential' | 'provider';
  tenantId: string;
  name: string;
  /** What its column holds. */
  stored: string;
  /** What the column holds once each sealed text is replaced by what `change` returns for it. */
  reseal(change: (sealed: string, place: SecretPlace) => string): string;
}

/** Every row of the installation that holds sealed texts. A new kind of sealed text joins here. */
export interface SealedRowStore {
  /** Of every tenant, in a stable order. */
  list(): Promise<SealedRow[]>;
  /**
   * Puts `stored` in the place of what each row held when it was read, in one transaction. A row that was changed or removed
   * meanwhile is left as it is. Returns how many were replaced.
   */
  replace(changes: { row: SealedRow; stored: string }[]): Promise<number>;
}

/** The id of the key of each sealed text; a text that is not one has none. */
export function keyIdsOf(row: SealedRow): string[] {
  const ids: string[] = [];
  row.reseal((sealed) => {
    const id = sealedKeyId(sealed);
    if (id !== null) ids.push(id);
    return sealed;
  });
  return ids;
}

/** The ids of the keys that stored secrets need. */
export async function neededKeys(rows: Pick<SealedRowStore, 'list'>): Promise<Set<string>> {
  return new Set((await rows.list()).flatMap(keyIdsOf));
}
