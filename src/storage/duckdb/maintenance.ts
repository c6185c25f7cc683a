import { type CompactionStep, dueStep, EMPTY, mergeRuns, readState, sortArrivals } from './compaction.ts';
import { type AnalyticsDatabase, isConflict } from './database.ts';
import type { Stage, StoreObserver } from './observer.ts';
import { Turns } from './turns.ts';

/** Nothing arriving for so long is a good moment. */
const IDLE_MS = 5_000;
const MOST_AT_ONCE = 1_000_000;
const LEAST_AT_ONCE = 16_000;
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 300_000;

/** Keeps the tables in good order in the background, one thing at a time, beside flushes and queries. */
export class Maintenance {
  private readonly database: AnalyticsDatabase;
  private readonly observer: StoreObserver;
  private readonly onFailed: (error: unknown) => void;
  private readonly turns = new Turns();
  private readonly timer: NodeJS.Timeout;
  private tables = EMPTY;
  private lastArrival = Date.now();
  private busy = false;
  /** Whether runs are being merged, which gives way to what is urgent. */
  private merging = false;
  private stopped = false;
  /** How many arrivals are sorted at once: fewer after a sort that found no memory. */
  private most = MOST_AT_ONCE;
  /** When compaction may be tried again after a failure, epoch milliseconds. */
  private notBefore = 0;
  private failures = 0;

  /** `onFailed` hears of what left the tables in doubt. */
  constructor(database: AnalyticsDatabase, observer: StoreObserver, onFailed: (error: unknown) => void) {
    this.database = database;
    this.observer = observer;
    this.onFailed = onFailed;
    this.timer = setInterval(() => this.tidy(), IDLE_MS).unref();
  }

  /** Sees how the tables stand. */
  async look(): Promise<void> {
    this.tables = await readState(this.database.maintainer);
  }

  /** Events have come into `hot`. */
  arrived(events: number): void {
    this.tables = { ...this.tables, arrivals: this.tables.arrivals + events };
    this.lastArrival = Date.now();
    this.tidy();
  }

  /** Something that must not happen beside a compaction, which gives way to it if it is urgent. */
  exclusively<Result>(use: () => Promise<Result>, { urgent }: { urgent: boolean }): Promise<Result> {
    const turn = this.turns.take(async () => {
      const result = await use();
      await this.look();
      return result;
    });
    if (this.merging && urgent) this.database.maintainer.interrupt();
    return turn;
  }

  /** Sorted runs and unsorted arrivals, in events. */
  get state(): { arrivals: number; runs: number } {
    return { arrivals: this.tables.arrivals, runs: this.tables.runs.length };
  }

  /** Gives up what is being done: it leaves nothing behind. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    const done = this.turns.take(async () => undefined);
    if (this.busy) this.database.maintainer.interrupt();
    await done;
  }

  private due(): CompactionStep | null {
    return dueStep(this.tables, Date.now() - this.lastArrival >= IDLE_MS);
  }

  private tidy(): void {
    if (this.busy || this.stopped || Date.now() < this.notBefore || !this.due()) return;
    this.busy = true;
    void this.turns
      .take(() => this.takeSteps())
      .catch((error: unknown) => {
        // A flush has added columns meanwhile, or something more urgent came: the step comes again.
        if (!this.stopped && !isConflict(error)) this.failed(error);
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private failed(error: unknown): void {
    this.most = Math.max(LEAST_AT_ONCE, this.most / 2);
    this.notBefore = Date.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, LAST_PAUSE_MS);
    this.observer.onFault(error);
    this.onFailed(error);
  }

  private async takeSteps(): Promise<void> {
    for (let step = this.due(); step && !this.stopped; step = this.due()) {
      const started = performance.now();
      const events = await this.take(step);
      this.observer.onNotice({ kind: 'compacted', step: step.kind, events, ms: performance.now() - started });
      this.failures = 0;
      this.most = Math.min(MOST_AT_ONCE, this.most * 2);
      await this.look();
    }
    // With nothing arriving, what was freed can be had back at once.
    if (Date.now() - this.lastArrival >= IDLE_MS) await this.database.maintainer.run('CHECKPOINT');
  }

  private async take(step: CompactionStep): Promise<number> {
    const onStage = (stage: Stage) => this.observer.onStage(stage);
    // Sorting is short: giving way each time, it might never be done.
    if (step.kind === 'sort') return sortArrivals(this.database.maintain, onStage, this.most);
    this.merging = true;
    try {
      await mergeRuns(this.database.maintain, step.runs, onStage);
      return step.runs.reduce((sum, { events }) => sum + events, 0);
    } finally {
      this.merging = false;
    }
  }
}
