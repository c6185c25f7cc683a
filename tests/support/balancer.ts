import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface Backend {
  url: string;
  /** Added to each request. */
  headers?: Record<string, string>;
}

/** A request that was passed on. */
export interface Passed<One extends Backend> {
  /** Null: no backend accepted a connection. */
  backend: One | null;
  method: string;
  path: string;
  /** Milliseconds of `performance.now()`. */
  from: number;
  to: number;
  /** Null: the answer did not come, or not to its end. */
  status: number | null;
}

export interface Balancer<One extends Backend> {
  url: string;
  readonly passed: Passed<One>[];
  /** The next request stays unanswered; resolves with the backend that has it. */
  hold(): Promise<One>;
  /** As a backend that dies: what runs there breaks off, and nothing is sent there again. */
  remove(backend: One): void;
}

/**
 * A load balancer without affinity: each request to the next backend, and to another one only if the connection was refused
 * before anything was sent.
 */
export async function startBalancer<One extends Backend>(
  t: Pick<TestContext, 'after'>,
  given: readonly One[],
): Promise<Balancer<One>> {
  const backends = [...given];
  const passed: Passed<One>[] = [];
  const running = new Set<{ backend: One; response: ServerResponse }>();
  let next = 0;
  let held: PromiseWithResolvers<One> | null = null;

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const first = next++;
    const candidates = backends.map((_, index) => backends[(first + index) % backends.length]!);
    const record: Passed<One> = {
      ...{ backend: null, method: incoming.method!, path: incoming.url!, from: performance.now(), to: 0 },
      status: null,
    };
    response.on('close', () => {
      record.to = performance.now();
      passed.push(record);
    });
    for (const backend of candidates) {
      if (held) {
        running.add({ backend, response });
        held.resolve(backend);
        return;
      }
      const socket = await connected(backend);
      if (socket === null) continue;
      record.backend = backend;
      pass({ incoming, response, backend, socket, record });
      return;
    }
    response.writeHead(502).end();
  };

  const pass = ({ incoming, response, backend, socket, record }: Passing<One>) => {
    const one = { backend, response };
    running.add(one);
    const outgoing = request(
      `${backend.url}${incoming.url}`,
      {
        method: incoming.method!,
        headers: { ...incoming.headers, host: new URL(backend.url).host, ...backend.headers, connection: 'close' },
        createConnection: () => socket,
      },
      (answered) => {
        // Those of its connection to the backend: this server keeps connections for another time.
        const { connection: _, 'keep-alive': __, ...headers } = answered.headers;
        response.writeHead(answered.statusCode!, headers);
        answered.on('error', () => response.destroy());
        answered.on('end', () => {
          record.status = answered.statusCode!;
        });
        answered.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => {
      running.delete(one);
      outgoing.destroy();
    });
    incoming.on('error', () => undefined).pipe(outgoing);
  };

  const server = createServer((incoming, response) => void answer(incoming, response));
  // Clients need not expect that an idle connection ends.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    hold: () => {
      held = Promise.withResolvers();
      return held.promise;
    },
    remove: (backend) => {
      held = null;
      backends.splice(backends.indexOf(backend), 1);
      for (const one of running) if (one.backend === backend) one.response.destroy();
    },
  };
}

interface Passing<One extends Backend> {
  incoming: IncomingMessage;
  response: ServerResponse;
  backend: One;
  socket: Socket;
  record: Passed<One>;
}

/** A new connection for each request: an idle one might be closed while a request is sent. Null: it was refused. */
async function connected({ url }: Backend): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}
