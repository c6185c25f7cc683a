import { ofNewerVersion } from '../../../installation/unusable.ts';
import { migrations } from './index.ts';

/** Throws an UnusableFile for an unknown migration. */
export function refuseNewer(path: string, applied: string[]): void {
  const unknown = applied.filter((name) => !(name in migrations)).at(-1);
  if (unknown === undefined) return;
  throw ofNewerVersion(path, `migration ${unknown}`);
}
