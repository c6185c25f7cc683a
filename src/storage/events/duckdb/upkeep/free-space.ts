import type { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isConflict } from '../faults.ts';
import type { StageObserver } from '../observer.ts';
import { dueStep, type TableState } from './compaction.ts';
import { rewriteTablesBehind } from './small-tables.ts';
import { chooseTail, moveTail, readFileSpace, readRowGroups, stateAfter } from './tail.ts';

const MIN_BYTES = 16 * 1024 * 1024;
/** Shares of free space at which shrinking starts and stops. */
const START_SHARE = 0.05;
const STOP_SHARE = 0.02;
/** In larger stores, locating events takes long and reads gigabytes. */
const MAX_STORE_EVENTS = 50_000_000;
/** Events of a step, halved after each failure, at least one row group of the engine. */
const MAX_STEP_EVENTS = 500_000;
const MIN_STEP_EVENTS = 122_880;

/** Shrinks the file in steps while the store is idle. */
export class FreeSpace {
  private readonly database: AnalyticsDatabase;
  private readonly writing: Mutex;
  /** Before the last step; null: no step since the last change. */
  private sizeBefore: number | null = null;
  private settled = false;
  /** The last step has not shrunk the file yet: an older query may be running. */
  private awaitsTruncation = false;
  private stepEvents = MAX_STEP_EVENTS;

  constructor(database: AnalyticsDatabase, writing: Mutex) {
    this.database = database;
    this.writing = writing;
  }

  get isUnsettled(): boolean {
    return !this.settled;
  }

  changed(): void {
    this.settled = false;
    this.sizeBefore = null;
    this.awaitsTruncation = false;
  }

  /** Returns the number of moved events; 0: nothing to do now. Call it after a checkpoint. */
  async shrink(state: TableState, observer: StageObserver): Promise<number> {
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
    const moved = await moveTail(maintain, tail, observer).catch((error: unknown) => {
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
