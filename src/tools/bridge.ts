import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { errorResult, wireResult } from './results.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

interface BridgeLog {
  debug(fields: { err: unknown }, message: string): void;
  warn(fields: { err: unknown }, message: string): void;
}

const LAST_ANSWERS_MS = 5_000;

interface BridgeOptions {
  url: URL;
  apiKey: string;
  fetch: Fetch;
  log: BridgeLog;
  keyHint?: string;
  stdin?: Readable;
  stdout?: Writable;
}

/** The address may include `/mcp` and end in a slash. */
export function mcpUrl(address: string): URL {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(\/mcp)?\/*$/, '')}/mcp`;
  return url;
}

/** Passes messages unchanged. Resolves when the client closes its end. */
export async function bridgeStdio({
  url,
  apiKey,
  fetch,
  log,
  keyHint,
  stdin = process.stdin,
  stdout,
}: BridgeOptions): Promise<void> {
  // Delays the end of input until earlier requests are answered.
  const input = new PassThrough();
  const unanswered = new Set<string | number>();
  const client = new StdioServerTransport(input, stdout);
  const server = new StreamableHTTPClientTransport(url, {
    fetch: refusalsAsErrors(fetch),
    requestInit: { headers: { 'x-api-key': apiKey } },
  });
  let closed = false;
  const ended = new Promise<void>((resolve) => {
    client.onclose = () => {
      closed = true;
      resolve();
    };
  });
  server.onmessage = (message) => {
    if ('id' in message && !('method' in message)) unanswered.delete(message.id!);
    void client.send(message as JSONRPCMessage);
  };
  server.onerror = (error) => log.debug({ err: error }, 'bridge');
  client.onerror = (error) => log.warn({ err: error }, 'standard input');
  client.onmessage = (message) => {
    if ('id' in message && 'method' in message) unanswered.add(message.id);
    void forward(message);
  };

  async function forward(message: JSONRPCMessage): Promise<void> {
    try {
      await server.send(message);
    } catch (error) {
      if (closed) return; // Closing aborts unfinished requests.
      log.warn({ err: error instanceof Refusal ? error.message : error }, 'a message could not be delivered');
      if (!('method' in message && 'id' in message)) return;
      unanswered.delete(message.id);
      await client.send(failureOf(message, error, keyHint));
    }
  }

  async function endOfInput(): Promise<void> {
    const deadline = Date.now() + LAST_ANSWERS_MS;
    do await sleep(20);
    while (unanswered.size > 0 && Date.now() < deadline);
    input.end();
  }

  await server.start();
  await client.start();
  stdin.once('end', () => void endOfInput());
  stdin.pipe(input, { end: false });
  await ended;
  await server.close();
}

class Refusal extends Error {
  readonly status: number;
  readonly challenge: string;

  constructor(response: Response, message: string) {
    super(message);
    this.status = response.status;
    this.challenge = response.headers.get('www-authenticate') ?? '';
  }
}

/** REST error bodies become a `Refusal`; JSON-RPC errors pass as answers. */
function refusalsAsErrors(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.ok || init?.method !== 'POST') return response;
    const text = await response.text();
    const message = messageOf(text);
    if (message !== undefined) throw new Refusal(response, message);
    return new Response(text, { status: response.status, headers: [...response.headers] });
  };
}

function messageOf(text: string): string | undefined {
  try {
    const { statusCode, message } = JSON.parse(text) as { statusCode?: number; message?: string | string[] };
    return statusCode === undefined ? undefined : [message].flat().join('; ');
  } catch {
    return undefined;
  }
}

/** `fetch` throws a TypeError when there is no response. */
function messageFor(error: unknown, keyHint: string | undefined): string {
  if (error instanceof Refusal && error.status === 401 && keyHint) return `${error.message} ${keyHint}`;
  if (error instanceof TypeError) return 'The Agent Runtime server cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}

/** A refused tool call gets an error that the model can read. */
function failureOf(
  { id, method }: { id: string | number; method: string },
  error: unknown,
  keyHint: string | undefined,
): JSONRPCMessage {
  if (method === 'tools/call' && error instanceof Refusal && error.status !== 401) {
    const isScope = error.challenge.includes('insufficient_scope');
    const text = isScope ? `insufficient_scope: ${error.message}` : error.message;
    return { jsonrpc: '2.0', id, result: wireResult(errorResult(text)) };
  }
  return { jsonrpc: '2.0', id, error: { code: -32603, message: messageFor(error, keyHint) } };
}
