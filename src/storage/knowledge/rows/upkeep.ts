import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Work in portions; false: nothing is left that this node may do. */
export type Step = () => Promise<boolean>;

interface UpkeepParts {
  removal: { step: Step; isPending(): Promise<boolean> };
  /** At opening and from time to time: looking for this work costs something. */
  others: Step[];
  onFault(error: unknown): void;
}

/** Also what other nodes have left. */
const EVERY_MS = 300_000;
/** While another node removes what is to be gone. */
const WAIT_MS = 50;

/** Work behind the scenes, in portions, so that other work runs in between. Removal comes first. */
export class Upkeep {
  private readonly parts: UpkeepParts;
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private wanted: Step[] = [];
  private closed = false;

  constructor(parts: UpkeepParts) {
    this.parts = parts;
    this.timer = setInterval(() => this.everythingSoon(), EVERY_MS).unref();
    this.everythingSoon();
  }

  /** Removes what the caller has made invisible. */
  removeSoon(): void {
    this.start([() => this.parts.removal.step()]);
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
    await this.take([() => this.parts.removal.step(), ...this.parts.others]);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.running;
  }

  private everythingSoon(): void {
    this.start([() => this.parts.removal.step(), ...this.parts.others]);
  }

  private start(steps: Step[]): void {
    if (this.closed) return;
    if (this.running) {
      if (this.wanted.length < steps.length) this.wanted = steps;
      return;
    }
    this.running = this.takeQuietly(steps).finally(() => {
      this.running = null;
      const next = this.wanted;
      this.wanted = [];
      if (next.length > 0) this.start(next);
    });
  }

  private async take(steps: Step[]): Promise<void> {
    for (const step of steps) {
      do await nextTurn();
      while (!this.closed && (await step()));
    }
  }

  private async takeQuietly(steps: Step[]): Promise<void> {
    try {
      await this.take(steps);
    } catch (error) {
      // The next run retries.
      if (!this.closed) this.parts.onFault(error);
    }
  }
}
