import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isConflict } from '../faults.ts';
import type { DuckdbObserver } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import { type CompactionStep, dueStep, EMPTY, mergeRuns, readTableState, sortArrivals } from './compaction.ts';

const IDLE_MS = 5_000;
/** Halved after a failure. */
const MAX_SORT_EVENTS = 1_000_000;
const MIN_SORT_EVENTS = 16_000;
/** Exponential backoff after failures. */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 300_000;

/** Compacts the tables in the background, step by step; when idle, the log goes into the file. */
export class Maintenance {
  private readonly database: AnalyticsDatabase;
  private readonly observer: DuckdbObserver;
  private readonly onFailed: (error: unknown) => void;
  private readonly looking: PeriodicTask;
  private tables = EMPTY;
  /** Something was moved or removed since the last checkpoint, which frees its space. */
  private hasLog = false;
  private lastArrival = Date.now();
  private busy = false;
  private isInterruptible = false;
  private stopped = false;
  private readonly maxSortEvents: number;
  private sortEvents: number;
  /** Epoch milliseconds; in the future after a failure. */
  private notBefore = 0;
  private failures = 0;

  constructor(
    { database, memoryShare }: Pick<OpenFiles, 'database' | 'memoryShare'>,
    observer: DuckdbObserver,
    onFailed: (error: unknown) => void,
  ) {
    this.database = database;
    this.maxSortEvents = Math.max(MIN_SORT_EVENTS, MAX_SORT_EVENTS * memoryShare);
    this.sortEvents = this.maxSortEvents;
    this.observer = observer;
    this.onFailed = onFailed;
    this.looking = new PeriodicTask({ everyMs: IDLE_MS, run: () => this.runIfDue() });
  }

  async readState(): Promise<void> {
    this.tables = await readTableState(this.database.maintainer);
  }

  arrived(events: number): void {
    this.tables = { ...this.tables, arrivals: this.tables.arrivals + events };
    this.lastArrival = Date.now();
    this.runIfDue();
  }

  /** Excludes compaction, which urgent work interrupts. */
  exclusively<Result>(use: () => Promise<Result>, { urgent }: { urgent: boolean }): Promise<Result> {
    const result = this.database.exclusive.runExclusive(async () => {
      const used = await use();
      this.hasLog = true;
      await this.readState();
      return used;
    });
    if (this.isInterruptible && urgent) this.database.maintainer.interrupt();
    return result;
  }

  get state(): { arrivals: number; runs: number } {
    return { arrivals: this.tables.arrivals, runs: this.tables.runs.length };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    void this.looking.close();
    const done = this.database.exclusive.runExclusive(async () => undefined);
    if (this.busy) this.database.maintainer.interrupt();
    await done;
  }

  private get isIdle(): boolean {
    return Date.now() - this.lastArrival >= IDLE_MS;
  }

  private due(): CompactionStep | null {
    return dueStep(this.tables, this.isIdle);
  }

  private runIfDue(): void {
    if (this.busy || this.stopped || Date.now() < this.notBefore) return;
    if (!this.due() && !(this.isIdle && this.hasLog)) return;
    this.busy = true;
    void this.database.exclusive
      .runExclusive(() => this.runSteps())
      .catch((error: unknown) => {
        // After a conflict with a flush or urgent work a later call retries.
        if (!this.stopped && !isConflict(error)) this.failed(error);
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private failed(error: unknown): void {
    this.sortEvents = Math.max(MIN_SORT_EVENTS, this.sortEvents / 2);
    this.notBefore = Date.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, LAST_PAUSE_MS);
    this.observer.onFault(error);
    this.onFailed(error);
  }

  private async runSteps(): Promise<void> {
    for (let step = this.due(); step && !this.stopped; step = this.due()) {
      const started = performance.now();
      const events = await this.run(step);
      const ms = performance.now() - started;
      if (events > 0) this.observer.onNotice({ kind: 'compacted', step: step.kind, events, ms });
      this.hasLog = true;
      this.failures = 0;
      this.sortEvents = Math.min(this.maxSortEvents, this.sortEvents * 2);
      await this.readState();
    }
    if (!this.isIdle || !this.hasLog) return;
    await this.database.withReserve(() => this.database.maintainer.run('CHECKPOINT'));
    this.hasLog = false;
  }

  private async run(step: CompactionStep): Promise<number> {
    const { maintain } = this.database;
    // Sorting is short, and might never complete if interrupted.
    if (step.kind === 'sort') return sortArrivals(maintain, this.observer, this.sortEvents);
    this.isInterruptible = true;
    try {
      return await mergeRuns(maintain, step.runs, this.observer);
    } finally {
      this.isInterruptible = false;
    }
  }
}
