import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.ts';
import { packageDirectory } from './lockfile.ts';
import { strip } from './strip.ts';
import type { Target } from './targets.ts';

/**
 * Packages that are not bundled: native code, WebAssembly, fonts, or threads that start from the
 * package's own files. `npm` packages depend on them; their packages for one platform come with them.
 */
export const KEPT_PACKAGES = [
  'better-sqlite3',
  'sqlite-vec',
  '@duckdb/node-bindings',
  '@hyzyla/pdfium',
  '@resvg/resvg-js',
  '@expo-google-fonts/inter',
  'piscina',
] as const;

/** The files that run, and the licence, by package. A folder is kept for what is in it. */
function keptFiles({ name, sqliteVec, duckdb, resvg }: Target): Record<string, RegExp> {
  return {
    'better-sqlite3': new RegExp(`^(package\\.json|LICENSE|lib/.*|prebuilds/${name}\\.node)$`),
    'sqlite-vec': /^(package\.json|LICENSE.*|index\.(cjs|mjs))$/,
    [sqliteVec]: /^(package\.json|LICENSE.*|vec0\..*)$/,
    '@duckdb/node-bindings': /^(package\.json|LICENSE|duckdb\.js)$/,
    [duckdb]: /^(package\.json|LICENSE|.*\.(node|so|dylib|dll))$/,
    'detect-libc': /^(package\.json|LICENSE|lib\/.*)$/,
    '@hyzyla/pdfium': /^(package\.json|LICENSE.*|dist\/(index\.esm\.js|pdfium\.wasm))$/,
    '@resvg/resvg-js': /^(package\.json|LICENSE|index\.js|js-binding\.js)$/,
    [resvg]: /^(package\.json|.*\.node)$/,
    '@expo-google-fonts/inter': /^(package\.json|LICENSE.*|(400Regular|600SemiBold)\/.*\.ttf)$/,
    piscina: /^(package\.json|LICENSE|dist\/.*(?<!\.map|\.d\.ts))$/,
  };
}

/** Copies the packages, pruned, into `node_modules`. Resolves with the directories they came from. */
export async function copyKeptPackages(target: Target, nodeModules: string): Promise<string[]> {
  const directories: string[] = [];
  for (const [name, kept] of Object.entries(keptFiles(target))) {
    const from = await packageDirectory(name);
    directories.push(from);
    for (const file of filesIn(from)) {
      if (!kept.test(file)) continue;
      const copy = join(nodeModules, name, file);
      cpSync(join(from, file), copy);
      // The symbols of the others are small.
      if (file === 'libduckdb.so') strip(copy, target);
    }
  }
  return directories;
}
