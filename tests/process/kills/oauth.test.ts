import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TestResponse } from '../../support/app.ts';
import { allow, authorize, callMcp, exchange, refresh, type Server } from '../../support/oauth.ts';
import { freePort, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

async function start(t: TestContext, dataDir: string, port: number): Promise<Server & { kill(): Promise<void> }> {
  const program = await startServer(t, dataDir, { port });
  const request: Server['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${program.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return { url: program.url, request, kill: async () => void (await program.end('SIGKILL')) };
}

rareTest('OAuth: whatever was answered survives kill -9, and nothing works twice', async (t) => {
  const [dataDir, port] = [newDataDirectory(t), await freePort()];
  let server = await start(t, dataDir, port);
  const restarted = async () => {
    await server.kill();
    server = await start(t, dataDir, port);
  };
  const password = /Portal password +(\S+)/.exec(readFileSync(join(dataDir, 'first-run.txt'), 'utf8'))![1]!;
  const login = { email: 'admin@localhost', password };
  const { token } = (await server.request('POST', '/api/v1/portal/login', login)).body;

  const begun = await authorize(server);
  await restarted();
  const address = await allow(server, { token }, begun, { scopes: ['mcp:read'] });
  await restarted();
  const code = address.searchParams.get('code')!;
  const first: TestResponse = await exchange(server, begun, code);
  assert.equal(first.status, 200, 'a request and a code from before');
  await restarted();
  assert.equal((await callMcp(server, first.body.access_token)).status, 200);
  const renewed = await refresh(server, begun.clientId, first.body.refresh_token);
  assert.equal(renewed.status, 200);
  await restarted();
  assert.equal((await callMcp(server, renewed.body.access_token)).status, 200);
  assert.equal((await exchange(server, begun, code)).status, 400, 'the code was used');
  await restarted();
  assert.equal((await callMcp(server, renewed.body.access_token)).status, 401, 'its second use ended the grant');
});
