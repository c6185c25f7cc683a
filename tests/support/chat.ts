import { type IncomingMessage, request } from 'node:http';
import type { TestContext } from 'node:test';
import { type AppSettings, type TestApp, testApp } from './app.ts';
import { type FakeUpstream, fakeUpstream } from './upstream/server.ts';

export const CHAT = '/api/v1/runtime/v1/chat/stream';
export const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';

/** A response as it came over the wire; `complete`: it ended as HTTP has it. */
export interface Received {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  complete: boolean;
}

export interface ChatOptions {
  key?: string;
  accept?: string;
  /** Called with the head of the response. */
  onHead?: (headers: IncomingMessage['headers']) => void;
  /** Called with each part as it comes, and the request that may be destroyed. */
  onData?: (text: string, leave: () => void) => void;
  signal?: AbortSignal;
}

/** One chat over a connection of its own, read to its end, however that comes. */
export function chat(app: Pick<TestApp, 'url' | 'key'>, body: unknown, options: ChatOptions = {}): Promise<Received> {
  const { key = app.key, accept = 'text/plain', onHead, onData, signal } = options;
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept };
    const outgoing = request(
      `${app.url}${CHAT}`,
      { method: 'POST', headers, agent: false, ...(signal ? { signal } : {}) },
      (response) => {
        onHead?.(response.headers);
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => {
          parts.push(part);
          onData?.(part.toString(), () => outgoing.destroy());
        });
        response.on('error', () => undefined);
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
            complete: response.complete,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

export interface ServerSentEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
  data: any;
}

/** The events of a whole text of them; comments are left out. */
export function eventsOf(text: string): ServerSentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event, data] = block.split('\n');
      return { event: event!.slice('event: '.length), data: JSON.parse(data!.slice('data: '.length)) };
    });
}

export interface ChatApp extends TestApp {
  upstream: FakeUpstream;
  /** The smallest request of the custom provider `local`, with what is given. */
  ask(members?: object): object;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into executions of every shape
  executionOf(received: Pick<Received, 'headers'>): Promise<any>;
}

/** A server whose provider `local` is a fake upstream, both over real sockets. */
export async function chatApp(t: TestContext, settings: AppSettings = {}, definition: object = {}): Promise<ChatApp> {
  const app = await testApp(t, settings);
  const upstream = await fakeUpstream(t);
  await app.runtime.providers.apply(app.tenantId, {
    name: 'local',
    provider: 'custom',
    baseUrl: upstream.baseUrl('custom'),
    allowPrivateNetwork: true,
    ...definition,
  });
  return {
    ...app,
    upstream,
    ask: (members = {}) => ({
      projectId: 'shop',
      provider: 'custom',
      providerName: 'local',
      model: 'llama3.2',
      messages: [{ role: 'user', content: 'Say hello.' }],
      ...members,
    }),
    executionOf: async ({ headers }) => (await app.request('GET', `${EXECUTIONS}/${headers['x-execution-id']}`)).body,
  };
}
