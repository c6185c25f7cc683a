import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../paths.ts';
import { buildCardApp } from './card-app.ts';
import { writeFonts } from './fonts.ts';

/**
 * Builds the portal's pages and the view of a card for MCP, which `src/portal` serves. Resolves with the bundled source
 * files, relative to the repository, for the licence notices.
 */
export async function buildPortal(directory: string): Promise<string[]> {
  await writeFonts();
  const { build } = await import('vite');
  rmSync(directory, { recursive: true, force: true });
  const built = await build({
    configFile: join(ROOT, 'portal/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: directory, emptyOutDir: true },
  });
  if (!('output' in built)) throw new Error('Vite did not build the portal once.');
  const { inputs } = await buildCardApp(join(directory, 'card.html'));
  const modules = built.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const pages = modules.filter((path) => path.startsWith(ROOT));
  return [...pages.map((path) => relative(ROOT, path.replace(/\?.*$/, ''))), ...Object.keys(inputs)];
}
