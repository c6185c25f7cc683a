import type { TestApp } from '../support/app.ts';
import { rawRequest } from '../support/raw.ts';
import type { ListedTool } from './support.ts';

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function message(method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Sends one raw request; the JSON-RPC answer from its stream. */
export async function rpc(app: TestApp, method: string, params: unknown = {}, key = app.key) {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'x-api-key': key },
    body: message(method, params),
  });
  const text = await response.text();
  const data = /^data: ([^\n]*)$/m.exec(text)?.[1] ?? text;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return JSON.parse(data) as { result?: any; error?: any };
}

export async function listTools(app: TestApp, key = app.key): Promise<ListedTool[]> {
  return (await rpc(app, 'tools/list', {}, key)).result.tools;
}

/** Sends a `ping` with headers that `fetch` would refuse. */
export function send({ url, key }: TestApp, headers: Record<string, string>) {
  return rawRequest(url, 'POST', '/mcp', {
    headers: { ...JSON_HEADERS, 'x-api-key': key, ...headers },
    body: message('ping'),
  });
}
