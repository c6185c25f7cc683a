import type { Mutex } from '../../../core/shared/mutex.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isConflict } from '../faults.ts';
import type { Stage } from '../observer.ts';
import { dueStep, type TableState } from './compaction.ts';
import { rewriteTablesBehind } from './small-tables.ts';
import { chooseTail, moveTail, readRoom, readRowGroups, stateAfter } from './tail.ts';

/** Less is left for what comes next. */
const LEAST_BYTES = 16 * 1024 * 1024;
/** From this share of the file on free room is given back, */
const LEAST_SHARE = 0.05;
/** and having begun, down to this one. */
const LEFT_SHARE = 0.02;
/** To see where more events lie takes long, and reads gigabytes. */
const LARGEST_STORE = 50_000_000;
/** So many events are moved at once, and fewer after an attempt that failed, for want of memory perhaps, */
const MOST_AT_ONCE = 500_000;
/** but no fewer than the engine keeps together: then the file stays as it is. */
const LEAST_AT_ONCE = 122_880;

/** The room in the file that compaction and removals have freed. It is given back to the disk in steps, at rest. */
export class FreeRoom {
  private readonly database: AnalyticsDatabase;
  private readonly writing: Mutex;
  /** The file's size before the last step; null: none was taken since something changed. */
  private sizeBefore: number | null = null;
  private settled = false;
  /** The last step did not make the file smaller yet, as when a query that began before it still ran. */
  private isLate = false;
  private most = MOST_AT_ONCE;

  /** `writing` are the turns of flushes. */
  constructor(database: AnalyticsDatabase, writing: Mutex) {
    this.database = database;
    this.writing = writing;
  }

  /** Whether a step may be due. */
  get isUnsettled(): boolean {
    return !this.settled;
  }

  /** Events were written anew or removed. */
  changed(): void {
    this.settled = false;
    this.sizeBefore = null;
    this.isLate = false;
  }

  /**
   * Takes a step: moves events from the end of the file into its holes. The next checkpoint cuts the end off. Returns how
   * many were moved; 0: there is nothing to be had at the moment. The tables have been checkpointed.
   */
  async giveBack(state: TableState, onStage: (stage: Stage) => void): Promise<number> {
    const { fileBytes, maintainer, maintain } = this.database;
    // Until something else turns up: what fails is not tried over and over.
    this.settled = true;
    if (this.sizeBefore !== null && fileBytes >= this.sizeBefore) {
      this.settled = this.isLate;
      this.isLate = true;
      return 0;
    }
    const room = await readRoom(maintainer, fileBytes);
    const free = (room.blocks - room.used) * room.blockBytes;
    const share = this.sizeBefore === null ? LEAST_SHARE : LEFT_SHARE;
    if (free < LEAST_BYTES || free < fileBytes * share) return 0;
    if (this.most < LEAST_AT_ONCE) return 0;
    if (state.runs.reduce((sum, { events }) => sum + events, 0) > LARGEST_STORE) return 0;
    const tail = chooseTail(await readRowGroups(maintainer), room, this.most);
    // Small runs that have to be merged would make the room anew that was given back.
    if (!tail || dueStep(await stateAfter(maintainer, tail, state), true)) return 0;
    const moved = await moveTail(maintain, tail, onStage).catch((error: unknown) => {
      this.settled = !isConflict(error);
      if (this.settled) this.most /= 2;
      throw error;
    });
    await this.writing.runExclusive(() => rewriteTablesBehind(this.database, room.blocks - tail.gain));
    this.sizeBefore = fileBytes;
    this.settled = false;
    this.isLate = false;
    return moved;
  }
}
