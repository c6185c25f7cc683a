import { type MessagePort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { RuntimeError } from '../../core/shared/errors.ts';
import { fromWire, toWire, type WireError } from './wire.ts';

/*
 * An object that lives in a thread of its own, and whose methods are called from another: plain data there and back. Native
 * handles stay on one side, AbortSignals on the other.
 */

type Request<Method> = { id: number; method: Method; args: unknown[] } | { id: number; abort: true };

type Reply<Notice> =
  | { ready: true }
  | { id: number; value: unknown }
  | { id: number; error: WireError }
  /** Something failed that no caller waits for. */
  | { fault: WireError }
  | { notice: Notice };

export interface CallThreadOptions<Notice> {
  /** The module that calls `answerCalls`. */
  entry: URL;
  workerData: unknown;
  resourceLimits?: ResourceLimits;
  onFault(error: Error): void;
  onNotice(notice: Notice): void;
}

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** The calling side. A thread that dies takes the process with it: what was acknowledged is on disk, and a new start reads it. */
export class CallThread<Method extends string, Notice = never> {
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly pending = new Map<number, PendingCall>();
  private readonly exited: Promise<void>;
  private lastId = 0;
  private opened = false;
  private stopped: Error | null = null;

  constructor({ entry, workerData, resourceLimits, onFault, onNotice }: CallThreadOptions<Notice>) {
    this.worker = new Worker(entry, { workerData, ...(resourceLimits && { resourceLimits }) });
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (reply: Reply<Notice>) => {
        if ('ready' in reply) {
          this.opened = true;
          resolve();
        }
        if ('fault' in reply) onFault(fromWire(reply.fault));
        if ('notice' in reply) onNotice(reply.notice);
        if ('id' in reply) this.settle(reply);
      });
      this.worker.once('error', reject);
    });
    this.exited = new Promise((resolve) => {
      this.worker.once('error', (error) => {
        // Nothing accepted is lost. Better to end here and be started again than to go on without.
        const opened = this.stopped === null && this.opened;
        this.stop(error as Error);
        if (opened) throw error;
      });
      this.worker.once('exit', () => {
        this.stop(new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 }));
        resolve();
      });
    });
  }

  call<Result>(
    method: Method,
    args: unknown[],
    { signal, transfer }: { signal?: AbortSignal | undefined; transfer?: Transferable[] } = {},
  ): Promise<Result> {
    if (this.stopped) return Promise.reject(this.stopped);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.lastId;
    const abort = () => this.send({ id, abort: true });
    signal?.addEventListener('abort', abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, args }, transfer);
    }).finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Calls `close` over there, and waits for the thread to end. */
  async close(): Promise<void> {
    if (!this.stopped) await this.call('close' as Method, []);
    await this.exited;
  }

  private send(request: Request<Method>, transfer?: Transferable[]): void {
    this.worker.postMessage(request, transfer);
  }

  private settle(reply: Extract<Reply<Notice>, { id: number }>): void {
    const call = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ('error' in reply) call?.reject(fromWire(reply.error));
    else call?.resolve(reply.value as never);
  }

  private stop(error: Error): void {
    this.stopped ??= error;
    for (const call of this.pending.values()) call.reject(this.stopped);
    this.pending.clear();
  }
}

export interface Answering<Notice> {
  fault(error: unknown): void;
  notice(notice: Notice): void;
}

/**
 * The side of the thread: opens the object and answers calls until `close`. Methods that end early get the caller's signal as
 * their last argument.
 */
export async function answerCalls<Notice>(
  port: MessagePort,
  open: (answering: Answering<Notice>) => Promise<object>,
  takesSignal: (method: string) => boolean = () => false,
): Promise<void> {
  const reply = (message: Reply<Notice>) => port.postMessage(message);
  const target = await open({
    fault: (error) => reply({ fault: toWire(error) }),
    notice: (notice) => reply({ notice }),
  });
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const aborts = new Map<number, AbortController>();
  const answer = async (id: number, method: string, args: unknown[]) => {
    const controller = new AbortController();
    aborts.set(id, controller);
    try {
      const value = await methods[method]!(...args, ...(takesSignal(method) ? [controller.signal] : []));
      reply({ id, value });
    } catch (error) {
      reply({ id, error: toWire(error) });
    } finally {
      aborts.delete(id);
      if (method === 'close') port.close();
    }
  };
  port.on('message', (request: Request<string>) => {
    if ('abort' in request) aborts.get(request.id)?.abort();
    else void answer(request.id, request.method, request.args);
  });
  reply({ ready: true });
}

/** The module beside another, as it is named in source and when built. */
export function entryBeside(url: string, name: string): URL {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
