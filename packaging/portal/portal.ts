import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../paths.ts';
import { compressFiles } from './compress.ts';

/**
 * Writes the portal's pages: what `src/portal` serves. Resolves with the source files in them,
 * relative to the repository, whose licences go with them.
 */
export async function buildPortal(directory: string): Promise<string[]> {
  const { build } = await import('vite');
  rmSync(directory, { recursive: true, force: true });
  const built = await build({
    configFile: join(ROOT, 'portal/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: directory, emptyOutDir: true },
  });
  if (!('output' in built)) throw new Error('Vite did not build the portal once.');
  await compressFiles(directory);
  const modules = built.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  return modules.filter((path) => path.startsWith(ROOT)).map((path) => relative(ROOT, path.replace(/\?.*$/, '')));
}
