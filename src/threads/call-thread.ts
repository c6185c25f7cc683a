import { isMainThread, type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { FatalError, RuntimeError } from '../core/base/shared/errors.ts';
import type { Answered } from './remote.ts';
import { fromWire, toWire, type WireError } from './wire.ts';

/* RPC to an object in another thread with plain data; the last argument may be an AbortSignal. */

type Request = { id: number; method: string; args: unknown[]; abortable: boolean } | { id: number; abort: true };

type Reply<Notice> =
  | { ready: true }
  | { id: number; value: unknown }
  | { id: number; error: WireError }
  /** Belongs to no call. */
  | { fault: WireError }
  | { notice: Notice };

export interface CallThreadOptions<Notice> {
  /** The module that calls `answerCalls`. */
  entry: URL;
  workerData: unknown;
  resourceLimits?: ResourceLimits;
  onFault(error: Error): void;
  onNotice?(notice: Notice): void;
}

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** A thread that dies ends the process: acknowledged data is on disk, and a restart reads it. */
export class CallThread<Methods, Notice = never> {
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
        if ('notice' in reply) onNotice?.(reply.notice);
        if ('id' in reply) this.settle(reply);
      });
      this.worker.once('error', reject);
    });
    this.exited = new Promise((resolve) => {
      this.worker.once('error', (error) => {
        const crashed = this.stopped === null && this.opened;
        this.stop(error as Error);
        if (crashed) throw new FatalError('A thread of the server ended.', { cause: error });
      });
      this.worker.once('exit', () => {
        this.stop(new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 }));
        resolve();
      });
    });
  }

  call<Result>(method: string & keyof Methods, args: unknown[]): Promise<Result> {
    const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
    if (this.stopped) return Promise.reject(this.stopped);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.lastId;
    const abort = () => this.send({ id, abort: true });
    signal?.addEventListener('abort', abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, args: signal ? args.slice(0, -1) : args, abortable: signal !== undefined });
    }).finally(() => signal?.removeEventListener('abort', abort));
  }

  async close(): Promise<void> {
    try {
      if (!this.stopped) await this.call('close' as string & keyof Methods, []);
    } finally {
      // After an error too: the thread may still hold its files.
      await this.exited;
    }
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
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

export async function answerCalls<Methods, Notice = never>(
  port: MessagePort,
  open: (answering: Answering<Notice>) => Promise<Answered<Methods>>,
): Promise<void> {
  const reply = (message: Reply<Notice>) => port.postMessage(message);
  const target = await open({
    fault: (error) => reply({ fault: toWire(error) }),
    notice: (notice) => reply({ notice }),
  });
  // An exception that nothing caught, in a timer for example, is reported and ends no thread.
  if (!isMainThread) process.on('uncaughtException', (error) => reply({ fault: toWire(error) }));
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const aborts = new Map<number, AbortController>();
  const answer = async ({ id, method, args, abortable }: Exclude<Request, { abort: true }>) => {
    const controller = new AbortController();
    if (abortable) aborts.set(id, controller);
    try {
      reply({ id, value: await methods[method]!(...args, ...(abortable ? [controller.signal] : [])) });
    } catch (error) {
      reply({ id, error: toWire(error) });
    } finally {
      aborts.delete(id);
      if (method === 'close') port.close();
    }
  };
  port.on('message', (request: Request) => {
    if ('abort' in request) aborts.get(request.id)?.abort();
    else void answer(request);
  });
  reply({ ready: true });
}
