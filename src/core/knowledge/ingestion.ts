import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeError } from '../shared/errors.ts';
import { JobEnds, type JobEndsParts } from './job-ends.ts';
import { JobTurn, type JobTurnParts, LEASE_MS } from './job-turn.ts';
import type { ClaimedJob, Lease } from './store.ts';

const AGAIN_MS = 5_000;

export interface IngestionParts extends JobTurnParts, JobEndsParts {
  /** Jobs of one tenant that are worked on at once. One more is, of another tenant. */
  width: number;
  /** After so many milliseconds what could not be done, because the disk was full for example, is tried again. */
  againMs?: number;
  /** Something failed that no caller waits for. */
  onError(error: unknown, jobId: string | null): void;
}

interface Turn {
  jobId: string;
  tenantId: string;
  controller: AbortController;
  done: Promise<void>;
}

/** Works on queued jobs, a few at once, fairly between tenants, until it is stopped; and on what crashes have left of others. */
export class Ingestion {
  private readonly parts: IngestionParts;
  private readonly ends: JobEnds;
  private readonly againMs: number;
  /** Two may be of one job: whoever lost it while the machine was asleep finds out later than the next begins. */
  private readonly running = new Set<Turn>();
  private filling: Promise<void> | null = null;
  private again: NodeJS.Timeout | null = null;
  private hasNews = false;
  private stopped = false;

  constructor(parts: IngestionParts) {
    this.parts = parts;
    this.ends = new JobEnds(parts);
    this.againMs = parts.againMs ?? AGAIN_MS;
  }

  /** Says that there is something to do: a new job, or the end of one. */
  wake(): void {
    this.hasNews = true;
    if (this.stopped) return;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
      if (this.hasNews) this.wake();
    });
  }

  /** Ends the work on jobs that are no longer to be done; resolves once nothing of them is under way. */
  async breakOff(which: { jobId: string } | { tenantId: string }): Promise<void> {
    const meant = [...this.running].filter(({ jobId, tenantId }) =>
      'jobId' in which ? jobId === which.jobId : tenantId === which.tenantId,
    );
    for (const { controller } of meant) controller.abort();
    await Promise.all(meant.map(({ done }) => done));
  }

  /** Ends all work, so that the next start goes on where this one was. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.again) clearTimeout(this.again);
    for (const { controller } of this.running) controller.abort();
    await this.filling;
    await Promise.all([...this.running].map(({ done }) => done));
  }

  private async fill(): Promise<void> {
    const { store, effects, width } = this.parts;
    try {
      while (this.hasNews && !this.stopped) {
        this.hasNews = false;
        await this.ends.tell().catch((error: unknown) => this.tryLater(error));
        while (this.running.size <= width && !this.stopped) {
          const now = effects.now();
          const claimed = await store.claim(now, now + LEASE_MS, width);
          if (!claimed) break;
          // Who stops us waits for what runs, and has aborted it already.
          if (this.stopped) await store.release({ jobId: claimed.job.jobId, fence: claimed.fence }, false);
          else this.start(claimed);
        }
      }
    } catch (error) {
      this.tryLater(error);
    }
  }

  private start(claimed: ClaimedJob): void {
    const { jobId, tenantId } = claimed.job;
    // Where the clock has leapt, a lease of our own seemed to be over: that turn can store nothing any more.
    for (const earlier of this.running) if (earlier.jobId === jobId) earlier.controller.abort();
    const controller = new AbortController();
    const done = this.turn(claimed, controller.signal).finally(() => {
      this.running.delete(turn);
      this.wake();
    });
    const turn: Turn = { jobId, tenantId, controller, done };
    this.running.add(turn);
  }

  private async turn(claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { jobId } = claimed.job;
    try {
      const end = await new JobTurn(this.parts, claimed, signal).run();
      if (end === 'later') await this.pause(signal);
    } catch (error) {
      // A reader that has died, or a defect of ours: others get their turn, and then this one again.
      this.parts.onError(error, jobId);
      const isForNow = error instanceof RuntimeError && error.code === 'unavailable';
      await this.release({ jobId, fence: claimed.fence }, !isForNow, signal);
    }
  }

  /** Until it succeeds: nobody would ever look for a job whose lease has only come to its end. */
  private async release(lease: Lease, hasFailed: boolean, signal: AbortSignal): Promise<void> {
    const { store, onError } = this.parts;
    for (;;) {
      try {
        return await store.release(lease, hasFailed);
      } catch (error) {
        onError(error, lease.jobId);
      }
      // The next start releases everything.
      if (signal.aborted) return;
      await this.pause(signal);
    }
  }

  private tryLater(error: unknown): void {
    this.parts.onError(error, null);
    if (this.stopped) return;
    this.again ??= setTimeout(() => {
      this.again = null;
      this.wake();
    }, this.againMs).unref();
  }

  /** Holding its place among the running ones, so that a full disk is not tried again and again. */
  private async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.againMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
