import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import { isOutOfMemory } from '../faults.ts';
import { readNumber } from './rows.ts';
import { RunningReads } from './running-reads.ts';

/** For a write, above the budget of concurrent queries. */
const WRITE_RESERVE_BYTES = 160_000_000;
/** Queries that use more of the reserve are preempted. */
const GROWTH_BYTES = WRITE_RESERVE_BYTES / 2;
const SAMPLE_MS = 20;
/** Attempts of a read that finds no memory, and of a second attempt that is preempted. */
const MAX_ATTEMPTS = 6;
const MAX_PREEMPTED_ATTEMPTS = 4;

/** Without the cache, which the engine frees on demand. */
const USED_BYTES = `SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE FROM duckdb_memory()
  WHERE tag IN ('HASH_TABLE', 'ORDER_BY', 'WINDOW', 'COLUMN_DATA', 'ALLOCATOR')`;

/** A write has a reserve above the budget of queries (docs/decisions/0017-queries.md). */
export class EngineMemory {
  private readonly control: DuckDBConnection;
  private readonly budget: number;
  private readonly alone: Mutex;
  private readonly adjusting = new Mutex();
  private readonly reads = new RunningReads(() => void this.adjust());
  private writes = 0;
  private limit: number;
  private sampling: Promise<void> | null = null;
  private ending = false;
  private closed = false;

  /** `control` is used for nothing else. `budget` in bytes. `alone` is for second attempts. */
  constructor(control: DuckDBConnection, budget: number, alone: Mutex) {
    this.control = control;
    this.budget = budget;
    this.limit = budget;
    this.alone = alone;
  }

  async write<Result>(use: () => Promise<Result>): Promise<Result> {
    this.writes += 1;
    try {
      await this.adjust();
      return await use();
    } finally {
      this.writes -= 1;
      void this.adjust();
    }
  }

  /**
   * `use` must end when its signal is aborted. Repeats a read that lacks memory, at last alone
   * within `maxWaitMs`. Throws `unprocessable` above the budget, else `unavailable`.
   */
  async read<Result>(
    use: (preempted: AbortSignal) => Promise<Result>,
    { maxWaitMs, signal }: { maxWaitMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    try {
      return await this.attempts(false, use, signal);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
    }
    try {
      return await runWithin(this.alone, () => this.attempts(true, use, signal), maxWaitMs, signal);
    } catch (error) {
      throw error instanceof OutOfBudget ? error.toError() : error;
    }
  }

  endSecondAttempts(): void {
    this.ending = true;
    this.reads.preemptAlone();
  }

  /** Waits for its statements: a connection that is closed during one deadlocks two threads. */
  async close(): Promise<void> {
    this.closed = true;
    await this.sampling;
    await this.adjusting.runExclusive(async () => this.control.closeSync());
  }

  private async attempts<Result>(
    alone: boolean,
    use: (preempted: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    // Age counts from the first attempt: a restart must not spare a read.
    const since = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      if (alone && this.ending) throw new OutOfBudget(true, new Error('the file is about to be closed'));
      const read = this.reads.begin(alone, since);
      try {
        return await use(read.preempted);
      } catch (error) {
        if (!read.isPreempted && !isOutOfMemory(error)) throw error;
        read.end();
        const isRepeated = read.isPreempted
          ? alone && attempt < MAX_PREEMPTED_ATTEMPTS
          : attempt < MAX_ATTEMPTS && (await this.reads.preemptFor(read, attempt));
        if (!isRepeated) throw new OutOfBudget(read.isPreempted, error);
      } finally {
        read.end();
      }
    }
  }

  /** For a lower limit, preempts queries one by one. */
  private adjust(): Promise<void> {
    return this.adjusting.runExclusive(async () => {
      while (!this.closed) {
        const both = this.writes > 0 && this.reads.lasting.length > 0;
        const wanted = both ? this.budget + WRITE_RESERVE_BYTES : this.budget;
        if (both) {
          this.sampling ??= this.sample().finally(() => {
            this.sampling = null;
          });
        }
        if (wanted === this.limit || (await this.setLimit(wanted))) return;
        const oldest = this.reads.oldestLasting();
        if (oldest === null) return;
        oldest.preempt();
        await oldest.ended;
      }
    });
  }

  /** False if more is in use. */
  private async setLimit(bytes: number): Promise<boolean> {
    try {
      await this.control.run(`SET memory_limit = '${bytes}B'`);
      this.limit = bytes;
      return true;
    } catch {
      return false;
    }
  }

  private async sample(): Promise<void> {
    try {
      while (!this.closed && this.writes > 0 && this.reads.lasting.length > 0) {
        const used = await readNumber(this.control, USED_BYTES);
        const oldest = used > this.budget + GROWTH_BYTES ? this.reads.oldestLasting() : null;
        if (oldest) {
          oldest.preempt();
          await oldest.ended;
        } else await sleep(SAMPLE_MS);
      }
    } catch {
      // Without a sample the limit of the engine still holds.
    }
  }
}

class OutOfBudget extends Error {
  private readonly forOthers: boolean;

  /** `forOthers`: without other queries the read might have succeeded. */
  constructor(forOthers: boolean, cause: unknown) {
    super('no memory', { cause });
    this.forOthers = forOthers;
  }

  toError(): RuntimeError {
    const { cause } = this;
    const message = 'The query needs more memory than';
    return this.forOthers
      ? new RuntimeError('unavailable', `${message} is free at the moment. Try again. ${NARROW}`, {
          cause,
          retryAfter: 2,
        })
      : new RuntimeError('unprocessable', `${message} queries may use. ${NARROW}`, { cause });
  }
}

/** Throws OutOfBudget if the task cannot start within `maxWaitMs`. */
function runWithin<Result>(
  mutex: Mutex,
  task: () => Promise<Result>,
  maxWaitMs: number,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let left = false;
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const leave = (error: unknown) => {
      left = true;
      stopWaiting();
      reject(error);
    };
    const abort = () => leave(signal?.reason);
    const late = () => leave(new OutOfBudget(true, new Error('the second attempt could not start in time')));
    const timer = setTimeout(late, maxWaitMs);
    signal?.addEventListener('abort', abort, { once: true });
    void mutex.runExclusive(async () => {
      if (left) return;
      stopWaiting();
      await task().then(resolve, reject);
    });
  });
}

export const NARROW = 'Narrow dateFrom and dateTo, add filters, name fewer columns, or group by fewer keys.';

const UNITS = { MB: 1e6, GB: 1e9 };

export function parseBytes(size: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s?(MB|GB)$/i.exec(size) ?? [];
  if (number === undefined) throw new Error(`"${size}" is not a size like 512MB or 2GB`);
  return Math.round(Number(number) * UNITS[unit!.toUpperCase() as keyof typeof UNITS]);
}
