import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const HERE = 'packaging/mcpb';

export interface Bundle {
  /** The bridge as one module without dependencies. */
  code: string;
  /** Bundled source files, relative to the repository. */
  sources: string[];
}

/** The oldest supported Node.js; the manifest states it. */
export const NODE_VERSION = 20;

export async function bundleServer(): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`${HERE}/server.ts`],
    outfile: 'index.mjs',
    bundle: true,
    platform: 'node',
    target: `node${NODE_VERSION}`,
    format: 'esm',
    minify: true,
    legalComments: 'none',
    alias: {
      '@modelcontextprotocol/client/_shims': `./${HERE}/sdk-shims.ts`,
      '@modelcontextprotocol/server/_shims': `./${HERE}/sdk-shims.ts`,
    },
    metafile: true,
    write: false,
  });
  const used = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return {
    code: outputFiles.map((file) => file.text).join(''),
    sources: used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
  };
}
