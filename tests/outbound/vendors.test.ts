import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { NetworkPolicy } from '../../src/outbound/dispatchers.ts';
import { BlockedAddress } from '../../src/outbound/guard.ts';
import { causesOf, rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };
const GUARDED = { allowPrivateNetwork: false };

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
