import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { filesIn, sizeOf } from '../../packaging/binary/files.ts';
import { npm } from '../../packaging/binary/lockfile.ts';
import { makeNpmPackage } from '../../packaging/npm/package.ts';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
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

const run = promisify(execFile);
const manifestIn = (directory: string) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

rareTest('npm package: has the bundle and the client, and depends on native packages', async (t) => {
  const application = temporaryDirectory(t);
  const directory = join(application, 'node_modules/agent-runtime');
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
    assert.ok(files.includes('skills/read-a-kpi/SKILL.md'));
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

  await t.test('npm package: the client is imported by name, with types', async () => {
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(application, 'node_modules', name));
    }
    writeFileSync(join(application, 'package.json'), '{"type":"module"}');
    const source = `import { createClient, dataOf, type Schemas } from 'agent-runtime/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch: async (request) => Response.json({ url: request.url }) });
export const review = (id: string): Promise<Schemas['Review']> =>
  dataOf(client.GET('/api/v1/runtime/v1/observability/reviews/{reviewId}', { params: { path: { reviewId: id } } }));
console.log(JSON.stringify(await review('one')));
`;
    writeFileSync(join(application, 'application.ts'), source);
    const { stdout } = await run(process.execPath, [join(application, 'application.ts')], { cwd: application });
    assert.deepEqual(JSON.parse(stdout), { url: 'http://127.0.0.1:1/api/v1/runtime/v1/observability/reviews/one' });
    await typeCheck(application, 'application.ts');
  });

  await t.test('npm package: the code of docs/api.md type-checks against the client', async () => {
    const readme = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const [, code] = /```ts\n([\s\S]*?)\n```/.exec(readme) ?? assert.fail('there is none');
    writeFileSync(join(application, 'readme.ts'), code!);
    await typeCheck(application, 'readme.ts', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'));
  });
});

const STRICT = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.asynciterable'.split(' ');

async function typeCheck(directory: string, file: string, ...options: string[]): Promise<void> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const checked = run(process.execPath, [compiler, ...STRICT, ...options, join(directory, file)], { cwd: directory });
  await checked.catch(({ stdout }) => assert.fail(stdout));
}

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
