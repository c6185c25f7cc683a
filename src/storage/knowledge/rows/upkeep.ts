import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';

/** Work in portions; false: nothing is left that this node may do. */
export type Step = () => Promise<boolean>;

interface UpkeepParts {
  removal: { step: Step; isPending(): Promise<boolean> };
  /** At opening and from time to time: looking for this work costs something. */
  others: Step[];
  onFault(error: unknown): void;
}

/** The interval of looking for work, including what other nodes have left. */
const EVERY_MS = 300_000;
/** While another node removes what is to be gone. */
const WAIT_MS = 50;

/** Work behind the scenes, in portions, so that other work runs in between. Removal comes first. */
export class Upkeep {
  private readonly parts: UpkeepParts;
  private readonly looking: PeriodicTask;
  private running: Promise<void> | null = null;
  private wanted: 'removal' | 'everything' | null = null;
  private closed = false;

  constructor(parts: UpkeepParts) {
    this.parts = parts;
    this.looking = new PeriodicTask({ everyMs: EVERY_MS, run: async () => this.start('everything') });
    this.start('everything');
  }

  /** Removes what the caller has made invisible. */
  removeSoon(): void {
    this.start('removal');
  }

  /** Looks for all work now. */
  lookSoon(): void {
    this.start('everything');
  }

  /** Resolves once nothing is left to remove. */
  async settle(): Promise<void> {
    while (!this.closed) {
      await nextTurn();
      if (await this.parts.removal.step()) continue;
      if (!(await this.parts.removal.isPending())) return;
      await sleep(WAIT_MS);
    }
  }

  /** Resolves once nothing is left that this node may do. */
  async run(): Promise<void> {
    for (const step of [this.parts.removal.step, ...this.parts.others]) await this.finish(step);
  }

  async close(): Promise<void> {
    this.closed = true;
    void this.looking.close();
    await this.running;
  }

  private start(what: 'removal' | 'everything'): void {
    if (this.wanted !== 'everything') this.wanted = what;
    if (!this.closed) this.running ??= this.work();
  }

  private async work(): Promise<void> {
    while (this.wanted !== null && !this.closed) {
      const { wanted } = this;
      this.wanted = null;
      try {
        await (wanted === 'everything' ? this.run() : this.finish(this.parts.removal.step));
      } catch (error) {
        // The next run retries.
        if (!this.closed) this.parts.onFault(error);
      }
    }
    this.running = null;
  }

  private async finish(step: Step): Promise<void> {
    do await nextTurn();
    while (!this.closed && (await step()));
  }
}
