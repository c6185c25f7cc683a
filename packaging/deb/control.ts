import { PROGRAM } from '../../src/core/base/shared/program.ts';
import type { Target } from '../binary/targets.ts';

/** What Node.js and the native packages are linked with. */
const DEPENDS = ['libc6 (>= 2.34)', 'libgcc-s1', 'libstdc++6 (>= 11)'];

const DESCRIPTION = [
  'MCP-first server for teams that run AI agents',
  'Applications send business events; MCP clients ask for KPIs, tables and',
  'dashboard cards. One process, one data directory, no other service.',
];

/** Debian's name of a target's processor. Throws for other systems than Linux. */
export function architectureOf({ name, platform, arch }: Target): string {
  if (platform !== 'linux') throw new Error(`There is no Debian package for ${name}.`);
  return arch === 'x64' ? 'amd64' : arch;
}

/** `DEB_MAINTAINER` is the address for questions; a release sets it. */
export function control(architecture: string, installedBytes: number): string {
  return [
    `Package: ${PROGRAM.name}`,
    `Version: ${debianVersion()}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${process.env.DEB_MAINTAINER || 'Agent Runtime <maintainers@example.invalid>'}`,
    `Installed-Size: ${Math.ceil(installedBytes / 1024)}`,
    `Depends: ${DEPENDS.join(', ')}`,
    'Section: net',
    'Priority: optional',
    `Description: ${DESCRIPTION.join('\n ')}`,
    '',
  ].join('\n');
}

/** A pre-release sorts before its release. */
export function debianVersion(): string {
  return PROGRAM.version.replace('-', '~');
}
