import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { writeApiDocs } from '../api-docs/write.ts';
import { ROOT } from '../paths.ts';
import { copyPart } from '../portal/parts.ts';
import { filesIn } from './files.ts';
import { KEPT_PACKAGES } from './kept-packages.ts';
import { httpWithoutFetch, keepNames, keepPlaces } from './plugins.ts';

/*
 * The bundle: a directory that needs only Node.js. Its content is the same in every wrapping.
 *
 *   bin/            starts the program
 *   dist/           src and its JavaScript packages, bundled and split into chunks
 *   dist/portal/    the pages of the portal and the API reference, beside the module that serves them
 *   node_modules/   native packages of the target, less what never runs
 *   docs/, samples/, skills/, LICENSE, ...
 */

const SRC = join(ROOT, 'src');
const COPIED = ['docs', 'samples', 'skills', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

/** Bundled CommonJS code expects `require` and its like. */
const BANNER = [
  `import{createRequire as __createRequire}from'node:module'`,
  `import{fileURLToPath as __toPath}from'node:url'`,
  `const __dist=import.meta.url.slice(0,import.meta.url.lastIndexOf('/dist/')+6)`,
  `const require=__createRequire(import.meta.url)`,
  `const __filename=__toPath(import.meta.url)`,
  `const __dirname=__toPath(new URL('.',import.meta.url))`,
].join(';');

export interface Bundle {
  metafile: Metafile;
  /** The bundled source files, relative to the repository. */
  sources: string[];
}

/** Writes the bundle, without native packages. The same sources give the same bytes. */
export async function bundle(out: string): Promise<Bundle> {
  rmSync(out, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries().map((entry) => `src/${entry}`),
    outbase: 'src',
    outdir: join(out, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.14',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    chunkNames: 'chunks/[hash]',
    banner: { js: `${BANNER};` },
    external: [...KEPT_PACKAGES],
    plugins: [keepPlaces(SRC), keepNames(KEPT_PACKAGES), httpWithoutFetch],
    metafile: true,
    logLevel: 'warning',
  });
  for (const name of COPIED) cpSync(join(ROOT, name), join(out, name), { recursive: true });
  writeApiDocs(join(out, 'docs/api'));
  const programs = filesIn(join(ROOT, 'bin')).filter((file) => file.endsWith('.js'));
  for (const file of programs) cpSync(join(ROOT, 'bin', file), join(out, 'bin', file));
  const pages = await copyPart('portal', join(out, 'dist/portal'));
  const reference = await copyPart('reference', join(out, 'dist/portal/reference'));
  return { metafile, sources: [...Object.keys(metafile.inputs), ...pages, ...reference] };
}

/** Threads start from files of their own, which keep their places. */
function entries(): string[] {
  return ['main.ts', ...filesIn(SRC).filter((file) => /(^|[/-])entry\.ts$/.test(file))];
}
