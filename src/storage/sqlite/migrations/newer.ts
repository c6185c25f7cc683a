import { UnusableFile } from '../../files/unusable.ts';
import { migrations } from './index.ts';

/** Throws an UnusableFile for an unknown migration. */
export function refuseNewer(path: string, applied: string[]): void {
  const unknown = applied.filter((name) => !(name in migrations)).at(-1);
  if (unknown === undefined) return;
  throw new UnusableFile(
    path,
    `was written by a newer agent-runtime (migration ${unknown}). Install that version again, or use another data directory.`,
  );
}
