import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

test('checkout: the client is imported by name without a build', async () => {
  const source = `import { createClient } from 'agent-runtime/client';
const fetch = async (request) => Response.json({ url: request.url });
console.log((await createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch }).GET('/healthz')).data.url);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { cwd: ROOT });
  assert.equal(stdout, 'http://127.0.0.1:1/healthz\n');
  assert.ok(import.meta.resolve('agent-runtime/client').endsWith('/clients/typescript/lib/index.js'));
});
