import type { Mutex } from '../../../core/concurrency/mutex.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isConflict } from '../faults.ts';
import type { Stage } from '../observer.ts';
import { dueStep, type TableState } from './compaction.ts';
import { rewriteTablesBehind } from './small-tables.ts';
import { chooseTail, moveTail, readFileSpace, readRowGroups, stateAfter } from './tail.ts';

/** Less free space is left in the file. */
const MIN_BYTES = 16 * 1024 * 1024;
/** The share of free space at which shrinking starts, */
const START_SHARE = 0.05;
/** and at which it stops. */
const STOP_SHARE = 0.02;
/** In larger stores, locating events takes long and reads gigabytes. */
const MAX_STORE_EVENTS = 50_000_000;
/** Events moved in a step; halved after a failure, for lack of memory perhaps, */
const MAX_STEP_EVENTS = 500_000;
/** down to one row group of the engine: below that the file is not shrunk. */
const MIN_STEP_EVENTS = 122_880;

/** Shrinks the file after compaction and removals, in steps, while the store is idle. */
export class FreeSpace {
  private readonly database: AnalyticsDatabase;
  private readonly writing: Mutex;
  /** The file's size before the last step; null: no step since the last change. */
  private sizeBefore: number | null = null;
  private settled = false;
  /** The last step has not shrunk the file yet, for example because an older query runs. */
  private awaitsTruncation = false;
  private stepEvents = MAX_STEP_EVENTS;

  /** `writing` is the mutex of flushes. */
  constructor(database: AnalyticsDatabase, writing: Mutex) {
    this.database = database;
    this.writing = writing;
  }

  /** Whether a step may be due. */
  get isUnsettled(): boolean {
    return !this.settled;
  }

  changed(): void {
    this.settled = false;
    this.sizeBefore = null;
    this.awaitsTruncation = false;
  }

  /**
   * Moves events from the end of the file into its holes; the next checkpoint truncates the file.
   * Returns how many were moved; 0: the file cannot be shrunk at the moment. Call it after a
   * checkpoint.
   */
  async shrink(state: TableState, onStage: (stage: Stage) => void): Promise<number> {
    const { fileBytes, maintainer, maintain } = this.database;
    // A failed step is not retried until something changes.
    this.settled = true;
    if (this.sizeBefore !== null && fileBytes >= this.sizeBefore) {
      this.settled = this.awaitsTruncation;
      this.awaitsTruncation = true;
      return 0;
    }
    const space = await readFileSpace(maintainer, fileBytes);
    const free = (space.blocks - space.used) * space.blockBytes;
    const share = this.sizeBefore === null ? START_SHARE : STOP_SHARE;
    if (free < MIN_BYTES || free < fileBytes * share) return 0;
    if (this.stepEvents < MIN_STEP_EVENTS) return 0;
    if (state.runs.reduce((sum, { events }) => sum + events, 0) > MAX_STORE_EVENTS) return 0;
    const tail = chooseTail(await readRowGroups(maintainer), space, this.stepEvents);
    // A merge of small runs would free the same space again.
    if (!tail || dueStep(await stateAfter(maintainer, tail, state), true)) return 0;
    const moved = await moveTail(maintain, tail, onStage).catch((error: unknown) => {
      this.settled = !isConflict(error);
      if (this.settled) this.stepEvents /= 2;
      throw error;
    });
    await this.writing.runExclusive(() => rewriteTablesBehind(this.database, space.blocks - tail.gain));
    this.sizeBefore = fileBytes;
    this.settled = false;
    this.awaitsTruncation = false;
    return moved;
  }
}
