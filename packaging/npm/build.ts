import { join } from 'node:path';
import { sizeOf } from '../binary/files.ts';
import { npm } from '../binary/lockfile.ts';
import { BUILD } from '../paths.ts';
import { makeNpmPackage } from './package.ts';

/* `npm run package`: writes build/npm and packs it into build/agent-runtime-<version>.tgz. */

const directory = join(BUILD, 'npm');
await makeNpmPackage(directory);
const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', BUILD], directory)) as [
  { filename: string },
];
const path = join(BUILD, filename);
console.log(`${path} (${(sizeOf(path) / 1e6).toFixed(1)} MB)`);
