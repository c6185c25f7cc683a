import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../support/app.ts';
import { connector } from '../../support/connectors.ts';
import { createKey, eventually, newDataDirectory, readyUrl, runProgram, startProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand } from '../../support/shell.ts';

const SECRETS = ['the-first-secret', 'the-second-secret', 'the-third-secret'];

async function startApi(t: TestContext): Promise<{ baseUrl: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ said: request.headers.authorization }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

rareTest('connectors apply: a running server calls new connectors within a second', async (t) => {
  const dataDir = newDataDirectory(t);
  const logFile = join(temporaryDirectory(t), 'log');
  const args = ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'debug'];
  const program = startProgram(t, args, { logFile });
  const url = await readyUrl(program);
  const { key } = await createKey(dataDir, 'connectors:execute');
  const { baseUrl, seen } = await startApi(t);
  const call = async () => {
    const response = await fetch(`${url}/api/v1/runtime/v1/connectors/pets`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ resource: 'list' }),
    });
    return { status: response.status, text: await response.text() };
  };
  const run = async (line: string[], input = '') => {
    const { code, stdout, stderr } = await runCommand([...line, '--data-dir', dataDir], { input });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const answers: string[] = [];
  const becomes = (status: number, secret = '') =>
    eventually(
      `${status} ${secret}`,
      async () => {
        const answer = await call();
        answers.push(answer.text);
        return answer.status === status && (secret === '' || seen.at(-1) === `Bearer ${secret}`);
      },
      5_000,
    );

  await becomes(404);
  const definition = connector({
    environments: { production: { baseUrl, secret: { credential: 'pets' } } },
    auth: { type: 'bearer' },
    credentials: ['pets'],
    allowPrivateNetworks: ['127.0.0.1/32'],
  });
  const applied = await run(['connectors', 'apply', '-'], JSON.stringify(definition));
  assert.match(
    applied,
    /^pets +created\nNext: agent-runtime credentials set pets --hosts 127\.0\.0\.1\nA server that runs on /m,
  );
  await becomes(503);
  assert.match(answers.at(-1)!, /Credential \\"pets\\" is not stored; `credentials set pets` stores it/);
  for (const secret of SECRETS) {
    await run(['credentials', 'set', 'pets', '--hosts', '127.0.0.1'], `${secret}\n`);
    await becomes(200, secret);
  }
  await run(['connectors', 'remove', 'pets']);
  await becomes(404);

  assert.equal((await program.end('SIGTERM')).code, 0);
  const said = [readFileSync(logFile, 'utf8'), program.output().stdout, ...answers].join('\n');
  assert.match(said, /"path":"\/api\/v1\/runtime\/v1\/connectors\/pets"/);
  for (const secret of SECRETS) assert.ok(!said.includes(secret), 'a secret was told');
});

rareTest('doctor: names missing credentials and secrets that do not open', async (t) => {
  const dataDir = newDataDirectory(t);
  const run = (args: string[], input: string) => runCommand([...args, '--data-dir', dataDir], { input });
  const doctor = async () => {
    const { stdout } = await runProgram(t, ['doctor', '--json', '--data-dir', dataDir]);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] };
    const own = findings.filter(({ check }) => check.startsWith('connector '));
    return own.map(({ status, message }) => `${status}: ${message}`);
  };
  await run(['connectors', 'apply', '-'], JSON.stringify(connector({ credentials: ['pets', 'other'] })));
  await run(['credentials', 'set', 'pets', '--hosts', '127.0.0.1'], SECRETS[0]!);
  assert.deepEqual(await doctor(), [
    'ok: connectors by tenant: default 1',
    'warning: pets of tenant default, credentials: other is not stored. Set it with `credentials set other`',
    'ok: credentials by tenant: default 1',
  ]);
  rmSync(join(dataDir, 'sealing-keys.json'));
  assert.match((await doctor()).at(-1)!, /^failed: pets of tenant default: the stored secret was sealed with another /);
});
