import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { request } from 'undici';
import { closeDispatchers, dispatcherFor, type NetworkPolicy, nodeAgentsFor } from '../../src/outbound/dispatchers.ts';
import { BlockedAddress } from '../../src/outbound/guard.ts';
import { causesOf, rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };
const GUARDED = { allowPrivateNetwork: false };

test('makeDispatchers: one pool per policy until they are closed', async (t) => {
  t.after(closeDispatchers);
  const [guarded, agents] = [dispatcherFor(GUARDED), nodeAgentsFor(GUARDED)];
  assert.equal(dispatcherFor({ allowPrivateNetwork: false }), guarded);
  assert.equal(nodeAgentsFor({ allowPrivateNetwork: false }), agents);
  assert.notEqual(dispatcherFor(ANYWHERE), guarded);
  assert.notEqual(nodeAgentsFor(ANYWHERE).httpsAgent, agents.httpsAgent);
  await closeDispatchers();
  assert.notEqual(dispatcherFor(GUARDED), guarded);
  assert.notEqual(nodeAgentsFor(GUARDED), agents);
});

test("dispatchers: the server's own pools are guarded like those of the tests", async (t) => {
  t.after(closeDispatchers);
  const server = await startServer(t, (_request, response) => response.end('reached'));
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    const asked = request(`http://${host}:${server.port}/`, { dispatcher: dispatcherFor(GUARDED) });
    await assert.rejects(asked, BlockedAddress);
  }
  assert.equal(server.connections, 0);
  const { body } = await request(server.url, { dispatcher: dispatcherFor(ANYWHERE) });
  assert.equal(await body.text(), 'reached');
});

test('dispatcherFor: TLS connections pass the SSRF guard', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const connections = testDispatchers(t);
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `https://${host}:${server.port}/`;
    await assert.rejects(request(url, { dispatcher: connections.dispatcherFor(GUARDED) }), BlockedAddress);
    const failed = new Promise((_resolve, reject) => {
      https.get(url, { agent: connections.nodeAgentsFor(GUARDED).httpsAgent }).on('error', reject);
    });
    assert.ok((await rejectionOf(failed)) instanceof BlockedAddress);
  }
  assert.equal(server.connections, 0);
});

test('nodeAgentsFor: connections are reused, and aborted on close', async (t) => {
  const server = await startServer(t, (request, response) => {
    if (request.url === '/held') response.write('first');
    else response.end('whole');
  });
  const connections = testDispatchers(t);
  const get = (path: string) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const { httpAgent } = connections.nodeAgentsFor(ANYWHERE);
      http.get(server.url + path, { agent: httpAgent }, resolve).on('error', reject);
    });
  assert.equal(await text(await get('/')), 'whole');
  const held = await get('/held');
  assert.equal(server.connections, 1);
  const broken = rejectionOf(text(held));
  await connections.closeDispatchers();
  assert.match((await broken).message, /aborted/);
});

test("nodeAgentsFor: AWS's client uses them and reaches no private address", async (t) => {
  const server = await startServer(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': 'ValidationException' });
    response.end('{"message":"no such model"}');
  });
  await assert.rejects(askBedrock(t, server.url, ANYWHERE), { name: 'ValidationException', message: 'no such model' });
  assert.equal(server.connections, 1);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]']) {
    const error = await rejectionOf(askBedrock(t, `http://${host}:${server.port}`, GUARDED));
    assert.ok(
      causesOf(error).some((one) => one instanceof BlockedAddress),
      `${host}: ${error}`,
    );
  }
  assert.equal(server.connections, 1);
});

function askBedrock(t: TestContext, endpoint: string, policy: NetworkPolicy) {
  const client = new BedrockRuntimeClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(testDispatchers(t).nodeAgentsFor(policy)),
  });
  const messages = [{ role: 'user' as const, content: [{ text: 'grüße' }] }];
  return client.send(new ConverseStreamCommand({ modelId: 'a-model', messages }));
}
