import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import type { Package } from '../licences/packages.ts';
import { packagesOf, thirdPartyNotices } from '../licences/third-party.ts';
import { ROOT } from '../paths.ts';
import { bundle } from './bundle.ts';
import { compiledInPackages, nodePackages } from './compiled-in.ts';
import { copyKeptPackages } from './kept-packages.ts';
import { sbom } from './sbom.ts';
import type { Target } from './targets.ts';

export const FILES = { notices: 'THIRD-PARTY.txt', sbom: 'agent-runtime.cdx.json' };

export interface App {
  directory: string;
  /** Of esbuild. */
  bundled: Metafile;
  /** What is in it, for a wrapping that adds more. */
  packages: Package[];
  compiledIn: Package[];
}

/** Writes the bundle with the native packages of a target, licences and SBOM. */
export async function makeApp(target: Target, directory: string): Promise<App> {
  const { metafile, sources } = await bundle(directory);
  const kept = await copyKeptPackages(target, join(directory, 'node_modules'));
  const packaged = [...sources, ...kept.map((path) => `${relative(ROOT, path)}/package.json`)];
  const app = { directory, bundled: metafile, packages: packagesOf(packaged), compiledIn: compiledInPackages() };
  const { name, version } = PROGRAM;
  writeJson(join(directory, 'package.json'), { name, version, license: 'MIT', type: 'module', private: true });
  describeParts(app);
  return app;
}

/** The same for a wrapping that contains Node.js. */
export async function makeAppWithNode(target: Target, directory: string): Promise<void> {
  describeParts(await makeApp(target, directory), await nodePackages());
}

/** Writes the licences and the SBOM of an app, with what a wrapping adds. */
export function describeParts(
  { directory, packages, compiledIn }: Omit<App, 'bundled'>,
  added: readonly Package[] = [],
): void {
  const others = [...compiledIn, ...added];
  const withLicence = [...packages, ...others].filter(({ licenceText }) => licenceText !== '');
  writeFileSync(join(directory, FILES.notices), thirdPartyNotices(PROGRAM.name, withLicence));
  writeFileSync(join(directory, FILES.sbom), sbom(packages, others));
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
