import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, isIP, type LookupFunction } from 'node:net';
import type { TestContext } from 'node:test';
import { type DispatcherOptions, type Dispatchers, makeDispatchers } from '../../src/outbound/dispatchers.ts';

/** Loops back like 127.0.0.1; tests let it pass for a public address. */
export const SEEMS_PUBLIC = '127.0.0.2';

export interface TestServer {
  port: number;
  /** Without a slash at the end. */
  url: string;
  /** Opened connections, with or without requests. */
  connections: number;
  server: http.Server;
}

/** A server on a port of its own, gone after the test with all of its connections. */
export async function startServer(
  t: TestContext,
  answer: http.RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<TestServer> {
  const server = http.createServer(answer);
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const listening = (server.address() as AddressInfo).port;
  const started = { port: listening, url: `http://${host}:${listening}`, connections: 0, server };
  server.on('connection', () => {
    started.connections += 1;
  });
  return started;
}

/** Two servers on one port: one that seems public, and one within. Another program may have the port there, so it is tried again. */
export async function startRebound(
  t: TestContext,
  answer: http.RequestListener,
): Promise<{ reached: TestServer; within: TestServer }> {
  for (;;) {
    const reached = await startServer(t, answer, SEEMS_PUBLIC);
    const within = await startServer(t, answer, '127.0.0.1', reached.port).catch(() => undefined);
    if (within) return { reached, within };
  }
}

/** Counts what reaches the loopback addresses, of IPv6 too where there is any, on one port. */
export async function startCanary(t: TestContext): Promise<{ port: number; connections(): number }> {
  const answer: http.RequestListener = (_request, response) => response.end('reached');
  const first = await startServer(t, answer);
  const second = await startServer(t, answer, '::1', first.port).catch(() => undefined);
  return { port: first.port, connections: () => first.connections + (second?.connections ?? 0) };
}

/** Connections of this test's own, gone after it. */
export function testDispatchers(t: TestContext, options: DispatcherOptions = {}): Dispatchers {
  const made = makeDispatchers(options);
  t.after(() => made.closeDispatchers());
  return made;
}

/**
 * A lookup that knows only these names. Each call uses the name's next list of addresses, and then
 * the last one.
 */
export function lookupOf(names: Record<string, string[][]>): LookupFunction {
  const asked: Record<string, number> = {};
  return (host, _options, callback) => {
    const answers = names[host];
    if (!answers) return callback(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []);
    const turn = asked[host] ?? 0;
    asked[host] = turn + 1;
    const answer = answers[Math.min(turn, answers.length - 1)]!;
    const addresses = answer.map((address) => ({ address, family: isIP(address) }));
    setImmediate(callback, null, addresses);
  };
}

/** An error with all that caused it. */
export function causesOf(error: unknown): unknown[] {
  return error === undefined ? [] : [error, ...causesOf((error as { cause?: unknown }).cause)];
}

/** What a promise rejects with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('it was to reject');
    },
    (error: Error) => error,
  );
}

/** Writes as long as the client reads. */
export function pour(response: http.ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(10_000)));
  };
  response.on('drain', more);
  more();
}
