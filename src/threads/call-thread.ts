import { isMainThread, type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { type ErrorCode, FatalError, RuntimeError } from '../core/base/shared/errors.ts';

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

  /** Buffers of the arguments are copied, unless they are moved: then they are empty here. */
  call<Result>(method: string & keyof Methods, args: unknown[], moved: ArrayBuffer[] = []): Promise<Result> {
    const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
    if (this.stopped) return Promise.reject(this.stopped);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.lastId;
    const abort = () => this.send({ id, abort: true });
    signal?.addEventListener('abort', abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, args: signal ? args.slice(0, -1) : args, abortable: signal !== undefined }, moved);
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

  private send(request: Request, moved: ArrayBuffer[] = []): void {
    this.worker.postMessage(request, moved);
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

/** Rejects types that structured clone does not copy: functions and objects with methods. */
type Cloneable<Value> = Value extends ArrayBufferView
  ? Value
  : Value extends (...args: never[]) => unknown
    ? never
    : Value extends object
      ? { [Key in keyof Value]: Cloneable<Value[Key]> }
      : Value;

/** `close` is excluded: it also ends the thread. */
type RemoteName<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? [Exclude<Args[number], AbortSignal>, Result] extends [
        Cloneable<Exclude<Args[number], AbortSignal>>,
        Cloneable<Result>,
      ]
      ? Name
      : never
    : never;
}[Exclude<keyof Methods, 'close'>];

export type Answered<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result | Promise<Result>
    : never;
};

/** A proxy: `call` sends every method that is not in `local`. The types admit plain data only. */
export function remote<Port extends object, Methods>(
  call: (method: string & keyof Methods, args: unknown[]) => Promise<unknown>,
  local: Partial<Port> & Omit<Port, RemoteName<Methods>>,
): Port {
  return new Proxy(local as object, {
    ownKeys: () => {
      throw new Error('A remote object cannot be spread. Use withMethods.');
    },
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      // `await` asks for `then`.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: unknown[]) => call(name as string & keyof Methods, args);
    },
  }) as Port;
}

export interface WireError {
  /** Set for a RuntimeError. */
  code?: ErrorCode;
  message: string;
  messages?: string[];
  retryAfter?: number | undefined;
  stack?: string | undefined;
}

export function toWire(error: unknown): WireError {
  if (error instanceof RuntimeError) {
    const { code, message, messages, retryAfter } = error;
    const cause = error.cause instanceof Error ? error.cause.stack : undefined;
    return { code, message, messages, retryAfter, stack: cause ?? error.stack };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error) };
}

export function fromWire(wire: WireError): Error {
  const cause = Object.assign(new Error(wire.message), { stack: wire.stack });
  if (wire.code === undefined) return cause;
  return new RuntimeError(wire.code, wire.message, {
    cause,
    ...(wire.messages ? { messages: wire.messages } : {}),
    ...(wire.retryAfter === undefined ? {} : { retryAfter: wire.retryAfter }),
  });
}

const LEAST_YOUNG_GENERATION_MB = 3;

/** The young generation of a thread that has `full` with plenty of memory. */
export function youngGenerationMb(full: number, memoryShare = 1): number {
  return Math.max(LEAST_YOUNG_GENERATION_MB, Math.round(full * memoryShare));
}

export function siblingModule(url: string, name: string): URL {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
