import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { ROOT } from '../paths.ts';

const HERE = 'portal/reference';

/** Modules of features that are switched off, and texts that are never shown. */
const LEFT_OUT = [
  /\/AgentScalarDrawer\.vue\.js$/, // a chat with the vendor's service
  /\/zod\/v4\/locales\/index\.js$/, // messages of validation errors
];

const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onLoad }) {
    for (const filter of LEFT_OUT) onLoad({ filter }, () => ({ contents: 'export default {}' }));
  },
};

/**
 * Builds the interactive API reference, which `GET /docs` shows to browsers. Resolves with the
 * bundled source files, relative to the repository, for the licence notices.
 */
export async function buildReference(directory: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`${HERE}/main.ts`],
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[hash]',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [leaveOut],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(directory, 'index.html'), page(metafile));
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

/** The page with the names of the built files. */
function page({ outputs }: Metafile): string {
  const [script, { cssBundle }] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === `${HERE}/main.ts`,
  )!;
  const address = (path: string) => `./docs/reference/${basename(path)}`;
  return readFileSync(join(ROOT, HERE, 'index.html'), 'utf8')
    .replace('<!-- styles -->', `<link rel="stylesheet" href="${address(cssBundle!)}">`)
    .replace('<!-- script -->', `<script type="module" src="${address(script)}"></script>`);
}
