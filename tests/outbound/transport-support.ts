import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import {
  type CallPolicy,
  type Transport,
  TransportFault,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../../src/core/agents/connectors/call/transport.ts';
import type { Dispatchers } from '../../src/outbound/dispatchers.ts';
import { makeTransport } from '../../src/outbound/transport.ts';
import { rejectionOf, testDispatchers } from './support.ts';

/** The servers of the tests are in a network that is not public. */
export const LOOPBACK: CallPolicy = { tenantId: 'tenant', allowPrivateNetworks: ['127.0.0.0/8', '::1/128'] };
export const PUBLIC_ONLY: CallPolicy = { tenantId: 'tenant', allowPrivateNetworks: [] };

export interface Sending extends Partial<Omit<UpstreamRequest, 'url'>> {
  policy?: CallPolicy;
  transport?: Transport;
  connections?: Dispatchers;
}

/** Sends a GET of nothing in particular, which the options change. */
export function send(t: TestContext, url: string, sending: Sending = {}): Promise<UpstreamAnswer> {
  const { policy = LOOPBACK, connections, transport, ...request } = sending;
  const over = transport ?? makeTransport({ connections: connections ?? testDispatchers(t) });
  return over.send(policy, {
    method: 'GET',
    url: new URL(url),
    headers: [],
    body: null,
    maxBytes: 100_000,
    signal: new AbortController().signal,
    ...request,
  });
}

/** The fault that a sending ends in. */
export async function faultOf(sent: Promise<unknown>): Promise<TransportFault> {
  const error = await rejectionOf(sent);
  assert.ok(error instanceof TransportFault, String(error.stack));
  return error;
}

/** What can be asserted of a fault in one line. */
export function told({ kind, maybeSent, status }: TransportFault): unknown[] {
  return [kind, maybeSent, status];
}

/** A server that speaks whatever bytes it likes: `speak` is called when the first bytes of each request have come. */
export async function startSpeaker(
  t: TestContext,
  speak: (socket: net.Socket, request: string) => unknown,
): Promise<{ url: string }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => speak(socket, bytes.toString('latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
