import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { ROOT } from '../paths.ts';

const SOURCES = 'portal/mcp-app';

/** Writes the view of a card for hosts of MCP Apps: one HTML file that loads nothing. */
export async function buildCardApp(outFile: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`${SOURCES}/card.ts`],
    outdir: 'build',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: { VERSION: JSON.stringify(PROGRAM.version) },
    metafile: true,
    logLevel: 'warning',
  });
  const textOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))!.text.trim();
  const html = readFileSync(join(ROOT, SOURCES, 'card.html'), 'utf8')
    .replace(/\n\s*/g, '\n')
    // Functions, because `$` is special in a replacement string.
    .replace('<!-- style -->', () => `<style>${textOf('.css')}</style>`)
    .replace('<!-- script -->', () => `<script type="module">${inElement(textOf('.js'))}</script>`);
  writeFileSync(outFile, html);
  return metafile;
}

/** Escapes what would end the script element. */
function inElement(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}
