import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { IdentityRequests } from '../../src/identity/fetch.ts';
import type { TestApp } from '../support/app.ts';
import { startFaultyProvider } from '../support/identity/faulty-provider.ts';
import { LOOPBACK } from '../support/identity/workspace.ts';
import { ingested, search } from '../support/knowledge.ts';
import { rawRequest } from '../support/raw.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const TENANTS = 100;

interface Asking {
  app: TestApp;
  key: string;
}

function call(name: string, args: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** The number of events, over MCP; a text: why there is none. */
async function counted({ app, key }: Asking): Promise<number | string> {
  const question = call('aggregate_events', { eventName: 'asked', aggregation: 'count' });
  const accept = { accept: 'application/json, text/event-stream' };
  const { body } = await app.request('POST', '/mcp', question, { 'x-api-key': key, ...accept });
  const { result, message } = typeof body === 'string' ? JSON.parse(/^data: (.*)$/m.exec(body)![1]!) : body;
  return result?.structuredContent?.value ?? message ?? result?.content[0].text;
}

test('Caches: the same question of callers with other rights has answers of its own', async (t) => {
  const app = await sharedApp();
  const owners = await Promise.all(
    ['first', 'second'].map(async (tenant, index) => {
      await app.runtime.tenants.create({ name: tenant });
      const key = await app.newKey({ tenant });
      const ofOther = await app.newKey({ tenant, agentId: 'other' });
      await app.ingest(
        Array.from({ length: 3 + index }, () => ({ eventName: 'asked' })),
        key,
      );
      await app.ingest(
        Array.from({ length: 10 + index }, () => ({ eventName: 'asked' })),
        ofOther,
      );
      const card = { title: 'Asked', cardType: 'number', config: { eventName: 'asked', aggregation: 'count' } };
      const { body } = await app.request('POST', CARDS, card, { 'x-api-key': key });
      await ingested(
        { url: app.url, key },
        { name: 'a.md', content: `# Refunds of the ${tenant}` },
        { vectorStore: 'help' },
      );
      const reads = await app.newKey({ tenant, scopes: ['events:read'] });
      return { tenant, key, ofOther, reads, render: `${CARDS}/${body.id}/render` };
    }),
  );
  const pictures = new Map<string, string>();
  for (const round of [1, 2]) {
    for (const [index, { tenant, key, ofOther, reads, render }] of owners.entries()) {
      assert.equal(await counted({ app, key }), 3 + index, `round ${round}`);
      assert.equal(await counted({ app, key: ofOther }), 10 + index, 'a key of another agent');
      assert.match(String(await counted({ app, key: reads })), /mcp:read/);
      const rendered = async (accept: string, asking: string) => {
        const response = await fetch(`${app.url}${render}`, { headers: { 'x-api-key': asking, accept } });
        const picture = Buffer.from(await response.arrayBuffer()).toString('base64');
        return { status: response.status, picture };
      };
      for (const accept of ['application/json', 'image/svg+xml', 'image/png']) {
        const { status, picture } = await rendered(accept, key);
        assert.equal(status, 200);
        if (accept !== 'application/json') {
          assert.equal(pictures.get(`${tenant} ${accept}`) ?? picture, picture);
          pictures.set(`${tenant} ${accept}`, picture);
        }
        assert.equal((await rendered(accept, reads)).status, 403, 'a key without the right, after one with it');
        assert.equal((await rendered(accept, owners[1 - index]!.key)).status, 403, 'another tenant');
      }
      const found = JSON.stringify(await search({ url: app.url, key }, 'help', 'refunds'));
      assert.ok(found.includes(`of the ${tenant}`) && !found.includes(`of the ${owners[1 - index]!.tenant}`));
    }
  }
  assert.equal(new Set(pictures.values()).size, pictures.size);
  const server = await startFaultyProvider(t);
  const requests = new IdentityRequests(LOOPBACK.split(','));
  for (const tenantId of ['first', 'second', 'first']) {
    const read = requests.documentsFor({ uid: `provider of ${tenantId}`, revision: 1, tenantId }, 60_000);
    assert.equal((await read(`${server.issuer}/keys`, {})).status, 200);
  }
  assert.equal(server.requests.length, 2, 'a key set is cached for its provider alone');
});

test('MCP: a hundred tenants over the same connections get answers of their own', async () => {
  const app = await sharedApp();
  const keys = await Promise.all(
    Array.from({ length: TENANTS }, async (_, index) => {
      const tenant = `tenant ${index}`;
      await app.runtime.tenants.create({ name: tenant });
      const key = await app.newKey({ tenant });
      await app.ingest(
        Array.from({ length: index + 1 }, () => ({ eventName: 'asked' })),
        key,
      );
      return key;
    }),
  );
  for (const maxSockets of [1, 20]) {
    const agent = new Agent({ keepAlive: true, maxSockets });
    const answers = await Promise.all(keys.map((key, index) => ask(app, agent, { key, id: index % 3 })));
    agent.destroy();
    for (const [index, { id, value }] of answers.entries()) assert.deepEqual([id, value], [index % 3, index + 1]);
  }
});

/** Ids repeat: only the connection and the order tell whose answer it is. */
async function ask({ url }: TestApp, agent: Agent, { key, id }: { key: string; id: number }) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const question = call('aggregate_events', { eventName: 'asked', aggregation: 'count' });
  const { text } = await rawRequest(url, 'POST', '/mcp', { headers, agent, body: JSON.stringify({ ...question, id }) });
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return { id: message.id as number, value: message.result?.structuredContent?.value as number };
}
