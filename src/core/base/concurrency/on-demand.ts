import { RuntimeError } from '../shared/errors.ts';

export interface OnDemandOptions<Resource> {
  open(): Promise<Resource>;
  close(resource: Resource): Promise<void>;
  /** Asked after `restMs` without a use. If not, it is asked again `restMs` later. */
  isAtRest(resource: Resource): Promise<boolean>;
  restMs: number;
  /** Of `isAtRest` and of closing at rest, which no caller waits for. */
  onError(error: unknown): void;
}

/**
 * A resource that is opened by a use and closed after some time without one. At most one is open.
 */
export class OnDemand<Resource> {
  private readonly options: OnDemandOptions<Resource>;
  /** Null: closed, or closing. */
  private opening: Promise<Resource> | null = null;
  private present: Resource | null = null;
  private lastClosing: Promise<void> = Promise.resolve();
  private users = 0;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(options: OnDemandOptions<Resource>) {
    this.options = options;
  }

  /** Null while it opens or closes, too. */
  get opened(): Resource | null {
    return this.present;
  }

  /** Neither open nor opening. It may still be closing. */
  get isClosed(): boolean {
    return this.opening === null;
  }

  /** Resolves once no closing is under way, also after one that failed. */
  get closing(): Promise<void> {
    return this.lastClosing.catch(() => undefined);
  }

  async use<Result>(work: (resource: Resource) => Promise<Result>): Promise<Result> {
    this.users += 1;
    try {
      return await work(await this.open());
    } finally {
      this.users -= 1;
      this.restLater();
    }
  }

  /**
   * Waits for a closing. Concurrent calls share one opening; after a failure the next call tries
   * again.
   */
  open(): Promise<Resource> {
    if (this.ended) return Promise.reject(new RuntimeError('unavailable', STOPPING, { retryAfter: 1 }));
    this.opening ??= this.openOnce();
    return this.opening;
  }

  /** Final. What uses it meanwhile is not waited for. */
  async close(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.opening?.catch(() => undefined);
    if (this.present !== null) this.startClosing(this.present);
    await this.lastClosing;
  }

  private async openOnce(): Promise<Resource> {
    try {
      await this.closing;
      this.present = await this.options.open();
    } catch (error) {
      this.opening = null;
      throw error;
    }
    this.restLater();
    return this.present;
  }

  private restLater(): void {
    clearTimeout(this.timer);
    const resource = this.present;
    if (this.users > 0 || resource === null || this.ended) return;
    this.timer = setTimeout(() => {
      this.rest(resource).catch((error: unknown) => this.options.onError(error));
    }, this.options.restMs).unref();
  }

  private async rest(resource: Resource): Promise<void> {
    const { timer } = this;
    const isAtRest = await this.options.isAtRest(resource).catch((error: unknown) => {
      this.options.onError(error);
      return false;
    });
    // A use meanwhile has set another timer, or will set it at its end.
    if (this.users > 0 || this.timer !== timer || this.ended) return;
    if (!isAtRest) return this.restLater();
    this.startClosing(resource);
    await this.lastClosing;
  }

  private startClosing(resource: Resource): void {
    this.present = null;
    this.opening = null;
    this.lastClosing = this.options.close(resource);
  }
}

const STOPPING = 'The server is stopping. Try again.';
