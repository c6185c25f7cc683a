import type { Mutex } from '../../../core/shared/mutex.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isConflict } from '../faults.ts';
import type { Stage, StoreObserver } from '../observer.ts';
import { type CompactionStep, dueStep, EMPTY, mergeRuns, readState, sortArrivals } from './compaction.ts';
import { FreeRoom } from './free-space.ts';

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
  private readonly freeRoom: FreeRoom;
  private readonly timer: NodeJS.Timeout;
  private tables = EMPTY;
  private lastArrival = Date.now();
  private busy = false;
  /** Whether what is being done gives way to what is urgent. */
  private yields = false;
  private stopped = false;
  /** How many arrivals are sorted at once: fewer after a sort that found no memory. */
  private most = MOST_AT_ONCE;
  /** When compaction may be tried again after a failure, epoch milliseconds. */
  private notBefore = 0;
  private failures = 0;

  /** `writing` are the turns of flushes; `onFailed` hears of what left the tables in doubt. */
  constructor(
    { database, writing }: { database: AnalyticsDatabase; writing: Mutex },
    observer: StoreObserver,
    onFailed: (error: unknown) => void,
  ) {
    this.database = database;
    this.observer = observer;
    this.onFailed = onFailed;
    this.freeRoom = new FreeRoom(database, writing);
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
    const turn = this.database.exclusive.runExclusive(async () => {
      const result = await use();
      this.freeRoom.changed();
      await this.look();
      return result;
    });
    if (this.yields && urgent) this.database.maintainer.interrupt();
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

  private tidy(): void {
    if (this.busy || this.stopped || Date.now() < this.notBefore) return;
    if (!this.due() && !(this.isIdle && this.freeRoom.isUnsettled)) return;
    this.busy = true;
    void this.database.exclusive
      .runExclusive(() => this.takeSteps())
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
      const { kind } = step;
      await this.timed(kind, () => this.take(step));
      this.freeRoom.changed();
      this.failures = 0;
      this.most = Math.min(MOST_AT_ONCE, this.most * 2);
      await this.look();
    }
    if (this.isIdle) await this.rest();
  }

  /** With nothing arriving, what was freed can be had back at once. */
  private async rest(): Promise<void> {
    do await this.database.withReserve(() => this.database.maintainer.run('CHECKPOINT'));
    while (this.isIdle && !this.stopped && (await this.giveBack()));
  }

  /** Whether there was anything to do. */
  private async giveBack(): Promise<boolean> {
    if (!this.freeRoom.isUnsettled) return false;
    const events = await this.timed('shrink', () =>
      this.yielding(() => this.freeRoom.giveBack(this.tables, this.onStage)),
    );
    if (events > 0) await this.look();
    return events > 0;
  }

  private async timed(step: CompactionStep['kind'] | 'shrink', take: () => Promise<number>): Promise<number> {
    const started = performance.now();
    const events = await take();
    if (events > 0) this.observer.onNotice({ kind: 'compacted', step, events, ms: performance.now() - started });
    return events;
  }

  private take(step: CompactionStep): Promise<number> {
    // Sorting is short: giving way each time, it might never be done.
    if (step.kind === 'sort') return sortArrivals(this.database.maintain, this.onStage, this.most);
    return this.yielding(() => mergeRuns(this.database.maintain, step.runs, this.onStage));
  }

  private async yielding(use: () => Promise<number>): Promise<number> {
    this.yields = true;
    try {
      return await use();
    } finally {
      this.yields = false;
    }
  }

  private readonly onStage = (stage: Stage): void => this.observer.onStage(stage);
}
