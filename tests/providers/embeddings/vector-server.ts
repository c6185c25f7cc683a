import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import type { Connection } from '../../../src/core/agents/chat/provider.ts';

export interface VectorRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into requests of every shape
  body: any;
}

/** What a request gets; null is no answer at all. A body that is no text is JSON. */
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  breaks?: boolean;
} | null;

export interface VectorServer {
  url: string;
  requests: VectorRequest[];
  /** Says what the next requests get, one each; the last stays. */
  script(...replies: (Reply | ((request: VectorRequest) => Reply | Promise<Reply>))[]): void;
  /** The most requests that were open at once. */
  readonly mostOpen: number;
  whenLeft(count: number): Promise<void>;
}

export async function vectorServer(t: Pick<TestContext, 'after'>): Promise<VectorServer> {
  const requests: VectorRequest[] = [];
  let replies: Parameters<VectorServer['script']> = [];
  let [open, mostOpen, left] = [0, 0, 0];
  let heard = () => {};
  const server = createServer(async (incoming, response) => {
    response.on('close', () => {
      open -= 1;
      if (response.writableFinished) return;
      left += 1;
      heard();
    });
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const request = { path: incoming.url!, headers: incoming.headers, body };
    requests.push(request);
    const next = replies.length > 1 ? replies.shift()! : replies[0]!;
    send(response, typeof next === 'function' ? await next(request) : next);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...next) => {
      replies = next;
    },
    get mostOpen() {
      return mostOpen;
    },
    whenLeft: async (count) => {
      while (left < count) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === null) return;
  const { status = 200, headers = {}, body = '', breaks = false } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (breaks) response.write(text, () => response.destroy());
  else response.end(text);
}

export const API_KEY = 'sk-secret-0123456789';

export function connectionTo(provider: Vendor, baseUrl: string | null, changes: Partial<Connection> = {}): Connection {
  return {
    ...{ provider, baseUrl, apiKey: API_KEY, headers: {}, region: provider === 'bedrock' ? 'us-east-1' : null },
    ...{ allowPrivateNetwork: true, allowPrivateImages: false },
    ...changes,
  };
}

/** Texts with their index, and the server's vectors for them: (index, 1, 0), after any prefix. */
export const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `text ${from + index}`);
export const vectorOf = (text: string): number[] => [Number(/text (\d+)/.exec(text)![1]), 1, 0];

export function openaiAnswer({ body }: VectorRequest): Reply {
  const items = (body.input as string[]).map((text, index) => {
    const vector = vectorOf(text);
    const bytes = Buffer.from(new Float32Array(vector).buffer);
    return {
      object: 'embedding',
      index,
      embedding: body.encoding_format === 'base64' ? bytes.toString('base64') : vector,
    };
  });
  return { body: { object: 'list', data: items, model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } } };
}

export function geminiAnswer({ body }: VectorRequest): Reply {
  const requests = body.requests as { content: { parts: { text: string }[] } }[];
  return { body: { embeddings: requests.map(({ content }) => ({ values: vectorOf(content.parts[0]!.text) })) } };
}

export function titanAnswer({ body }: VectorRequest): Reply {
  return { body: { embedding: vectorOf(body.inputText), inputTextTokenCount: 3 } };
}

export function cohereAnswer({ body }: VectorRequest): Reply {
  const embeddings = (body.texts as string[]).map(vectorOf);
  return {
    body: { id: 'x', embeddings: body.embedding_types ? { float: embeddings } : embeddings, texts: body.texts },
  };
}
