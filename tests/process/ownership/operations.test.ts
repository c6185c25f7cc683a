import assert from 'node:assert/strict';
import { type RequestListener, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operate } from '../../../src/app/operate.ts';
import { openServer } from '../../../src/app/server.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/logging/log.ts';
import type { OwnedServer } from '../../../src/ownership/owner.ts';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { newDataDirectory, runProgram, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const ERASE = '/-/operations/erase';

rareTest('Operations: answered on the socket of the directory and never on TCP', async (t) => {
  const dataDir = newDataDirectory(t);
  const { url } = await startServer(t, dataDir);
  const body = JSON.stringify({ tenant: 'nobody' });
  for (const path of [ERASE, '/-/operations/stage-backup', '/-/operations/', '/-/owner', '/-/yield', `/x/..${ERASE}`]) {
    const overTcp = await fetch(`${url}${path}`, { method: 'POST', headers: JSON_BODY, body });
    assert.equal(overTcp.status, 404, path);
    assert.match(((await overTcp.json()) as { message: string }).message, /^There is nothing at POST/);
  }
  const socketPath = join(dataDir, 'runtime.sock');
  const missing = await overSocket(socketPath, ERASE, body);
  assert.deepEqual(missing, {
    ...{ statusCode: 404, message: 'There is no tenant "nobody". Known tenants: default.', error: 'Not Found' },
  });
  const wrong = await overSocket(socketPath, ERASE, '{"tenent": "x"}');
  assert.deepEqual(wrong.message, ['tenant: is required', 'tenent: unknown member; did you mean tenant?']);
  assert.deepEqual((await overSocket(socketPath, ERASE, '{')).message, ['body: is not valid JSON']);
  assert.equal((await overSocket(socketPath, '/-/operations/toString', '{}')).statusCode, 404);
});

test('operate(): an owner of an older version is reported as too old', async (t) => {
  const config = configOf(t);
  const owner = await owning(t, config, {
    listener: (_request, response) => response.writeHead(404, JSON_BODY).end('{"statusCode": 404}'),
    close: async () => undefined,
  });
  await owner.own(0);
  const { code, stderr } = await runProgram(t, ['erase', '--tenant', 'x', '--yes', '--data-dir', config.dataDir]);
  assert.equal(code, 1);
  assert.match(stderr, /There is no Agent Runtime data/);
  await assert.rejects(
    operate(config, { command: 'test', name: 'erase', input: { tenant: 'x' } }),
    new RegExp(`\\(old, process ${process.pid}\\) runs an older version.*restart it with this version`),
  );
});

test('operate(): an owner that ends before it answers is reported, not replaced', async (t) => {
  const config = configOf(t);
  const operations: RequestListener = (_request, response) => void response.destroy();
  const owner = await owning(t, config, { listener: operations, operations, close: async () => undefined });
  await owner.own(0);
  const asked = operate(config, { command: 'test', name: 'stage-backup', input: {} });
  await assert.rejects(asked, { code: 'unavailable', message: /ended before it answered\. Run the command again\./ });
});

rareTest('Ownership: a takeover waits for the running operation', async (t) => {
  const config = configOf(t);
  const log = createLog('silent');
  const done: string[] = [];
  const opened = await openServer(config, log);
  const first = await owning(t, config, {
    ...opened,
    operations: (_request, response) => {
      setTimeout(() => {
        done.push('operation');
        response.setHeader('content-type', 'application/json').end('{}');
      }, 2_500);
    },
  });
  await first.own(0);
  const asked = operate(config, { command: 'test', name: 'stage-backup', input: {} });
  await sleep(200);
  const next = await owning(t, config, { ...opened, close: async () => undefined }, false);
  assert.equal(await next.own(10_000), null);
  done.push('takeover');
  await asked;
  assert.deepEqual(done, ['operation', 'takeover']);
});

const JSON_BODY = { 'content-type': 'application/json' };

function configOf(t: TestContext): Config {
  return loadConfig({ dataDir: newDataDirectory(t), logLevel: 'silent' }, {}, {});
}

async function owning(t: TestContext, { dataDir }: Config, opened: OwnedServer, yields = true): Promise<Ownership> {
  const info = () => ({ command: 'old', pid: process.pid });
  const ownership = new Ownership({ dataDir, yields, info, open: async () => opened });
  t.after(() => ownership.close());
  return ownership;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
function overSocket(socketPath: string, path: string, body: string): Promise<any> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, method: 'POST', headers: JSON_BODY, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
