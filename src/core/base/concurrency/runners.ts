import type { Timers } from './timers.ts';
import { realTimers } from './timers.ts';

/**
 * The processes that have begun what outlives a crash as a row: running chats, reservations,
 * claimed deliveries. Such a row names its process; it is abandoned once that process is not listed
 * here.
 */
export interface RunnerStore {
  /**
   * Lists the process, or renews it, for `ms` by the store's own clock; null: until another one
   * takes over.
   */
  renew(id: string, ms: number | null): Promise<void>;
  /** Lists this process alone: the caller knows that all others have ended. */
  takeOver(id: string): Promise<void>;
  /** Removes those that were not renewed in time. */
  removeEnded(): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface RunnerParts {
  /** A process that starts again has another one. */
  id: string;
  store: RunnerStore;
  /** One process at a time: the owner of a data directory. */
  isAlone: boolean;
  timers?: Timers;
  onError(error: unknown): void;
}

/**
 * A process may be silent for so long, in a pause or without its database, before others take its
 * work for abandoned.
 */
export const RUNNER_LEASE_MS = 60_000;
const RENEW_MS = 15_000;

/** Shows other processes that this one is alive, and takes back what ended ones have left. */
export class Runner {
  readonly id: string;
  readonly isAlone: boolean;
  private readonly parts: RunnerParts;
  private readonly timers: Timers;
  private readonly takers = new Set<() => Promise<void>>();
  private cancel: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(parts: RunnerParts) {
    this.parts = parts;
    this.id = parts.id;
    this.isAlone = parts.isAlone;
    this.timers = parts.timers ?? realTimers;
  }

  /**
   * Call it before anything begins. A full disk must not stop the owner: nobody else reads the
   * list.
   */
  async start(): Promise<void> {
    const { store, onError } = this.parts;
    if (this.isAlone) {
      await store.takeOver(this.id).catch(onError);
      return;
    }
    await store.renew(this.id, RUNNER_LEASE_MS);
    await store.removeEnded();
    this.schedule();
  }

  /**
   * Runs again and again while other processes may end; a process that is alone does it once, at
   * its start.
   */
  takeBack(work: () => Promise<void>): void {
    this.takers.add(work);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.cancel();
    await this.running;
    if (!this.isAlone) await this.parts.store.remove(this.id).catch(this.parts.onError);
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.cancel = this.timers.after(RENEW_MS, () => {
      this.running = this.pass().finally(() => this.schedule());
    });
  }

  private async pass(): Promise<void> {
    const { store, onError } = this.parts;
    try {
      await store.renew(this.id, RUNNER_LEASE_MS);
      await store.removeEnded();
      for (const work of this.takers) await work().catch(onError);
    } catch (error) {
      onError(error);
    }
  }
}
