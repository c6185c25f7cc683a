import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from '../core/base/concurrency/mutex.ts';
import { makeDataDirectory } from '../storage/installation/data-directory.ts';
import { closeServer } from './close-server.ts';
import { OPERATIONS_PATH, type OwnedServer, type OwnerInfo } from './owner.ts';
import { OwnerClient } from './owner-client.ts';
import { OwnerLock } from './owner-lock.ts';
import type { Fetch, SocketAddress } from './socket.ts';

/* Leader election: one process owns a data directory, the others send it their requests. */

export interface OwnershipOptions {
  dataDir: string;
  /** Called each time this process becomes the owner. */
  open: () => Promise<OwnedServer>;
  info: () => OwnerInfo;
  yields: boolean;
  onError?: (error: unknown) => void;
}

const POLL_MS = 200;
const MAX_POLL_MS = 30_000;
/** Four seconds of failures are normal while the previous owner ends. */
const TOLERATED_FAILURES = 20;
const DRAIN_MS = 2_000;
const RETRY_DEADLINE_MS = 15_000;

/** Exponential backoff. */
function pauseAfter(failures: number): number {
  return Math.min(POLL_MS * 2 ** Math.max(0, failures - TOLERATED_FAILURES), MAX_POLL_MS);
}

export class Ownership {
  private readonly options: OwnershipOptions;
  private readonly lock: OwnerLock;
  private readonly client: OwnerClient;
  private owned: { server: Server; parts: OwnedServer } | null = null;
  private readonly runningOperations = new Set<ServerResponse>();
  private readonly changes = new Mutex();
  private stopped = false;
  private lastFault = '';

  constructor(options: OwnershipOptions) {
    this.options = options;
    makeDataDirectory(options.dataDir);
    this.lock = new OwnerLock(options.dataDir);
    this.client = new OwnerClient(options.dataDir);
  }

  get address(): SocketAddress {
    return this.client.address;
  }

  owner(): Promise<OwnerInfo | null> {
    return this.client.owner();
  }

  tryOwn(): Promise<boolean> {
    return this.changes.runExclusive(async () => {
      if (this.owned) return true;
      if (this.stopped || !this.lock.tryAcquire(this.options)) return false;
      try {
        const parts = await this.options.open();
        const server = createServer(this.listenerOf(parts));
        server.requestTimeout = 0;
        await this.address.listen(server).catch(async (error: unknown) => {
          await parts.close();
          throw error;
        });
        this.owned = { server, parts };
        return true;
      } catch (error) {
        this.lock.release();
        throw error;
      }
    });
  }

  /** Null on success, else the owner that did not yield. */
  async own(timeoutMs: number): Promise<OwnerInfo | null> {
    const deadline = Date.now() + timeoutMs;
    try {
      for (;;) {
        this.lock.reserve();
        if (await this.tryOwn()) return null;
        const owner = await this.client.requestYield();
        // A server that is not shutting down does not yield.
        if (owner && owner.yields === false && !owner.stopping) return owner;
        if (Date.now() >= deadline) return owner ?? { command: 'unknown', pid: 0 };
        await sleep(25);
      }
    } finally {
      this.lock.cancelReservation();
    }
  }

  /** Keeps trying until `close`. */
  async watch(): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      await this.tryOwn().then(
        () => {
          failures = 0;
          this.lastFault = '';
        },
        (error: unknown) => {
          failures += 1;
          this.reportFault(error);
        },
      );
      // Jitter: waiting processes must not all try at once.
      await sleep(pauseAfter(failures) * (0.75 + Math.random() / 2));
    }
  }

  /** Repeats the request until an owner responds, so it must be idempotent. */
  readonly fetch: Fetch = async (url, init) => {
    const deadline = Date.now() + RETRY_DEADLINE_MS;
    for (;;) {
      try {
        return await buffered(await this.client.fetch(url, init), init);
      } catch (error) {
        if (init?.signal?.aborted || Date.now() >= deadline || this.stopped) throw error;
        await this.tryOwn().catch((fault: unknown) => this.reportFault(fault));
        await sleep(50);
      }
    }
  };

  private reportFault(error: unknown): void {
    const fault = String(error);
    if (fault === this.lastFault) return;
    this.lastFault = fault;
    this.options.onError?.(error);
  }

  /** Processes that want the directory then keep waiting. */
  announceShutdown(): void {
    this.stopped = true;
  }

  /** Finishes operations, drains requests, closes the stores, frees the lock. */
  async close(): Promise<void> {
    this.stopped = true;
    await this.release();
    this.lock.close();
    await this.client.close();
  }

  private release(): Promise<void> {
    return this.changes.runExclusive(async () => {
      const { owned } = this;
      this.owned = null;
      if (owned) {
        // The drain limit does not cut off operations.
        await Promise.all([...this.runningOperations].map((response) => once(response, 'close')));
        await closeServer(owned.server, DRAIN_MS, owned.parts);
        await owned.parts.close();
      }
      this.lock.release();
    });
  }

  private listenerOf({ listener, operations }: OwnedServer): RequestListener {
    const { yields } = this.options;
    const answer = (response: ServerResponse, status: number) => {
      const info: OwnerInfo = { ...this.options.info(), yields, stopping: this.stopped };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(info));
    };
    return (request, response) => {
      if (request.url === '/-/owner') {
        answer(response, 200);
      } else if (request.url === '/-/yield' && request.method === 'POST') {
        answer(response, yields ? 202 : 409);
        if (yields) void this.release();
      } else if (operations && request.url?.startsWith(OPERATIONS_PATH)) {
        this.runningOperations.add(response);
        response.once('close', () => this.runningOperations.delete(response));
        operations(request, response);
      } else {
        listener(request, response);
      }
    };
  }
}

/** Reads the whole response, in case the owner dies midway. Passes streams on. */
async function buffered(response: Response, init: RequestInit | undefined): Promise<Response> {
  const isStream = typeof init?.body === 'string' && init.body.includes('"subscriptions/listen"');
  if (isStream || response.status === 204) return response;
  return new Response(await response.text(), { status: response.status, headers: [...response.headers] });
}
