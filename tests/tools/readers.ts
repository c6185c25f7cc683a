import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { TestApp } from '../support/app.ts';
import { JSON_HEADERS } from './mcp-requests.ts';
import { MODERN } from './support.ts';

/** The methods of both SDKs' clients other than calling tools. */
export interface Reader {
  listResources(): Promise<{ resources: { uri: string; name: string; mimeType?: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string; name: string; mimeType?: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: { uri: string; mimeType?: string; text: string }[] }>;
  listPrompts(): Promise<{ prompts: Prompt[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: { role: string; content: { type: string; text: string } }[] }>;
  complete(params: {
    ref: { type: string; uri?: string; name?: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[]; total?: number; hasMore?: boolean } }>;
}

interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}

type Connect = (t: TestContext, app: TestApp, key: string) => Promise<Reader>;

const SELF = { name: 'test', version: '1.0.0' };
const MODERN_ERA = { versionNegotiation: { mode: { pin: MODERN } } } as const;

/** Both protocol eras, by the clients that speak them. */
export const READERS: [era: string, connect: Connect][] = [
  ['the v1 client', (t, app, key) => v1Reader(t, app, key)],
  ['the v2 client', (t, app, key) => v2Reader(t, app, key)],
  ['the v2 client in the era of 2026', (t, app, key) => v2Reader(t, app, key, MODERN_ERA)],
];

async function v1Reader(t: TestContext, app: TestApp, key: string): Promise<Reader> {
  const client = new V1Client(SELF);
  t.after(() => client.close());
  const transport = new V1Http(new URL(`${app.url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } });
  await client.connect(transport as V1Transport);
  return client as unknown as Reader;
}

async function v2Reader(
  t: TestContext,
  app: TestApp,
  key: string,
  options?: ConstructorParameters<typeof Client>[1],
): Promise<Reader> {
  const client = new Client(SELF, options);
  t.after(() => client.close());
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
  return client as unknown as Reader;
}

/** Asserts a protocol error of invalid parameters; its message. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    (answer) => assert.fail(`answered ${JSON.stringify(answer).slice(0, 300)}`),
    (thrown: Error & { code?: unknown }) => thrown,
  );
  assert.equal(error.code, -32602, `${error.code}: ${error.message}`);
  return error.message;
}

/** Sends one raw request or batch. */
export async function post(app: TestApp, body: unknown, key: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      ...JSON_HEADERS,
      'x-api-key': key,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? '',
    text: await response.text(),
  };
}

export const SCHEMA = 'events://schema';

/** The address of an event, or of one of its properties. */
export function resourceUri(...names: string[]): string {
  return [SCHEMA, ...names.map(encodeURIComponent)].join('/');
}
