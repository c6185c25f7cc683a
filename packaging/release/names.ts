import { PROGRAM } from '../../src/core/base/shared/program.ts';
import type { Target } from '../binary/targets.ts';

/** The directory in a target's archive, and the beginning of its files' names. */
export function releaseName({ name }: Target, version: string = PROGRAM.version): string {
  return `${PROGRAM.name}-${version}-${name}`;
}

export function archiveName(target: Target, version?: string): string {
  return `${releaseName(target, version)}.${target.platform === 'win32' ? 'zip' : 'tar.gz'}`;
}
