import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { type TestContext, test } from 'node:test';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { ApiError, GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { BlockedAddress, type NetworkPolicy } from '../../src/outbound/dispatchers.ts';
import { guardedFetch } from '../../src/outbound/fetch.ts';
import { causesOf, rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };
const GUARDED = { allowPrivateNetwork: false };
const CHUNK = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'grüße' }] } }] })}\n\n`;

test('@google/genai streams over guardedFetch', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'identity');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(CHUNK + CHUNK);
  });
  const texts: unknown[] = [];
  for await (const chunk of await askGemini(t, url, ANYWHERE)) texts.push(chunk.text);
  assert.deepEqual(texts, ['grüße', 'grüße']);
});

test('@google/genai says the status of an error over guardedFetch', async (t) => {
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"code":429,"message":"slow down"}}');
  });
  const error = await rejectionOf(askGemini(t, url, ANYWHERE));
  assert.ok(error instanceof ApiError && error.status === 429, String(error));
  assert.match(error.message, /slow down/);
});

test('@google/genai ends the request over guardedFetch when who asks leaves', async (t) => {
  const reached = Promise.withResolvers<http.ServerResponse>();
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(CHUNK);
    reached.resolve(response);
  });
  const leaving = new AbortController();
  const chunks = (await askGemini(t, url, ANYWHERE, leaving.signal))[Symbol.asyncIterator]();
  await chunks.next();
  const closed = once(await reached.promise, 'close');
  leaving.abort();
  await assert.rejects(chunks.next(), { name: 'AbortError' });
  await closed;
});

test('@google/genai reaches no address within over guardedFetch', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const error = await rejectionOf(askGemini(t, server.url, GUARDED));
  assert.ok(
    causesOf(error).some((one) => one instanceof BlockedAddress),
    String(error),
  );
  assert.equal(server.connections, 0);
});

test("AWS's client goes through the agents of Node.js, and reaches no address within", async (t) => {
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

function askGemini(t: TestContext, baseUrl: string, policy: NetworkPolicy, abortSignal?: AbortSignal) {
  const fetch = guardedFetch(policy, testDispatchers(t));
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl, fetch } });
  return client.models.generateContentStream({ model: 'a-model', contents: 'grüße', config: { abortSignal } });
}

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
