import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PortalSizes {
  /** Bytes, gzip: the scripts that every page needs. */
  entry: number;
  stylesheet: number;
  charts: number;
  /** By source file: what a page, or a lazily loaded part of one, adds to the files loaded before it. */
  pages: Map<string, number>;
}

/** An entry of Vite's manifest. */
interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

/** The sizes of built pages, from the manifest that Vite wrote next to them. */
export function portalSizes(directory: string): PortalSizes {
  const manifest = JSON.parse(readFileSync(join(directory, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const gzip = (file: string) => gzipSync(readFileSync(join(directory, file)), { level: 9 }).length;
  const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzip(file), 0);
  const entry = filesOf(manifest, 'index.html');
  const charts = Object.values(manifest).flatMap(({ name, file }) => (name === 'charts' ? [file] : []));
  const isPage = (name: string, { isEntry, isDynamicEntry }: Chunk) =>
    isDynamicEntry || (isEntry && name !== 'index.html');
  const pages = Object.entries(manifest).filter(([name, chunk]) => isPage(name, chunk));
  const added = (name: string) => {
    const loaders = Object.keys(manifest).filter((one) => manifest[one]!.dynamicImports?.includes(name));
    const present = new Set([...entry, ...charts, ...loaders.flatMap((one) => [...filesOf(manifest, one)])]);
    return sizeOf([...filesOf(manifest, name)].filter((file) => !present.has(file)));
  };
  const styles = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : []));
  return {
    entry: sizeOf([...entry].filter((file) => !file.endsWith('.css'))),
    stylesheet: sizeOf(styles),
    charts: sizeOf(charts),
    pages: new Map(pages.map(([name]) => [name, added(name)])),
  };
}

/** The files of a chunk and of its static imports. */
function filesOf(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): Set<string> {
  const { file, imports = [], css = [] } = manifest[name]!;
  if (seen.has(file)) return seen;
  for (const one of [file, ...css]) seen.add(one);
  for (const imported of imports) filesOf(manifest, imported, seen);
  return seen;
}
