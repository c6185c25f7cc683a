import { setTimeout as sleep } from 'node:timers/promises';

/** Work in portions; false: nothing is left that this node may do. */
export type Step = () => Promise<boolean>;

interface UpkeepParts {
  removal: { step: Step; isPending(): Promise<boolean> };
  others: Step[];
  onFault(error: unknown): void;
}

/** Also what other nodes have left. */
const EVERY_MS = 300_000;
/** While another node removes what is to be gone. */
const WAIT_MS = 50;

/** Work behind the scenes: removal first, then the rest. One portion at a time, so that other work runs in between. */
export class Upkeep {
  private readonly parts: UpkeepParts;
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private wanted = false;
  private closed = false;

  constructor(parts: UpkeepParts) {
    this.parts = parts;
    this.timer = setInterval(() => this.soon(), EVERY_MS).unref();
  }

  soon(): void {
    this.wanted = true;
    this.running ??= this.runAll().finally(() => {
      this.running = null;
      if (this.wanted && !this.closed) this.soon();
    });
  }

  /** Resolves once nothing is left to remove. */
  async settle(): Promise<void> {
    while (!this.closed) {
      if (await this.parts.removal.step()) continue;
      if (!(await this.parts.removal.isPending())) return;
      await sleep(WAIT_MS);
    }
  }

  /** Resolves once nothing is left that this node may do. */
  async run(): Promise<void> {
    for (const step of [() => this.parts.removal.step(), ...this.parts.others]) {
      while (!this.closed && (await step()));
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async runAll(): Promise<void> {
    this.wanted = false;
    try {
      await this.run();
    } catch (error) {
      // The next run retries.
      if (!this.closed) this.parts.onFault(error);
    }
  }
}
