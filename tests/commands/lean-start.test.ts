import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from '../support/app.ts';
import { BIN, newDataDirectory, readyUrl, runProgram, startServe } from '../support/process.ts';

const HOOK = new URL('../support/loaded-modules.ts', import.meta.url).href;
const SRC = new URL('../../src/', import.meta.url).href;

/** Has the program write down what its main thread loads: packages, and files of src. */
function watched(t: TestContext) {
  const list = join(temporaryDirectory(t), 'modules');
  const environment = { NODE_OPTIONS: `--import ${HOOK}`, LOADED_MODULES: list };
  const loaded = () => {
    const urls = readFileSync(list, 'utf8').trim().split('\n');
    assert.ok(urls.includes(pathToFileURL(BIN).href));
    const packages = urls.flatMap((url) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
    const files = urls.flatMap((url) => (url.startsWith(SRC) ? [url.slice(SRC.length)] : []));
    return { packages: [...new Set(packages)].sort(), files };
  };
  return { environment, loaded };
}

for (const args of [['--version'], ['--help'], ['mcp', '--help'], ['serve', '--help'], ['keys', 'create', '--help']]) {
  test(`Start: ${args.join(' ')} loads neither schemas nor stores nor the server`, async (t) => {
    const { environment, loaded } = watched(t);
    const { code } = await runProgram(t, args, { environment });
    assert.equal(code, 0);
    const { packages, files } = loaded();
    assert.deepEqual(packages, ['commander']);
    assert.deepEqual(
      files.filter((file) => /^(app|http|tools|ownership|config\.ts)/.test(file)),
      [],
    );
  });
}

/** Of the first request that needs it. */
const LATER = [
  '@aws-sdk/client-bedrock-runtime',
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@clickhouse/client',
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  '@smithy/node-http-handler',
  'oidc-provider',
  'openai',
  'openid-client',
  'otplib',
  'pg',
  'piscina',
  'prom-client',
  'undici',
  'yaml',
];

test('Start: serve does not load what only some requests need', async (t) => {
  const { environment, loaded } = watched(t);
  const program = startServe(t, newDataDirectory(t), 0, { environment });
  const url = await readyUrl(program);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  await program.end('SIGTERM');
  const { packages, files } = loaded();
  assert.ok(packages.includes('express') && files.includes('http/app.ts'));
  assert.deepEqual(
    packages.filter((name) => LATER.includes(name)),
    [],
  );
  assert.deepEqual(
    files.filter((file) =>
      /^(tools\/server|http\/docs\/(openapi|page)|outbound\/request|storage\/(uploads\/s3|state\/postgres|events\/clickhouse|knowledge\/postgres)\/.*)\.ts$/.test(
        file,
      ),
    ),
    [],
  );
});
