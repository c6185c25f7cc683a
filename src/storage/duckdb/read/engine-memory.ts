import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { RuntimeError } from '../../../core/shared/errors.ts';
import { Mutex } from '../../../core/shared/mutex.ts';
import { isOutOfMemory } from '../faults.ts';
import { RunningReads } from './running-reads.ts';

/** What a write has beside the budget of queries while both run. */
const WRITE_RESERVE_BYTES = 160_000_000;
/** Of the reserve, queries that grow while a write runs may take so much until one of them is interrupted. */
const GROWTH_BYTES = WRITE_RESERVE_BYTES / 2;
const SAMPLE_MS = 20;
/** How often a read is begun whose memory others took. */
const MOST_ATTEMPTS = 6;
/** How often a second attempt is begun that gives way to others. */
const MOST_SHED = 4;

/** Memory that queries, sorts and their results hold: not the cache of the file, which the engine gives up when asked. */
const USED = `SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE FROM duckdb_memory()
  WHERE tag IN ('HASH_TABLE', 'ORDER_BY', 'WINDOW', 'COLUMN_DATA', 'ALLOCATOR')`;

/**
 * Shares the engine's memory. DuckDB has one limit for everything, and a write that finds no memory leaves the tables in
 * doubt. Queries therefore have a budget, and a write that runs beside them a reserve above it: the engine's limit is
 * raised meanwhile, and queries that grow into the reserve are interrupted (docs/decisions/0017-queries.md).
 */
export class EngineMemory {
  private readonly control: DuckDBConnection;
  private readonly budget: number;
  private readonly alone: Mutex;
  private readonly adjusting = new Mutex();
  private readonly reads = new RunningReads(() => void this.adjust());
  private writes = 0;
  private limit: number;
  private sampling = false;
  private ending = false;

  /**
   * `control` is a connection of its own, `budget` in bytes the limit that the engine was opened with. In `alone` a query
   * that met the limit beside others has its second attempt.
   */
  constructor(control: DuckDBConnection, budget: number, alone: Mutex) {
    this.control = control;
    this.budget = budget;
    this.limit = budget;
    this.alone = alone;
  }

  /** Runs a write or maintenance; rejects as it does. */
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
   * Runs a read, which must end when the signal that it is given is aborted. Where it meets the limit because of others,
   * the heaviest of these gives way and it runs again. Where it is the heaviest itself, it runs again when no other such
   * read and no maintenance runs, for which it waits so long at most. Throws `unprocessable` when it needs more than the
   * budget, and `unavailable` when it may succeed later.
   */
  async read<Result>(
    use: (shed: AbortSignal) => Promise<Result>,
    { maxWaitMs, signal }: { maxWaitMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const reads = async () => this.attempts(false, use, signal);
    return reads().catch((error: unknown) => {
      if (!(error instanceof NoMemory)) throw error;
      const again = () => this.attempts(true, use, signal);
      return takeWithin(this.alone, again, maxWaitMs, signal).catch((failed: unknown) => {
        throw failed instanceof NoMemory ? failed.toError() : failed;
      });
    });
  }

  /** Ends second attempts and begins no more: the file is about to be closed, and must not wait for them. */
  endSecondAttempts(): void {
    this.ending = true;
    this.reads.shedAlone();
  }

  close(): void {
    this.control.closeSync();
  }

  /** Throws NoMemory when it is this read that has to give way. */
  private async attempts<Result>(
    alone: boolean,
    use: (shed: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const since = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      if (alone && this.ending) throw new NoMemory(true, new Error('the file is about to be closed'));
      const read = this.reads.begin(alone, since);
      try {
        return await use(read.shed);
      } catch (error) {
        if (!read.isShed && !isOutOfMemory(error)) throw error;
        read.end();
        const isRepeated = read.isShed
          ? alone && attempt < MOST_SHED
          : attempt < MOST_ATTEMPTS && (await this.reads.makeRoomFor(read));
        if (!isRepeated) throw new NoMemory(read.isShed, error);
      } finally {
        read.end();
      }
    }
  }

  /** Sets the limit that fits what runs. Queries that hold more than a lower limit are interrupted one after the other. */
  private adjust(): Promise<void> {
    return this.adjusting.runExclusive(async () => {
      for (;;) {
        const both = this.writes > 0 && this.reads.lasting.length > 0;
        const wanted = both ? this.budget + WRITE_RESERVE_BYTES : this.budget;
        if (both) void this.sample();
        if (wanted === this.limit || (await this.setLimit(wanted))) return;
        const heaviest = this.reads.heaviest();
        if (heaviest === null) return;
        heaviest.giveWay();
        await heaviest.ended;
      }
    });
  }

  /** False: more is in use, and the limit stays as it is. */
  private async setLimit(bytes: number): Promise<boolean> {
    try {
      await this.control.run(`SET memory_limit = '${bytes}B'`);
      this.limit = bytes;
      return true;
    } catch {
      return false;
    }
  }

  /** While a write runs beside queries: interrupts one after the other until there is room. */
  private async sample(): Promise<void> {
    if (this.sampling) return;
    this.sampling = true;
    try {
      while (this.writes > 0 && this.reads.lasting.length > 0) {
        const reader = await this.control.runAndReadAll(USED);
        const used = Number(reader.getRows()[0]?.[0] ?? 0);
        const heaviest = used > this.budget + GROWTH_BYTES ? this.reads.heaviest() : null;
        if (heaviest) {
          heaviest.giveWay();
          await heaviest.ended;
        } else await sleep(SAMPLE_MS);
      }
    } catch {
      // The file was closed.
    } finally {
      this.sampling = false;
    }
  }
}

/** A read found no memory, or gave it up. */
class NoMemory extends Error {
  private readonly forOthers: boolean;

  /** `forOthers`: by itself the read may well have succeeded. */
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

/** Takes a turn that begins within so many milliseconds; throws `unavailable` otherwise, and the signal's reason. */
function takeWithin<Result>(
  turns: Mutex,
  use: () => Promise<Result>,
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
    const late = () => leave(new NoMemory(true, new Error('no turn in time')));
    const timer = setTimeout(late, maxWaitMs);
    signal?.addEventListener('abort', abort, { once: true });
    void turns.runExclusive(async () => {
      if (left) return;
      stopWaiting();
      await use().then(resolve, reject);
    });
  });
}

export const NARROW = 'Narrow dateFrom and dateTo, add filters, name fewer columns, or group by fewer keys.';

const UNITS = { MB: 1e6, GB: 1e9 };

/** Bytes of a size as the setting has it: `400MB`, `1.5 GB`. */
export function bytesOf(size: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s?(MB|GB)$/i.exec(size) ?? [];
  if (number === undefined) throw new Error(`"${size}" is not a size like 512MB or 2GB`);
  return Math.round(Number(number) * UNITS[unit!.toUpperCase() as keyof typeof UNITS]);
}
