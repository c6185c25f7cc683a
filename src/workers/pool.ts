import { stat } from 'node:fs/promises';
import { KeyedLimiter, Limiter } from '../core/base/concurrency/limiter.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Embedded, Embedder } from '../core/knowledge/embedder.ts';
import {
  type DocumentFormat,
  type DocumentReader,
  type Position,
  type Prepared,
  type ReadTask,
  type Slice,
  UnreadableDocument,
} from '../core/knowledge/reader.ts';
import { siblingModule, youngGenerationMb } from '../threads/call-thread.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { Answer, Task } from './entry.ts';
import { MemoryWatchdog } from './watchdog.ts';

const IDLE_MS = 30_000;
/** A slice takes about a second, one page perhaps much longer. */
const TASK_MS = 60_000;

/** Objects are short-lived: a larger young generation only makes the heap grow. */
const YOUNG_GENERATION_MB = 16;
const OLD_GENERATION_MB = 1_024;
const LEAST_OLD_GENERATION_MB = 96;

const MEGABYTE = 1_000_000;
/** Bytes that reading may add; formats that unpack need more. */
const ALLOWED: Record<DocumentFormat, number> = {
  pdf: 700 * MEGABYTE,
  docx: 700 * MEGABYTE,
  csv: 500 * MEGABYTE,
  json: 500 * MEGABYTE,
  md: 500 * MEGABYTE,
  txt: 500 * MEGABYTE,
};

const LEAST_ALLOWED = 200 * MEGABYTE;

/** Milliseconds: megabytes take seconds on a busy machine, and 2 GB are allowed. */
export function prepareLimit(bytes: number): number {
  return Math.min(30_000 + Math.round((10_000 * bytes) / MEGABYTE), 600_000);
}

export interface WorkerPoolOptions {
  /** Per tenant; one more serves the other tenants. */
  threads: number;
  /** A factor of what a document may take; by default 1. */
  memoryShare?: number;
  taskMs?: number;
  prepareMs?: (bytes: number) => number;
}

export class WorkerPool implements DocumentReader {
  private readonly memoryShare: number;
  private readonly taskMs: number;
  private readonly prepareMs: (bytes: number) => number;
  private readonly watchdog = new MemoryWatchdog();
  /** Tasks queue here, not in the pool: time limit and memory count from their start. */
  private readonly slots: Limiter;
  private readonly tenants: KeyedLimiter;
  private readonly pool: ThreadPool<Task, Answer>;

  constructor({ threads, memoryShare = 1, taskMs = TASK_MS, prepareMs = prepareLimit }: WorkerPoolOptions) {
    const unbounded = { maxQueue: Number.POSITIVE_INFINITY, rejection: 'Too many files are being read.' };
    const all = threads + 1;
    this.pool = new ThreadPool({
      entry: siblingModule(import.meta.url, 'entry'),
      maxThreads: all,
      idleMs: IDLE_MS,
      resourceLimits: {
        maxYoungGenerationSizeMb: youngGenerationMb(YOUNG_GENERATION_MB, memoryShare),
        maxOldGenerationSizeMb: Math.max(LEAST_OLD_GENERATION_MB, Math.round(OLD_GENERATION_MB * memoryShare)),
      },
    });
    this.memoryShare = memoryShare;
    this.taskMs = taskMs;
    this.prepareMs = prepareMs;
    this.slots = new Limiter({ concurrency: all, ...unbounded });
    this.tenants = new KeyedLimiter({ concurrency: threads, ...unbounded });
  }

  async columns(path: string, { options, ...task }: ReadTask): Promise<string[]> {
    return this.guarded({ kind: 'columns', path, options }, await this.prepareLimitOf(path), task);
  }

  async prepare(path: string, { options, ...task }: ReadTask): Promise<Prepared> {
    return this.guarded({ kind: 'prepare', path, options }, await this.prepareLimitOf(path), task);
  }

  read(prepared: Prepared, from: Position | null, { options, ...task }: ReadTask): Promise<Slice> {
    return this.guarded({ kind: 'read', prepared, from, options }, this.taskMs, task);
  }

  /** For trials without a provider: vectors reflect spelling, not meaning. */
  hashEmbedder(name: string, dimensions: number): Embedder {
    return {
      name,
      dimensions,
      semantic: false,
      embed: async (texts, _use, signal): Promise<Embedded> => ({
        vectors: (await this.slots.run(
          () => this.run({ kind: 'embed', texts, dimensions }, signal),
          signal,
        )) as Float32Array,
        dimensions,
      }),
    };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private guarded<Value>(
    task: ReadingTask,
    limitMs: number,
    { tenantId, signal }: Omit<ReadTask, 'options'>,
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
    const work = () => this.watchdog.guard(this.allowedFor(task), signal, run);
    return this.tenants.run(tenantId, () => this.slots.run(work, signal), { signal });
  }

  /** Its process may take as much for other work meanwhile. */
  private allowedFor({ options }: ReadingTask): number {
    return Math.max(LEAST_ALLOWED, ALLOWED[options.format] * this.memoryShare);
  }

  private async prepareLimitOf(path: string): Promise<number> {
    // The thread that opens the file reports that it is missing.
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    return this.prepareMs(size);
  }

  /** Aborting ends the thread, whatever it does; the pool replaces it. */
  private async run(task: Task, signal: AbortSignal): Promise<unknown> {
    const answer = await this.pool.run(task, signal);
    if (answer instanceof Float32Array) return answer;
    if ('unreadable' in answer) throw new UnreadableDocument(answer.unreadable);
    if ('unavailable' in answer) throw new RuntimeError('unavailable', answer.unavailable);
    return answer.value;
  }
}

type ReadingTask = Exclude<Task, { kind: 'embed' }>;

function tooLong(task: ReadingTask, limitMs: number): string {
  const where = task.kind === 'read' && task.from !== null ? ` from ${JSON.stringify(task.from)} on` : '';
  const allowed = task.kind === 'read' ? '' : ', which is what a file of its size may take';
  const seconds = Math.round(limitMs / 100) / 10;
  return `Reading it${where} took longer than ${seconds} seconds${allowed}. Split the file or convert it, and upload that.`;
}
