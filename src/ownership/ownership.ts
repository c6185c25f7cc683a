import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from '../core/shared/mutex.ts';
import { makeDataDirectory } from '../storage/files/data-directory.ts';
import { FileLock } from '../storage/sqlite/lock.ts';
import { OPERATIONS_PATH, type OwnedServer, type OwnerInfo } from './owner.ts';
import { type Fetch, listenOnSocket, type SocketAddress, socketAddress, socketFetch } from './socket.ts';

/*
 * One process at a time owns a data directory: it holds the lock, has the stores open and answers on the directory's
 * socket. Every other process on the directory sends its requests there. When the owner ends, however it ends, the
 * operating system frees the lock and one of the others takes over. A `serve` that starts asks an owning `mcp` to yield.
 */

export interface OwnershipOptions {
  dataDir: string;
  /** Opens the stores and builds the app. Called each time this process becomes the owner. */
  open: () => Promise<OwnedServer>;
  info: () => OwnerInfo;
  /** Whether to let go when another process asks. */
  yields: boolean;
  onError?: (error: unknown) => void;
}

/** Held by the owner; there as soon as anybody has worked on the directory. */
export const OWNER_LOCK = 'owner.lock';

const POLL_MS = 200;
const MAX_POLL_MS = 30_000;
/** Four seconds of them. */
const PATIENT_FAILURES = 20;
const DRAIN_MS = 2_000;
const RETRY_DEADLINE_MS = 15_000;

/** A predecessor that is dying fails the first few; a directory that is gone, or broken, is not asked for ever so often. */
function pauseAfter(failures: number): number {
  return failures <= PATIENT_FAILURES ? POLL_MS : Math.min(POLL_MS * 2 ** (failures - PATIENT_FAILURES), MAX_POLL_MS);
}

export class Ownership {
  private readonly options: OwnershipOptions;
  private readonly lock: FileLock;
  /** Held by a process that must be the next owner: who would yield to it keeps off. */
  private readonly next: FileLock;
  private readonly address: SocketAddress;
  private readonly socket: ReturnType<typeof socketFetch>;
  private household: { server: Server; parts: OwnedServer } | null = null;
  private readonly operating = new Set<ServerResponse>();
  private readonly changes = new Mutex();
  private stopped = false;
  private lastFault = '';

  constructor(options: OwnershipOptions) {
    this.options = options;
    makeDataDirectory(options.dataDir);
    this.lock = new FileLock(join(options.dataDir, OWNER_LOCK));
    this.next = new FileLock(join(options.dataDir, 'next.lock'));
    this.address = socketAddress(realpathSync(options.dataDir));
    this.socket = socketFetch(this.address.path);
  }

  /** Valid until `close`. */
  get socketPath(): string {
    return this.address.path;
  }

  /** Becomes the owner if nobody is. */
  tryOwn(): Promise<boolean> {
    return this.changes.runExclusive(async () => {
      if (this.household) return true;
      if (this.stopped || !this.tryLock()) return false;
      try {
        const parts = await this.options.open();
        const server = createServer(this.control(parts));
        server.requestTimeout = 0;
        await listenOnSocket(server, this.address.path).catch(async (error: unknown) => {
          await parts.close();
          throw error;
        });
        this.household = { server, parts };
        return true;
      } catch (error) {
        this.lock.release();
        throw error;
      }
    });
  }

  private tryLock(): boolean {
    // Who would yield to the next owner anyway does not get in its way.
    if (!this.options.yields) return this.lock.tryAcquire();
    if (!this.next.tryAcquire()) return false;
    try {
      return this.lock.tryAcquire();
    } finally {
      this.next.release();
    }
  }

  /**
   * Becomes the owner, asking the present one to yield. Resolves with null, or with the owner that would not yield
   * within `timeoutMs`.
   */
  async own(timeoutMs: number): Promise<OwnerInfo | null> {
    const deadline = Date.now() + timeoutMs;
    try {
      for (;;) {
        this.next.tryAcquire();
        if (await this.tryOwn()) return null;
        const owner = await this.askToYield();
        // A server that is not about to stop will be there however long we wait.
        if (owner && owner.yields === false && !owner.stopping) return owner;
        if (Date.now() >= deadline) return owner ?? { command: 'unknown', pid: 0 };
        await sleep(25);
      }
    } finally {
      this.next.release();
    }
  }

