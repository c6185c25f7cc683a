import { readFileSync } from 'node:fs';
import http from 'node:http';
import { relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * A module that moves into a chunk still finds files beside its source: `import.meta.url` is where
 * the source lies below `dist`. The banner defines `__dist`.
 */
export function keepPlaces(src: string): Plugin {
  return {
    name: 'keep-places',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(src + sep)) return undefined;
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const place = relative(src, path).split(sep).join('/').replace(/\.ts$/, '.js');
        return { loader: 'ts', contents: text.replaceAll('import.meta.url', `(__dist+${JSON.stringify(place)})`) };
      });
    },
  };
}

/** Of chunks with a package that is imported dynamically, in esbuild's metafile. */
export const NAMED = 'named-package';

/**
 * `import()` of a CommonJS package loses its names when code is split: esbuild gives it a default
 * export alone. Puts a module between them that has the names that Node.js finds.
 */
export function keepNames(external: readonly string[]): Plugin {
  return {
    name: 'keep-names',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        const isSeen = pluginData === NAMED;
        if (kind !== 'dynamic-import' || isSeen || path.startsWith('node:') || external.includes(path))
          return undefined;
        const found = await build.resolve(path, { kind: 'import-statement', resolveDir, pluginData: NAMED });
        if (found.errors.length > 0 || found.external) return undefined;
        return { path, namespace: NAMED, pluginData: resolveDir };
      });
      build.onLoad({ filter: /.*/, namespace: NAMED }, async ({ path, pluginData: resolveDir }) => ({
        resolveDir: resolveDir as string,
        contents: reexport(path, Object.keys((await import(path)) as object)),
      }));
    },
  };
}

function reexport(path: string, names: string[]): string {
  const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default';
  return [
    `import * as all from ${JSON.stringify(path)};`,
    ...names.filter(isIdentifier).map((name) => `export const ${name} = all.${name};`),
    // esbuild may have chosen an ES module without it.
    ...(names.includes('default') ? ['const { default: main } = all;', 'export { main as default };'] : []),
  ].join('\n');
}

/**
 * `import` of node:http evaluates all its members, which loads Node.js's own fetch, for 15 ms; the
 * members that do so are left out.
 */
export const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  setup(build) {
    const namespace = 'node-http';
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, () => {
      const members = Object.entries(Object.getOwnPropertyDescriptors(http));
      const names = members.filter(([, { value }]) => value !== undefined).map(([name]) => name);
      return {
        contents: [
          `const http = process.getBuiltinModule('node:http');`,
          `export const { ${names.join(', ')} } = http;`,
          'export default http;',
        ].join('\n'),
      };
    });
  },
};
