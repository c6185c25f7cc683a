import { damaged } from './unusable.ts';

/** The installation that a store must belong to. */
export interface StoreIdentity {
  installationId: string;
  /** False for a new store and one of an older version: opening it writes the id. */
  isMarked: boolean;
}

/** Throws an UnusableFile for a store of another installation. `found`: the id in it, or null. */
export function refuseForeign(path: string, found: string | null, { installationId, isMarked }: StoreIdentity): void {
  if (found === installationId || (found === null && !isMarked)) return;
  const whose = found === null ? 'carries no id of an installation' : `is of another installation (${found})`;
  throw damaged(path, `${whose}; installation.json names ${installationId}`);
}
