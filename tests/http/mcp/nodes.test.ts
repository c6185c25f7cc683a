import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBalancer } from '../../support/balancer.ts';
import { JSON_HEADERS, message } from '../../tools/mcp-requests.ts';
import { LEGACY, MODERN, seededApp, v1Client, v2Client } from '../../tools/support.ts';

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
      // Nodes that do not know each other: each accepts its own key.
      const proxy = await startBalancer(
        t,
        nodes.map(({ url, key }) => ({ url, headers: { 'x-api-key': key } })),
      );
      const answeredBy = () => new Set(proxy.passed.map(({ backend }) => backend));
      const client = await connect(t, { kind: 'http', url: `${proxy.url}/mcp`, key: 'of the node' });
      assert.equal((await client.server()).protocolVersion, protocolVersion);
      for (let call = 0; call < 4; call++) assert.equal((await client.call('aggregate_events', COUNT)).data.value, 3);
      assert.equal(answeredBy().size, 2, 'any node answers any request');
      const arrived = proxy.hold();
      const lost = assert.rejects(client.call('aggregate_events', COUNT));
      const dead = await arrived;
      proxy.remove(dead);
      await lost;
      proxy.passed.length = 0;
      for (let call = 0; call < 4; call++) assert.equal((await client.call('aggregate_events', COUNT)).data.value, 3);
      assert.ok((await client.tools()).length > 0);
      assert.ok(!answeredBy().has(dead));
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
