import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { makeNpmPackage } from '../../packaging/npm/package.ts';
import { temporaryDirectory } from '../support/app.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** An application with the npm package, and what its client depends on. */
async function application(t: TestContext): Promise<string> {
  const home = temporaryDirectory(t);
  const installed = join(home, 'node_modules/agent-runtime');
  await makeNpmPackage(installed);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name));
  }
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  return home;
}

async function typeCheck(home: string, file: string, ...options: string[]): Promise<void> {
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,dom.asynciterable',
  ];
  const checked = run(process.execPath, [TSC, ...strict, ...options, join(home, file)], { cwd: home });
  await checked.catch(({ stdout }) => assert.fail(stdout));
}

test('npm package: the client is imported by name, with types', async (t) => {
  const home = await application(t);
  const source = `import { createClient, dataOf, type Schemas } from 'agent-runtime/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch: async (request) => Response.json({ url: request.url }) });
export const review = (id: string): Promise<Schemas['Review']> =>
  dataOf(client.GET('/api/v1/runtime/v1/observability/reviews/{reviewId}', { params: { path: { reviewId: id } } }));
console.log(JSON.stringify(await review('one')));
`;
  writeFileSync(join(home, 'application.ts'), source);
  await typeCheck(home, 'application.ts');
  const { stdout } = await run(process.execPath, [join(home, 'application.ts')], { cwd: home });
  assert.deepEqual(JSON.parse(stdout), { url: 'http://127.0.0.1:1/api/v1/runtime/v1/observability/reviews/one' });

  await t.test('npm package: the code of docs/api/README.md type-checks against it', async () => {
    const readme = readFileSync(join(ROOT, 'docs/api/README.md'), 'utf8');
    const [, code] = /```ts\n([\s\S]*?)\n```/.exec(readme) ?? assert.fail('there is none');
    writeFileSync(join(home, 'readme.ts'), code!);
    await typeCheck(home, 'readme.ts', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'));
  });
});

test('checkout: the client is imported by name without a build', async () => {
  const source = `import { createClient } from 'agent-runtime/client';
const fetch = async (request) => Response.json({ url: request.url });
console.log((await createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch }).GET('/healthz')).data.url);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { cwd: ROOT });
  assert.equal(stdout, 'http://127.0.0.1:1/healthz\n');
  assert.ok(import.meta.resolve('agent-runtime/client').endsWith('/clients/typescript/lib/index.js'));
});
