import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** The end of a request of the wire protocol: Query, Sync, Terminate. */
const ENDS = new Set(['Q', 'S', 'X']);
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

interface Lite {
  execProtocolRaw(request: Uint8Array): Promise<Uint8Array>;
}

/**
 * PostgreSQL with pgvector in this process (PGlite), behind a port of the loopback interface. It has one session:
 * connections take turns, each until its transaction ends.
 */
export async function startPglite(scope: Pick<TestContext, 'after'>): Promise<{ url: string }> {
  const [{ PGlite }, { vector }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-pgvector'),
  ]);
  const database = await PGlite.create({ extensions: { vector } });
  const turns = new Turns();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    void serve(socket, database as unknown as Lite, turns);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await database.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** A mutex. */
class Turns {
  private last: Promise<void> = Promise.resolve();

  async take(): Promise<() => void> {
    const before = this.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    return resolve;
  }
}

async function serve(socket: Socket, database: Lite, turns: Turns): Promise<void> {
  socket.on('error', () => undefined);
  let release: (() => void) | null = null;
  let isInTransaction = false;
  try {
    for await (const request of requestsOf(socket)) {
      release ??= await turns.take();
      const answer = await database.execProtocolRaw(request);
      socket.write(answer);
      isInTransaction = statusOf(answer) !== IDLE;
      if (isInTransaction) continue;
      release();
      release = null;
    }
  } catch {
    // The connection was reset.
  } finally {
    if (isInTransaction) await database.execProtocolRaw(queryMessage('ROLLBACK'));
    release?.();
  }
}

/** Whole requests: what comes before a Query, Sync or Terminate belongs to it. */
async function* requestsOf(socket: Socket): AsyncGenerator<Uint8Array> {
  let [waiting, hasStarted] = [Buffer.alloc(0), false];
  for await (const data of socket as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, data]);
    let [from, at] = [0, 0];
    for (;;) {
      const head = hasStarted ? 1 : 0;
      if (waiting.length < at + head + 4) break;
      const end = at + head + waiting.readInt32BE(at + head);
      if (waiting.length < end) break;
      const type = hasStarted ? String.fromCharCode(waiting[at]!) : 'startup';
      at = end;
      if (type === 'X') return;
      if (hasStarted && !ENDS.has(type)) continue;
      hasStarted = true;
      yield new Uint8Array(waiting.subarray(from, end));
      from = end;
    }
    waiting = waiting.subarray(from);
  }
}

/** Of the last ReadyForQuery, which ends an answer: idle, in a transaction, or in a failed one. */
function statusOf(answer: Uint8Array): number {
  return answer.at(-6) === READY ? answer.at(-1)! : IDLE;
}

function queryMessage(text: string): Uint8Array {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return new Uint8Array(Buffer.concat([head, body]));
}
