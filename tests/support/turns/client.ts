import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

/** A client in a thread of its own: what it does is no work of the server's thread. */
const CODE = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', async ({ id, url, method, headers, body }) => {
  try {
    const response = await fetch(url, { method, headers, body, redirect: 'manual' });
    const bytes = Buffer.from(await response.arrayBuffer());
    parentPort.postMessage({ id, status: response.status, bytes: bytes.length, text: bytes.toString('utf8', 0, 100_000) });
  } catch (error) {
    parentPort.postMessage({ id, status: 0, bytes: 0, text: String(error.cause ?? error) });
  }
});
`;

export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
}

export interface Received {
  status: number;
  bytes: number;
  /** Its beginning. */
  text: string;
}

export class ThreadClient {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, (answer: Received) => void>();
  private sent = 0;

  constructor(t: Pick<TestContext, 'after'>) {
    this.worker = new Worker(CODE, { eval: true });
    this.worker.on('message', ({ id, ...answer }: Received & { id: number }) => {
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    });
    t.after(() => this.worker.terminate());
  }

  ready(): Promise<unknown> {
    return once(this.worker, 'online');
  }

  send(request: Sent): Promise<Received> {
    return this.prepare(request)();
  }

  /** What sends the request once; its body, which moves to the thread, is copied before. */
  prepare(request: Sent): () => Promise<Received> {
    const id = ++this.sent;
    const body = request.body && new Uint8Array(request.body);
    return () =>
      new Promise((resolve) => {
        this.waiting.set(id, resolve);
        this.worker.postMessage({ ...request, id, body }, body ? [body.buffer as ArrayBuffer] : []);
      });
  }
}
