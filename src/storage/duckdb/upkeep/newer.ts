import { UnusableFile } from '../../files/unusable.ts';
import { VERSION } from '../tables.ts';

/** Throws an UnusableFile for tables of a version that is not known here. */
export function refuseNewer(path: string, version: number): void {
  if (version <= VERSION) return;
  throw new UnusableFile(
    path,
    `was written by a newer agent-runtime (schema ${version}, this program knows ${VERSION}). Install that version again, or use another data directory.`,
  );
}
