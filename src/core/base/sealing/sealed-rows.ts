import { type SecretPlace, sealedKeyId } from './sealing.ts';

export interface SealedRow {
  kind: 'credential' | 'provider' | 'delivery' | 'alert' | 'digest' | 'identity provider' | 'TOTP secret';
  /** Null: of the whole installation. */
  tenantId: string | null;
  /**
   * Of a delivery, an alert, a digest or an identity provider: its id; of a TOTP secret: the
   * user's.
   */
  name: string;
  stored: string;
  reseal(change: (sealed: string, place: SecretPlace) => string): string;
}

/** Every row with sealed texts, of all tenants, in a stable order. Add new kinds here. */
export interface SealedRowStore {
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
