import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeParts } from '../binary/app.ts';
import { bundle } from '../binary/bundle.ts';
import { compiledInPackages } from '../binary/compiled-in.ts';
import { filesIn } from '../binary/files.ts';
import { KEPT_PACKAGES } from '../binary/kept-packages.ts';
import { lockedVersion } from '../binary/lockfile.ts';
import { packagesOf } from '../licences/third-party.ts';
import { ROOT } from '../paths.ts';

/** What `agent-runtime/client` imports. It is not bundled: its declarations refer to these packages. */
const CLIENT_PACKAGES = ['openapi-fetch', 'eventsource-parser'];
const CLIENT = 'clients/typescript';
/** Members of the checkout's package.json that hold for the package as well. */
const COMMON = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports'];

/** Writes the npm package: the bundle and the client, with npm to install the native packages. */
export async function makeNpmPackage(directory: string): Promise<void> {
  const bundled = await bundle(directory);
  cpSync(join(ROOT, 'README.md'), join(directory, 'README.md'));
  const client = filesIn(join(ROOT, CLIENT)).filter((file) => file.startsWith('lib/') || file === 'api.d.ts');
  for (const file of client) cpSync(join(ROOT, CLIENT, file), join(directory, CLIENT, file));
  const sources = [...bundled.sources, ...dependencies().map((name) => `node_modules/${name}/package.json`)];
  describeParts({ directory, packages: packagesOf(sources), compiledIn: compiledInPackages() });
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

function dependencies(): string[] {
  return [...KEPT_PACKAGES, ...CLIENT_PACKAGES].sort();
}

function manifest(): object {
  const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  return {
    ...Object.fromEntries(COMMON.map((member) => [member, ours[member]])),
    ...repository(),
    dependencies: Object.fromEntries(dependencies().map((name) => [name, lockedVersion(name)])),
  };
}

/** In the release, npm compares it with the repository of the workflow. */
function repository(): object {
  const name = process.env.GITHUB_REPOSITORY;
  return name ? { repository: { type: 'git', url: `git+https://github.com/${name}.git` } } : {};
}
