import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn, sizeOf } from '../../packaging/binary/files.ts';
import { npm } from '../../packaging/binary/lockfile.ts';
import { makeNpmPackage } from '../../packaging/npm/package.ts';
import { PROGRAM } from '../../src/core/shared/program.ts';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { inEmptyEnvironment, smoke } from './smoke/smoke.ts';
import { ROOT } from './support.ts';

interface Manifest {
  private?: boolean;
  exports: Record<string, string | Record<string, string>>;
  bin: Record<string, string>;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

const manifestIn = (directory: string) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

test('npm package: has the bundle and the client, and depends on native packages', async (t) => {
  const directory = temporaryDirectory(t);
  await makeNpmPackage(directory);
  const files = filesIn(directory);
  const manifest = manifestIn(directory);

  await t.test('npm package: every file that its manifest names is there', () => {
    const named = [manifest.bin, ...Object.values(manifest.exports)].flatMap((one) =>
      typeof one === 'string' ? [one] : Object.values(one),
    );
    for (const path of named) assert.ok(files.includes(path.replace(/^\.\//, '')), path);
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'THIRD-PARTY.txt', 'docs/api/README.md'])
      assert.ok(files.includes(name), name);
    assert.ok(files.includes('agent-runtime.cdx.json') && files.includes('samples/express-history.ndjson'));
  });

  await t.test("npm package: no source, no source map, and only the client's declarations", () => {
    const unwanted = files.filter((file) => /\.map$|(?<!\.d)\.ts$|^(src|tests|node_modules)\//.test(file));
    assert.deepEqual(unwanted, []);
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    assert.ok(declarations.every((file) => file.startsWith('clients/typescript/')));
  });

  await t.test('npm package: dependencies have exact versions, and no script runs', () => {
    const { dependencies, private: isPrivate, ...others } = manifest;
    assert.deepEqual(Object.keys(dependencies), [
      '@duckdb/node-bindings',
      '@expo-google-fonts/inter',
      '@hyzyla/pdfium',
      '@resvg/resvg-js',
      'better-sqlite3',
      'eventsource-parser',
      'openapi-fetch',
      'piscina',
      'sqlite-vec',
    ]);
    for (const [name, version] of Object.entries(dependencies)) assert.match(version, /^\d+\.\d+\.\d+[-.\w]*$/, name);
    assert.equal(isPrivate, undefined);
    assert.ok(!('scripts' in others) && !('workspaces' in others) && !('devDependencies' in others));
  });

  await t.test('npm package: its tarball is at most 10 MB', () => {
    const packed = npm(['pack', '--json', '--pack-destination', temporaryDirectory(t)], directory);
    const [{ size, filename }] = JSON.parse(packed) as [{ size: number; filename: string }];
    assert.equal(filename, `agent-runtime-${PROGRAM.version}.tgz`);
    assert.ok(size < 10e6, `${size} bytes`);
  });
});

test('package.json: the checkout itself is never published', () => {
  const manifest = manifestIn(ROOT);
  assert.equal(manifest.private, true);
  assert.deepEqual(manifest.engines, { node: '>=22.14' });
});

rareTest('npm package: npm install -g gives a program that runs, without scripts', async (t) => {
  const place = temporaryDirectory(t);
  const [packed, prefix] = [join(place, 'package'), join(place, 'prefix')];
  await makeNpmPackage(packed);
  mkdirSync(prefix);
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', place], packed)) as [
    { filename: string },
  ];
  npm(['install', '--global', '--ignore-scripts', '--prefix', prefix, join(place, filename)], place);
  const program = join(prefix, 'lib/node_modules/agent-runtime/bin/agent-runtime.js');
  assert.ok(sizeOf(prefix) < 150e6);
  await smoke(t, inEmptyEnvironment(t, process.execPath, program));
});
