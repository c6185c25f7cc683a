import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import { Alarm } from '../../../../core/base/concurrency/timers.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import { isOutOfMemory } from '../faults.ts';
import { readNumber } from './rows.ts';

/** Part of the budget while no query lasts: compaction would fill all, and the cache keep it. */
const SHARE_AT_REST = 0.5;
const LEAST_AT_REST_BYTES = 48_000_000;
/** Queries that follow each other closely do not change the limit. */
const REST_MS = 1_000;
/** After a write that found too little at rest, which is tried again. */
const AFTER_FAILURE_MS = 10_000;
/** For a write, above the budget of concurrent queries. */
const WRITE_RESERVE = 0.4;
const LEAST_RESERVE_BYTES = 40_000_000;
const SAMPLE_MS = 20;
/** Shorter reads hold little memory, and are never preempted. */
const LASTING_MS = 50;
/** Attempts of a read that was refused once, each without another such read. */
const MAX_ATTEMPTS = 6;

/** Without the cache, which the engine frees on demand. */
const USED_BYTES = `SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE FROM duckdb_memory()
  WHERE tag IN ('HASH_TABLE', 'ORDER_BY', 'WINDOW', 'COLUMN_DATA', 'ALLOCATOR')`;

interface LastingRead {
  preempt(): void;
  ended: Promise<void>;
}

/**
 * A write has a reserve above the budget of queries, and a query that finds no memory is repeated
 * without the others (docs/decisions/0017-queries.md).
 */
export class EngineMemory {
  private readonly control: DuckDBConnection;
  private readonly budget: number;
  private readonly reserve: number;
  private readonly alone = new Mutex();
  private readonly adjusting = new Mutex();
  private readonly lasting = new Set<LastingRead>();
  private readonly rest = new Alarm(() => void this.adjust());
  private lastedUntil = Number.NEGATIVE_INFINITY;
  private writes = 0;
  private limit: number;
  private sampling: Promise<void> | null = null;
  private closed = false;

  /**
   * `control` is used for nothing else, and its engine has the limit at rest. `budget` in bytes.
   */
  constructor(control: DuckDBConnection, budget: number) {
    this.control = control;
    this.budget = budget;
    this.reserve = Math.round(Math.max(LEAST_RESERVE_BYTES, budget * WRITE_RESERVE));
    this.limit = limitAtRest(budget);
  }

  async write<Result>(use: () => Promise<Result>): Promise<Result> {
    this.writes += 1;
    try {
      await this.adjust();
      return await use();
    } catch (error) {
      if (isOutOfMemory(error)) this.lastedUntil = performance.now() + AFTER_FAILURE_MS;
      throw error;
    } finally {
      this.writes -= 1;
      void this.adjust();
    }
  }

  /**
   * `use` must end when its signal is aborted; it is not repeated later than after `maxWaitMs`.
   * Throws `unprocessable` if it needs more than the budget, and `unavailable` if it was preempted
   * again and again.
   */
  async read<Result>(use: (preempted: AbortSignal) => Promise<Result>, maxWaitMs: number): Promise<Result> {
    const first = await this.attempt(use);
    if (!('refusal' in first)) return first.result;
    const latest = performance.now() + maxWaitMs;
    return this.alone.runExclusive(async () => {
      if (performance.now() > latest) throw preempted(first.refusal);
      for (let attempt = 1; ; attempt += 1) {
        const next = await this.attempt(use, true);
        if (!('refusal' in next)) return next.result;
        if (attempt === MAX_ATTEMPTS || this.closed) throw next.refusal;
      }
    });
  }

  /** Waits for its statements: a connection that is closed during one deadlocks two threads. */
  async close(): Promise<void> {
    this.closed = true;
    this.rest.cancel();
    await this.sampling;
    await this.adjusting.runExclusive(async () => this.control.closeSync());
  }

  private async attempt<Result>(use: (preempted: AbortSignal) => Promise<Result>, isAlone = false) {
    const controller = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const read = { preempt: () => controller.abort(new Error('preempted')), ended };
    const last = () => {
      this.lasting.add(read);
      return this.adjust();
    };
    const timer = isAlone ? undefined : setTimeout(() => void last(), LASTING_MS);
    try {
      if (isAlone) await last();
      return { result: await use(controller.signal) };
    } catch (error) {
      if (controller.signal.aborted) return { refusal: preempted(error) };
      if (!isOutOfMemory(error)) throw error;
      // Whatever took the memory, this read or another one: nobody has it in the next attempt.
      await this.preempt([...this.lasting].filter((other) => other !== read));
      return { refusal: tooLarge(error) };
    } finally {
      clearTimeout(timer);
      end();
      if (this.lasting.delete(read)) {
        this.lastedUntil = performance.now();
        void this.adjust();
      }
    }
  }

  private async preempt(reads: Iterable<LastingRead>): Promise<void> {
    const preempted = [...reads];
    for (const read of preempted) read.preempt();
    await Promise.all(preempted.map(({ ended }) => ended));
  }

  /** For a lower limit, preempts queries. */
  private adjust(): Promise<void> {
    return this.adjusting.runExclusive(async () => {
      const wanted = this.wanted();
      if (wanted > this.budget) {
        this.sampling ??= this.sample().finally(() => {
          this.sampling = null;
        });
      }
      while (wanted !== this.limit && !this.closed && !(await this.setLimit(wanted)) && this.lasting.size > 0) {
        await this.preempt(this.lasting);
      }
    });
  }

  private wanted(): number {
    if (this.lasting.size > 0) return this.budget + (this.writes > 0 ? this.reserve : 0);
    const lingersMs = this.lastedUntil + REST_MS - performance.now();
    if (lingersMs <= 0 || this.closed) return limitAtRest(this.budget);
    this.rest.set(lingersMs);
    return this.budget;
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
      while (!this.closed && this.writes > 0 && this.lasting.size > 0) {
        const used = await readNumber(this.control, USED_BYTES);
        if (used > this.budget + this.reserve / 2) await this.preempt(this.lasting);
        else await sleep(SAMPLE_MS);
      }
    } catch {
      // Without a sample the limit of the engine still holds.
    }
  }
}

/** The engine's limit while no query lasts. */
export function limitAtRest(budget: number): number {
  return Math.min(budget, Math.max(LEAST_AT_REST_BYTES, Math.round(budget * SHARE_AT_REST)));
}

export const NARROW = 'Narrow dateFrom and dateTo, add filters, name fewer columns, or group by fewer keys.';

function preempted(cause: unknown): RuntimeError {
  const message = `The query needs more memory than is free at the moment. Try again. ${NARROW}`;
  return new RuntimeError('unavailable', message, { cause, retryAfter: 2 });
}

function tooLarge(cause: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `The query needs more memory than queries may use. ${NARROW}`, { cause });
}
