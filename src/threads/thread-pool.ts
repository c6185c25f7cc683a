import type { ResourceLimits } from 'node:worker_threads';
import type { Piscina } from 'piscina';

export interface ThreadPoolOptions {
  entry: URL;
  maxThreads: number;
  idleMs: number;
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
}

/** Started with the first task. */
export class ThreadPool<Task, Result> {
  private readonly options: ThreadPoolOptions;
  private pool: Promise<Piscina<Task, Result>> | null = null;

  constructor(options: ThreadPoolOptions) {
    this.options = options;
  }

  /** Aborting ends the thread that runs the task. */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    this.pool ??= this.open();
    return (await this.pool).run(task, signal ? { signal } : {});
  }

  async close(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  private async open(): Promise<Piscina<Task, Result>> {
    const { Piscina } = await import('piscina');
    const { entry, maxThreads, idleMs, workerData, resourceLimits } = this.options;
    const pool = new Piscina<Task, Result>({
      filename: entry.href,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      workerData,
      ...(resourceLimits && { resourceLimits }),
    });
    // Tasks of a thread that cannot start would wait forever: they fail, and a new pool opens.
    pool.on('error', () => {
      this.pool = null;
      pool.destroy().catch(() => undefined);
    });
    return pool;
  }
}
