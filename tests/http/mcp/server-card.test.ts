import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { ABOUT, PROGRAM } from '../../../src/core/base/shared/program.ts';
import { tools } from '../../../src/tools/server.ts';
import { testApp } from '../../support/app.ts';
import { appOfThisFile } from '../../support/shared.ts';
import { message, rpc } from '../../tools/mcp-requests.ts';
import { v1Client, v2Client } from '../../tools/support.ts';

const CARD = '/mcp/server-card';
const CATALOG = '/.well-known/ai-catalog.json';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};
const schema = JSON.parse(readFileSync(new URL('./server-card.schema.json', import.meta.url), 'utf8')) as object;

const appWithoutSettings = appOfThisFile();

interface Card {
  name: string;
  remotes: { type: string; url: string; supportedProtocolVersions: string[]; headers: { name: string }[] }[];
}

interface Catalog {
  specVersion: string;
  entries: { identifier: string; type: string; url: string }[];
}

test('Server Card: satisfies the schema of SEP-2127, and names no tools', async () => {
  const app = await appWithoutSettings();
  const response = await fetch(app.url + CARD, { headers: { accept: 'application/mcp-server-card+json' } });
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/mcp-server-card+json']);
  const text = await response.text();
  const check = new AjvJsonSchemaValidator().getValidator(schema);
  assert.equal(check(JSON.parse(text)).errorMessage, undefined);
  assert.match(check({ ...JSON.parse(text), tools: [] }).errorMessage ?? '', /additional/);
  for (const { name } of tools) assert.ok(!text.includes(name), name);
  assert.doesNotMatch(text, /ar_[0-9A-Za-z]{6}/);
});

test('Server Card: a client that follows the catalog and the card gets the tools', async (t) => {
  const app = await appWithoutSettings();
  const catalog = (await (await fetch(app.url + CATALOG)).json()) as Catalog;
  assert.equal(catalog.specVersion, '1.0');
  assert.deepEqual(catalog.entries, [
    {
      identifier: 'urn:air:localhost:mcp:agent-runtime',
      type: 'application/mcp-server-card+json',
      url: app.url + CARD,
    },
  ]);
  const card = (await (await fetch(catalog.entries[0]!.url)).json()) as Card;
  const [{ url, headers }] = card.remotes as [Card['remotes'][number]];
  assert.deepEqual([url, headers.map(({ name }) => name)], [`${app.url}/mcp`, ['x-api-key']]);
  for (const connect of [v1Client, v2Client()]) {
    const client = await connect(t, { kind: 'http', url, key: app.key });
    assert.equal((await client.tools()).length, tools.length);
    assert.equal((await client.server()).name, PROGRAM.name);
  }
});

test('Server Card: its identity and versions are those of the running server', async () => {
  const app = await appWithoutSettings();
  const card = (await (await fetch(app.url + CARD)).json()) as Card & { version: string; title: string };
  const clientInfo = { name: 'test', version: '1.0.0' };
  const versions = card.remotes[0]!.supportedProtocolVersions;
  const [modern, ...earlier] = versions;
  for (const protocolVersion of earlier) {
    const { result } = await rpc(app, 'initialize', { protocolVersion, capabilities: {}, clientInfo });
    assert.equal(result.protocolVersion, protocolVersion);
    assert.deepEqual(
      [result.serverInfo.name, result.serverInfo.version, result.serverInfo.title],
      [card.name.split('/')[1], card.version, card.title],
    );
  }
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': app.key,
      'mcp-protocol-version': modern!,
      'mcp-method': 'server/discover',
    },
    body: message('server/discover', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': modern,
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
  });
  assert.match(await response.text(), new RegExp(`"supportedVersions":\\["${modern}"`));
});

test('Server Card: behind a proxy it has the public address', async (t) => {
  const app = await testApp(t, { publicUrl: 'https://runtime.example.com/agents/' });
  const card = (await (await fetch(app.url + CARD)).json()) as Card;
  assert.equal(card.name, 'com.example.runtime/agent-runtime');
  assert.equal(card.remotes[0]!.url, 'https://runtime.example.com/agents/mcp');
  const { entries } = (await (await fetch(app.url + CATALOG)).json()) as Catalog;
  assert.deepEqual(
    [entries[0]!.identifier, entries[0]!.url],
    ['urn:air:runtime.example.com:mcp:agent-runtime', 'https://runtime.example.com/agents/mcp/server-card'],
  );
});

test('Server Card: without a public address it has that of an allowed request', async (t) => {
  const app = await testApp(t, { allowedHosts: 'runtime.example.com', trustedProxies: '127.0.0.1' });
  const ask = async (headers: Record<string, string>) => {
    const { status, text } = await get(app.url, CARD, headers);
    return status === 200 ? (JSON.parse(text) as Card).remotes[0]!.url : status;
  };
  assert.equal(await ask({ host: 'runtime.example.com:8080' }), 'http://runtime.example.com:8080/mcp');
  assert.equal(
    await ask({ 'x-forwarded-host': 'runtime.example.com', 'x-forwarded-proto': 'https' }),
    'https://runtime.example.com/mcp',
  );
  assert.equal(await ask({ host: '[::1]:3000' }), 'http://[::1]:3000/mcp');
  assert.equal(await ask({ host: 'evil.example' }), 403);
  assert.equal(await ask({ 'x-forwarded-host': 'evil.example' }), 403);
});

test('Server Card: any origin may read it, whatever origins the API allows', async (t) => {
  const app = await testApp(t, { allowedOrigins: 'https://console.example.com' });
  for (const path of [CARD, CATALOG]) {
    for (const [method, status] of [['GET', 200] as const, ['OPTIONS', 204] as const]) {
      const response = await fetch(app.url + path, {
        method,
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
      });
      assert.equal(response.status, status, `${method} ${path}`);
      for (const [name, value] of Object.entries(CORS)) assert.equal(response.headers.get(name), value, name);
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
    const posted = await fetch(app.url + path, { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  }
});

test('Server Card: caches keep it for an hour, and revalidate by its tag', async () => {
  const app = await appWithoutSettings();
  for (const path of [CARD, CATALOG]) {
    const { headers } = await fetch(app.url + path);
    assert.equal(headers.get('cache-control'), 'public, max-age=3600');
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{43}"$/);
    const again = await get(app.url, path, { 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await get(app.url, path, { 'if-none-match': '"other"' })).status, 200);
    const head = await fetch(app.url + path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag')], [200, etag]);
  }
});

test('Server Card: says what server.json says', async () => {
  const app = await appWithoutSettings();
  const card = (await (await fetch(app.url + CARD)).json()) as Card & Record<string, unknown>;
  const file = JSON.parse(readFileSync(new URL('../../../server.json', import.meta.url), 'utf8'));
  assert.deepEqual([file.title, file.description], [ABOUT.title, ABOUT.description]);
  assert.deepEqual([card.title, card.description, card.version], [file.title, file.description, file.version]);
  const [ours] = file.remotes;
  assert.deepEqual(
    [card.remotes[0]!.type, card.remotes[0]!.headers[0]],
    [ours.type, { ...ours.headers[0], description: ours.headers[0].description.replace('that server', 'this server') }],
  );
});

/** With headers that `fetch` would refuse or answer itself. */
function get(url: string, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.once('error', reject).end();
  });
}
