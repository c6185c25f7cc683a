import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parse } from 'yaml';
import { testApp } from '../support/app.ts';
import { type Fence, fencesOf } from '../support/docs.ts';

const SERVER = 'http://127.0.0.1:3000';

interface Setup {
  url: string;
  headers: Record<string, string>;
}

/** Of a host's own entry for a server: the names differ. */
interface Entry {
  url?: string;
  httpUrl?: string;
  uri?: string;
  headers?: Record<string, string>;
}

/** What a host makes of its configuration; null for one that starts a program. */
function setupOf({ language, text }: Fence): Setup | null {
  if (language === 'json') return ofEntry(Object.values(serversIn(JSON.parse(text)))[0]!);
  if (language === 'yaml')
    return ofEntry((parse(text) as { extensions: Record<string, Entry> }).extensions['agent-runtime']!);
  if (language === 'sh' && text.includes('add-json')) return ofEntry(JSON.parse(/'(.*)'/.exec(text)![1]!) as Entry);
  const pair = language === 'toml' ? /"(x-api-key)" = "(.*)"/ : /--header "(.*): (.*?)"/;
  const [, name, value] = pair.exec(text) ?? assert.fail(text);
  return { url: /https?:\/\/[^\s"]+/.exec(text)![0], headers: { [name!]: value! } };
}

function serversIn(config: { mcpServers?: Record<string, Entry>; servers?: Record<string, Entry> }) {
  return config.mcpServers ?? config.servers ?? assert.fail(JSON.stringify(config));
}

function ofEntry({ url, httpUrl, uri, headers }: Entry): Setup | null {
  const address = url ?? httpUrl ?? uri;
  return address === undefined ? null : { url: address, headers: headers! };
}

test('docs/hosts.md: every configuration reaches the server with its key', async (t) => {
  const app = await testApp(t);
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const setups = fencesOf('hosts').flatMap((fence) => setupOf(fence) ?? []);
  const page = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8');
  const [, name, value] = /name\s+`(\w+)`, value\s+`(Bearer ar_READ)`/.exec(page) ?? assert.fail();
  for (const { url, headers } of [...setups, { url: `${SERVER}/mcp`, headers: { [name!]: value! } }]) {
    const sent = JSON.parse(JSON.stringify(headers).replace(/ar_READ|\$\{input:[\w-]+\}/, key)) as Record<
      string,
      string
    >;
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.after(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url.replace(SERVER, app.url)), { requestInit: { headers: sent } }),
    );
    assert.ok((await client.listTools()).tools.length > 0, JSON.stringify(headers));
  }
  assert.equal(setups.length, 8);
});
