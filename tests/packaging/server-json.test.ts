import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { testApp } from '../support/app.ts';
import { ROOT } from './support.ts';

/*
 * server.json describes the server to registries of MCP servers. The checks are those of its
 * schema, revision 2025-12-11, and the additional ones of the official registry.
 */

interface Input {
  description?: string;
  format?: string;
  placeholder?: string;
  value?: string;
  default?: string;
  isRequired?: boolean;
  isSecret?: boolean;
}

interface Remote {
  type: string;
  url: string;
  variables?: Record<string, Input>;
  headers?: (Input & { name: string })[];
}

interface Package {
  registryType?: string;
  identifier?: string;
  version?: string;
  fileSha256?: string;
  transport?: { type: string };
}

interface ServerJson {
  $schema: string;
  name: string;
  title?: string;
  description: string;
  version: string;
  remotes?: Remote[];
  packages?: Package[];
}

const text = readFileSync(join(ROOT, 'server.json'), 'utf8');
const server = JSON.parse(text) as ServerJson;
const { remotes = [], packages = [] } = server;

test('server.json: has the members that its schema requires', () => {
  assert.equal(server.$schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  const known = ['$schema', '_meta', 'name', 'title', 'description', 'version', 'icons', 'websiteUrl', 'repository'];
  assert.deepEqual(
    Object.keys(server).filter((member) => ![...known, 'remotes', 'packages'].includes(member)),
    [],
  );
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.name.length >= 3 && server.name.length <= 200);
  for (const words of [server.description, server.title ?? '?']) assert.ok(words.length >= 1 && words.length <= 100);
  assert.ok(remotes.length + packages.length > 0);
});

test('server.json: names this program and its exact version', () => {
  assert.equal(server.name.split('/')[1], PROGRAM.name);
  assert.equal(server.version, PROGRAM.version);
  assert.match(server.version, /^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('server.json: a remote is an HTTPS address made of its described variables', () => {
  for (const { type, url, variables = {} } of remotes) {
    assert.equal(type, 'streamable-http');
    assert.match(url, /^https:\/\/[^\s]+$/);
    const used = [...url.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
    assert.deepEqual(used, Object.keys(variables));
    for (const input of Object.values(variables)) assertInput(input);
    const { hostname } = new URL(filledIn(url, variables));
    assert.doesNotMatch(hostname, /^(localhost|.*\.localhost|127\..*)$/);
  }
});

test('server.json: a remote asks for the key as a secret and contains none', () => {
  for (const { headers = [] } of remotes) {
    const key = headers.find((header) => header.name === 'x-api-key');
    assert.deepEqual([key?.isRequired, key?.isSecret], [false, true], 'without one, hosts log in by OAuth');
    for (const header of headers) {
      assertInput(header);
      assert.deepEqual([header.value, header.default], [undefined, undefined]);
    }
  }
  assert.doesNotMatch(text, /ar_[0-9A-Za-z]/);
});

test('server.json: a package is complete, and a bundle has its hash', () => {
  for (const { registryType, identifier, version, fileSha256, transport } of packages) {
    assert.ok(registryType && identifier && transport?.type);
    assert.doesNotMatch(version ?? '', /^latest$|[\^~<>*]|\.x/);
    if (registryType !== 'mcpb') continue;
    assert.match(identifier, /^https:\/\/\S*mcp/);
    assert.match(fileSha256 ?? '', /^[a-f0-9]{64}$/);
  }
});

test("server.json: its only addresses are its schema and the user's server", () => {
  const addresses = [...text.matchAll(/https?:\/\/[^"\s]+/g)].map(([address]) => address);
  assert.deepEqual(addresses, [server.$schema, ...remotes.map((remote) => remote.url)]);
});

test('server.json: a client that follows it gets the tools', async (t) => {
  const app = await testApp(t);
  for (const { url, headers = [] } of remotes) {
    const address = new URL(url.replace(/^https:\/\/\{host\}/, app.url));
    const named = Object.fromEntries(headers.map(({ name }) => [name, app.key]));
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.after(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: named } }));
    assert.ok((await client.listTools()).tools.length > 0);
  }
});

function assertInput({ description, format }: Input): void {
  assert.ok(description);
  assert.ok(['string', 'number', 'boolean', 'filepath'].includes(format ?? 'string'));
}

function filledIn(url: string, variables: Record<string, Input>): string {
  return url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.placeholder ?? '');
}
