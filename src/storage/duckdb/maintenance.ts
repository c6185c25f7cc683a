import {
  type CompactionStep,
  countArrivals,
  dueStep,
  listRuns,
  mergeRuns,
  type Run,
  sortArrivals,
} from './compaction.ts';
import type { AnalyticsDatabase } from './database.ts';
import { Turns } from './turns.ts';

/** Nothing arriving for so long is a good moment. */
const IDLE_MS = 5_000;

/** A compaction that was done. */
export interface Compacted {
  kind: CompactionStep['kind'];
  events: number;
  ms: number;
}

export interface MaintenanceEvents {
  onCompacted(compacted: Compacted): void;
  onFault(error: unknown): void;
}

/** Keeps the tables in good order in the background, one thing at a time, beside flushes and queries. */
export class Maintenance {
  private readonly database: AnalyticsDatabase;
  private readonly events: MaintenanceEvents;
  private readonly turns = new Turns();
  private readonly timer: NodeJS.Timeout;
  private arrivals = 0;
  private runs: Run[] = [];
  private lastArrival = Date.now();
  private busy = false;
  private stopped = false;

  private constructor(database: AnalyticsDatabase, events: MaintenanceEvents) {
    this.database = database;
    this.events = events;
    this.timer = setInterval(() => this.tidy(Date.now() - this.lastArrival >= IDLE_MS), IDLE_MS).unref();
  }

  static async start(database: AnalyticsDatabase, events: MaintenanceEvents): Promise<Maintenance> {
    const maintenance = new Maintenance(database, events);
    await maintenance.look();
    return maintenance;
  }

  /** Events have come into `hot`. */
  arrived(events: number): void {
    this.arrivals += events;
    this.lastArrival = Date.now();
    this.tidy(false);
  }

  /** Something that must not happen beside a compaction. */
  exclusively<Result>(use: () => Promise<Result>): Promise<Result> {
    return this.turns.take(use);
  }

  /** Sorted runs and unsorted arrivals, in events. */
  get state(): { arrivals: number; runs: number } {
    return { arrivals: this.arrivals, runs: this.runs.length };
  }

  /** Gives up what is being done: it leaves nothing behind. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    const done = this.turns.take(async () => undefined);
    if (this.busy) this.database.maintainer.interrupt();
    await done;
  }

  private tidy(idle: boolean): void {
    if (this.busy || this.stopped || !dueStep(this.arrivals, this.runs, idle)) return;
    this.busy = true;
    void this.turns
      .take(() => this.takeSteps(idle))
      .catch((error: unknown) => {
        if (!this.stopped && !isConflict(error)) this.events.onFault(error);
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private async takeSteps(idle: boolean): Promise<void> {
    for (let step = dueStep(this.arrivals, this.runs, idle); step; step = dueStep(this.arrivals, this.runs, idle)) {
      if (this.stopped) return;
      const started = performance.now();
      const events = await this.take(step);
      this.events.onCompacted({ kind: step.kind, events, ms: performance.now() - started });
      await this.look();
    }
    if (idle) await this.database.maintainer.run('CHECKPOINT');
  }

  private async take(step: CompactionStep): Promise<number> {
    if (step.kind === 'sort') return sortArrivals(this.database.maintainer);
    await mergeRuns(this.database.maintainer, step.runs);
    return step.runs.reduce((sum, { events }) => sum + events, 0);
  }

  private async look(): Promise<void> {
    this.arrivals = await countArrivals(this.database.maintainer);
    this.runs = await listRuns(this.database.maintainer);
  }
}

/** A flush has added columns meanwhile: the step comes again. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && error.message.includes('conflict');
}
