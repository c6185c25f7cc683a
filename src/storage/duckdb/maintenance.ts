import { type CompactionStep, dueStep, EMPTY, mergeRuns, readState, sortArrivals } from './compaction.ts';
import type { AnalyticsDatabase } from './database.ts';
import type { Stage, StoreObserver } from './observer.ts';
import { Turns } from './turns.ts';

/** Nothing arriving for so long is a good moment. */
const IDLE_MS = 5_000;

/** Keeps the tables in good order in the background, one thing at a time, beside flushes and queries. */
export class Maintenance {
  private readonly database: AnalyticsDatabase;
  private readonly observer: StoreObserver;
  private readonly turns = new Turns();
  private readonly timer: NodeJS.Timeout;
  private tables = EMPTY;
  private lastArrival = Date.now();
  private busy = false;
  /** Whether a step is running that may be interrupted. */
  private stepping = false;
  private stopped = false;

  private constructor(database: AnalyticsDatabase, observer: StoreObserver) {
    this.database = database;
    this.observer = observer;
    this.timer = setInterval(() => this.tidy(), IDLE_MS).unref();
  }

  static async start(database: AnalyticsDatabase, observer: StoreObserver): Promise<Maintenance> {
    const maintenance = new Maintenance(database, observer);
    await maintenance.look();
    return maintenance;
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
    if (this.stepping && urgent) this.database.maintainer.interrupt();
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
    if (this.stepping) this.database.maintainer.interrupt();
    await done;
  }

  private due(): CompactionStep | null {
    return dueStep(this.tables, Date.now() - this.lastArrival >= IDLE_MS);
  }

  private tidy(): void {
    if (this.busy || this.stopped || !this.due()) return;
    this.busy = true;
    void this.turns
      .take(() => this.takeSteps())
      .catch((error: unknown) => {
        if (!this.stopped && !isExpected(error)) this.observer.onFault(error);
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private async takeSteps(): Promise<void> {
    for (let step = this.due(); step && !this.stopped; step = this.due()) {
      const started = performance.now();
      const events = await this.take(step);
      this.observer.onNotice({ kind: 'compacted', step: step.kind, events, ms: performance.now() - started });
      await this.look();
    }
    // With nothing arriving, what was freed can be had back at once.
    if (Date.now() - this.lastArrival >= IDLE_MS) await this.database.maintainer.run('CHECKPOINT');
  }

  private async take(step: CompactionStep): Promise<number> {
    const onStage = (stage: Stage) => this.observer.onStage(stage);
    this.stepping = true;
    try {
      if (step.kind === 'sort') return await sortArrivals(this.database.maintainer, onStage);
      await mergeRuns(this.database.maintainer, step.runs, onStage);
      return step.runs.reduce((sum, { events }) => sum + events, 0);
    } finally {
      this.stepping = false;
    }
  }

  private async look(): Promise<void> {
    this.tables = await readState(this.database.maintainer);
  }
}

/** A flush has added columns meanwhile, or something more urgent came: the step comes again. */
function isExpected(error: unknown): boolean {
  return error instanceof Error && /conflict|^INTERRUPT/i.test(error.message);
}
