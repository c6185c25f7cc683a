import type http from 'node:http';
import type { TestContext } from 'node:test';
import type { Message, SendOutcome } from '../../src/core/watch/deliveries/message.ts';
import type { Target } from '../../src/core/watch/deliveries/targets.ts';
import type { Dispatchers } from '../../src/outbound/dispatchers.ts';
import type { PostContext } from '../../src/senders/webhook.ts';
import { startServer, testDispatchers } from '../outbound/support.ts';

/** The sinks of the tests are in a network that is not public. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export const SECRET = `whsec_${Buffer.from('a secret of 32 bytes for a test!').toString('base64')}`;

export const MESSAGE: Message = {
  type: 'alert.alerting',
  title: 'Too few orders',
  text: 'orders: 3, fewer than 10\nyesterday: 12',
  data: { alertId: 'a-1', value: 3, place: 'São Paulo' },
};

export const ID = '019ab3c1-0000-7000-8000-000000000001';
export const CREATED_AT = Date.UTC(2026, 10, 24, 8);

export function contextOf(
  t: TestContext,
  given: Partial<PostContext> & { connections?: Dispatchers } = {},
): PostContext {
  return {
    tenantId: 'tenant',
    id: ID,
    createdAt: CREATED_AT,
    timestamp: Date.now(),
    signal: new AbortController().signal,
    networks: LOOPBACK,
    connections: testDispatchers(t),
    ...given,
  };
}

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A sink that writes down what it receives; answers with 204 unless told otherwise. */
export async function startSink(
  t: TestContext,
  answer: (response: http.ServerResponse, count: number) => void = (response) => response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const server = await startServer(t, async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    received.push({ method: request.method!, path: request.url!, headers: request.headers, body });
    answer(response, received.length);
  });
  return { ...server, received };
}

export function webhookTo(url: string): Extract<Target, { type: 'webhook' }> {
  return { type: 'webhook', url: `${url}/hooks/a-secret-path?token=a-secret-token`, secret: SECRET };
}

/** Neither the secret nor the path of the URL, nor the address. */
export const SECRETS = /whsec_|a-secret|c2Vjcm|127\.0\.0\.1/;

export function errorOf(outcome: SendOutcome): string {
  return outcome.kind === 'sent' ? '' : outcome.error;
}