  /** Keeps trying to become the owner, for the case that the present one ends. Stops with `close`. */
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
      // Not all at once: what one takes over, the others need not have tried for.
      await sleep(pauseAfter(failures) * (0.75 + Math.random() / 2));
    }
  }

  /**
   * Sends a request to whoever owns the directory, this process included. While nobody does, it waits for the next owner
   * and tries again: only requests that may be repeated belong here.
   */
  readonly fetch: Fetch = async (url, init) => {
    const deadline = Date.now() + RETRY_DEADLINE_MS;
    for (;;) {
      try {
        const response = await this.socket.fetch(url, init);
        return await wholly(response, init);
      } catch (error) {
        if (init?.signal?.aborted || Date.now() >= deadline || this.stopped) throw error;
        await this.tryOwn().catch((fault: unknown) => this.reportFault(fault));
        await sleep(50);
      }
    }
  };

  /** Each fault once, however often it is met again. */
  private reportFault(error: unknown): void {
    const fault = String(error);
    if (fault === this.lastFault) return;
    this.lastFault = fault;
    this.options.onError?.(error);
  }

  /** Whether somebody owns the directory now, and who. */
  async owner(): Promise<OwnerInfo | null> {
    return this.ask<OwnerInfo>('/-/owner', 'GET');
  }

  /** Whether the owner's stores all answer. */
  async ready(): Promise<boolean> {
    return (await this.ask('/readyz', 'GET')) !== null;
  }

  /** What the owner's /metrics says; null when it does not answer. */
  async metrics(): Promise<string | null> {
    try {
      const response = await this.socket.fetch('http://localhost/metrics', { signal: AbortSignal.timeout(5_000) });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }

  /** Says that `close` is near, so that who waits for the directory goes on waiting. */
  announceStop(): void {
    this.stopped = true;
  }

  async close(): Promise<void> {
    this.stopped = true;
    await this.changes.runExclusive(() => this.letGo(DRAIN_MS));
    this.lock.close();
    this.next.close();
    await this.socket.close();
    this.address.close();
  }

  /** Answers the directory's own questions; everything else is the app's. */
  private control({ listener, operations }: OwnedServer): RequestListener {
    return (request, response) => {
      if (request.url === '/-/owner') {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(this.description()));
      } else if (request.url === '/-/yield' && request.method === 'POST') {
        const status = this.options.yields ? 202 : 409;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(this.description()));
        if (this.options.yields) void this.yield();
      } else if (operations && request.url?.startsWith(OPERATIONS_PATH)) {
        this.operating.add(response);
        response.once('close', () => this.operating.delete(response));
        operations(request, response);
      } else {
        listener(request, response);
      }
    };
  }

  private description(): OwnerInfo {
    return { ...this.options.info(), yields: this.options.yields, stopping: this.stopped };
  }

  private yield(): Promise<void> {
    return this.changes.runExclusive(() => this.letGo(DRAIN_MS));
  }

  private async letGo(drainMs: number): Promise<void> {
    const household = this.household;
    this.household = null;
    if (household) {
      // Whoever wants the directory may wait for what the operator is having done.
      await Promise.all([...this.operating].map((response) => once(response, 'close')));
      await closeServer(household.server, drainMs, () => household.parts.breakOff?.());
      await household.parts.close();
    }
    this.lock.release();
  }

  private askToYield(): Promise<OwnerInfo | null> {
    return this.ask<OwnerInfo>('/-/yield', 'POST');
  }

  private async ask<Answer>(path: string, method: string): Promise<Answer | null> {
    try {
      const response = await this.socket.fetch(`http://localhost${path}`, {
        method,
        signal: AbortSignal.timeout(1_000),
      });
      return response.status < 500 ? ((await response.json()) as Answer) : null;
    } catch {
      return null; // Nobody listens: the owner has just ended, or is just starting.
    }
  }
}

/** Stops accepting, lets running requests end, and after `drainMs` ends them, once `breakOff` has told them why. */
export async function closeServer(
  server: Server,
  drainMs: number,
  breakOff: () => void = () => undefined,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A client that keeps its connection busy would otherwise hold the stop up until `drainMs`.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    breakOff();
    server.closeAllConnections();
  }, drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  // Requests hear of the end of their connection after the server does; what they leave behind must find the stores open.
  await nextTurn();
}

/** The whole answer before any of it counts: an owner that dies halfway must not leave half of one. */
async function wholly(response: Response, init: RequestInit | undefined): Promise<Response> {
  const endless = typeof init?.body === 'string' && init.body.includes('"subscriptions/listen"');
  if (endless || response.status === 204) return response;
  return new Response(await response.text(), { status: response.status, headers: [...response.headers] });
}
