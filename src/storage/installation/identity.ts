import { damaged } from './unusable.ts';

export interface StoreIdentity {
  installationId: string;
  /** False for a new store, and until a restored one is opened: opening it writes the id. */
  isMarked: boolean;
}

/** `found`: the id in the store. Throws an UnusableFile. */
export function refuseForeign(path: string, found: string | null, { installationId, isMarked }: StoreIdentity): void {
  if (found === installationId || (found === null && !isMarked)) return;
  const whose = found === null ? 'carries no id of an installation' : `is of another installation (${found})`;
  throw damaged(path, `${whose}; installation.json names ${installationId}`);
}
