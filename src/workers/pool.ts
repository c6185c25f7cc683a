import type { Piscina } from 'piscina';
import { RuntimeError } from '../core/errors.ts';
import { Gate } from '../core/gate.ts';
import type { Embedded, Embedder } from '../core/knowledge/embedder.ts';
import type { DocumentFormat } from '../core/knowledge/formats.ts';
import {
  type DocumentReader,
  type Position,
  type Prepared,
  type ReadOptions,
  type Slice,
  UnreadableDocument,
} from '../core/knowledge/reader.ts';
import type { Answer, Task } from './protocol.ts';
import { MemoryWatchdog } from './watchdog.ts';

type Pool = Piscina<Task, Answer>;

/** Threads come with the first job and go when nothing is ingested. */
const IDLE_MS = 30_000;
/** A slice takes about a second; one page may take much longer. */
const TASK_MS = 60_000;
/** What is looked over whole may have 2 GB. */
const PREPARE_MS = 600_000;

/** What is read soon becomes something else: with more room for new objects the heap only grows. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1_024 };

const MEGABYTE = 1_000_000;
/** What reading may add to the memory of the process: formats that unpack may need much, the others read on in pieces. */
const ALLOWED: Record<DocumentFormat, number> = {
  pdf: 700 * MEGABYTE,
  docx: 700 * MEGABYTE,
  csv: 500 * MEGABYTE,
  json: 500 * MEGABYTE,
  md: 500 * MEGABYTE,
  txt: 500 * MEGABYTE,
};

/** Threads that read documents and make hash embeddings, under a watchdog. */
export class WorkerPool implements DocumentReader {
  private readonly threads: number;
  private readonly taskMs: number;
  private readonly watchdog = new MemoryWatchdog();
  /** Tasks wait here and not at the threads: neither their time nor their memory counts before they begin. */
  private readonly gate: Gate;
  private pool: Promise<Pool> | null = null;

  constructor({ threads, taskMs = TASK_MS }: { threads: number; taskMs?: number }) {
    this.threads = threads;
    this.taskMs = taskMs;
    this.gate = new Gate({ width: threads, room: Number.POSITIVE_INFINITY, refusal: 'Too many files are being read.' });
  }

  columns(path: string, options: ReadOptions, signal: AbortSignal): Promise<string[]> {
    return this.guarded({ kind: 'columns', path, options }, PREPARE_MS, signal);
  }

  prepare(path: string, options: ReadOptions, signal: AbortSignal): Promise<Prepared> {
    return this.guarded({ kind: 'prepare', path, options }, PREPARE_MS, signal);
  }

  read(prepared: Prepared, from: Position | null, options: ReadOptions, signal: AbortSignal): Promise<Slice> {
    return this.guarded({ kind: 'read', prepared, from, options }, this.taskMs, signal);
  }

  /** Makes vectors of words as they are spelt: for trying the way of vectors without a provider, not for meaning. */
  hashEmbedder(name: string, dimensions: number): Embedder {
    return {
      name,
      dimensions,
      semantic: false,
      embed: async (texts, _use, signal): Promise<Embedded> => ({
        vectors: (await this.inTurn(signal, () =>
          this.run({ kind: 'embed', texts, dimensions }, signal),
        )) as Float32Array,
        dimensions,
      }),
    };
  }

  async close(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  private guarded<Value>(
    task: Extract<Task, { options: ReadOptions }>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Value> {
    const run = async (guarded: AbortSignal) => {
      const late = AbortSignal.timeout(limitMs);
      try {
        return (await this.run(task, AbortSignal.any([guarded, late]))) as Value;
      } catch (error) {
        if (late.aborted && !guarded.aborted) throw new UnreadableDocument(tooLong(task, limitMs));
        throw error;
      }
    };
    return this.inTurn(signal, () => this.watchdog.guard(ALLOWED[task.options.format], signal, run));
  }

  /** When a thread is free for it; who is aborted waits no longer. */
  private async inTurn<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const worked = this.gate.pass(async () => {
      signal.throwIfAborted();
      return work();
    });
    return Promise.race([worked, aborted]).finally(() => signal.removeEventListener('abort', abort));
  }

  /** An aborted signal ends the thread, whatever it does; there is another for the next task. */
  private async run(task: Task, signal: AbortSignal): Promise<unknown> {
    this.pool ??= this.open();
    const answer = await (await this.pool).run(task, { signal });
    if (answer instanceof Float32Array) return answer;
    if ('unreadable' in answer) throw new UnreadableDocument(answer.unreadable);
    if ('unavailable' in answer) throw new RuntimeError('unavailable', answer.unavailable);
    return answer.value;
  }

  /** Where a thread cannot even begin, tasks would wait for it for ever: they fail, and the next one has new threads. */
  private async open(): Promise<Pool> {
    const { Piscina } = await import('piscina');
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    const pool = new Piscina<Task, Answer>({
      filename: new URL(`./entry${extension}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: this.threads,
      idleTimeout: IDLE_MS,
      resourceLimits: HEAP,
    });
    pool.on('error', () => {
      this.pool = null;
      pool.destroy().catch(() => undefined);
    });
    return pool;
  }
}

function tooLong(task: Extract<Task, { options: ReadOptions }>, limitMs: number): string {
  const where = task.kind === 'read' && task.from !== null ? ` from ${JSON.stringify(task.from)} on` : '';
  return `Reading it${where} took longer than ${limitMs / 1_000} seconds. Split the file or convert it, and upload that.`;
}
