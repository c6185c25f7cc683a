import { join } from 'node:path';
import { ROOT } from '../paths.ts';
import { type Package, packageDirectories, readPackage } from './packages.ts';

/** The packages of bundled source files, which are given relative to the repository. */
export function packagesOf(sources: Iterable<string>): Package[] {
  return packageDirectories(sources).map((directory) => readPackage(join(ROOT, directory)));
}

/** The licences of packages, which must be distributed with their code. */
export function thirdPartyNotices(where: string, packages: readonly Package[]): string {
  return `${where} contains code of the packages below.\n\n${packages.map(notice).join('\n')}`;
}

function notice({ name, version, license, licenceText }: Package): string {
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${licenceText}\n`;
}
