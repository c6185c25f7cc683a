import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { JSON_HEADERS, message } from '../../tools/mcp-requests.ts';
import { LEGACY, MODERN, seededApp, v1Client, v2Client } from '../../tools/support.ts';

interface Node {
  url: string;
  key: string;
}

/** A load balancer without affinity, before nodes that do not know each other: each accepts its own key. */
async function balancer(t: TestContext, nodes: Node[]) {
  const alive = new Set(nodes);
  const answeredBy: Node[] = [];
  const running = new Set<{ node: Node; response: ServerResponse }>();
  let next = 0;
  let held: PromiseWithResolvers<void> | null = null;
  const pass = (incoming: IncomingMessage, response: ServerResponse, node: Node) => {
    const headers = { ...incoming.headers, host: new URL(node.url).host, 'x-api-key': node.key };
    const outgoing = request(`${node.url}${incoming.url}`, { method: incoming.method!, headers }, (answer) => {
      answeredBy.push(node);
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => {
    const candidates = [...alive];
    const node = candidates[next++ % candidates.length]!;
    const one = { node, response };
    running.add(one);
    response.on('close', () => running.delete(one));
    if (held) held.resolve();
    else pass(incoming, response, node);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answeredBy,
    /** The next request reaches a node that does not answer any more. */
    hold: () => {
      held = Promise.withResolvers();
      return held.promise;
    },
    /** The node of the first running request: what runs there breaks off. */
    kill: () => {
      const { node } = [...running][0]!;
      held = null;
      alive.delete(node);
      for (const one of running) if (one.node === node) one.response.destroy();
      return node;
    },
  };
}

const COUNT = { eventName: 'purchase_completed', aggregation: 'count' };

const CLIENTS = [
  ['the v1 client', v1Client, LEGACY],
  ['the v2 client by default', v2Client(), LEGACY],
  ['the v2 client pinned to 2026-07-28', v2Client({ versionNegotiation: { mode: { pin: MODERN } } }), MODERN],
] as const;

test('MCP nodes: clients go on when a node dies, but for the call under way', async (t) => {
  const nodes = await Promise.all([seededApp(t), seededApp(t)]);
  for (const [name, connect, protocolVersion] of CLIENTS) {
    await t.test(name, async (t) => {
      const proxy = await balancer(t, nodes);
      const client = await connect(t, { kind: 'http', url: `${proxy.url}/mcp`, key: 'of the node' });
      assert.equal((await client.server()).protocolVersion, protocolVersion);
      for (let call = 0; call < 4; call++) assert.equal((await client.call('aggregate_events', COUNT)).data.value, 3);
      assert.equal(new Set(proxy.answeredBy).size, 2, 'any node answers any request');
      const arrived = proxy.hold();
      const lost = assert.rejects(client.call('aggregate_events', COUNT));
      await arrived;
      const dead = proxy.kill();
      await lost;
      proxy.answeredBy.length = 0;
      for (let call = 0; call < 4; call++) assert.equal((await client.call('aggregate_events', COUNT)).data.value, 3);
      assert.ok((await client.tools()).length > 0);
      assert.ok(!proxy.answeredBy.includes(dead));
    });
  }
});

test('MCP nodes: a foreign session is ignored, no stream is resumed', async (t) => {
  const { url, key } = await seededApp(t);
  const headers = { ...JSON_HEADERS, 'x-api-key': key, 'mcp-session-id': 'of a node that died' };
  const call = await fetch(`${url}/mcp`, { method: 'POST', headers, body: message('tools/list') });
  assert.equal(call.status, 200);
  assert.equal(call.headers.get('mcp-session-id'), null);
  assert.match(await call.text(), /aggregate_events/);
  const resumed = await fetch(`${url}/mcp`, { headers: { ...headers, 'last-event-id': '42' } });
  assert.equal(resumed.status, 405, 'as the specification has it for servers without such streams');
  await resumed.text();
});

test('MCP nodes: a request for notifications ends by itself', async (t) => {
  const { url, key } = await seededApp(t);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta: meta };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...JSON_HEADERS,
      ...{ 'x-api-key': key, 'mcp-protocol-version': MODERN, 'mcp-method': 'subscriptions/listen' },
    },
    body: message('subscriptions/listen', params),
    signal: AbortSignal.timeout(10_000),
  });
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /notifications\/subscriptions\/acknowledged/);
});
