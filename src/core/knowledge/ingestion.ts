import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOutbox } from '../analytics/events/outbox.ts';
import type { TenantRuntimeEvent } from '../base/audit/runtime-event.ts';
import { PeriodicTask } from '../base/concurrency/timers.ts';
import { RuntimeError } from '../base/shared/errors.ts';
import { JobRun, type JobRunParts, LEASE_MS } from './job-run.ts';
import type { ClaimedJob, Job, KnowledgeStore, Lease, UnreportedJob } from './store.ts';
import type { UploadStore } from './uploads.ts';

const AT_ONCE = 100;

export interface JobEndsParts {
  store: KnowledgeStore;
  uploads: UploadStore;
  outbox: Pick<EventOutbox, 'store'>;
  onEnd(job: Job): void;
}

/**
 * Deletes the files of ended jobs and stores one event of each, whose id is that of the job.
 * Several nodes may do it.
 */
export async function reportEndedJobs({ store, uploads, outbox, onEnd }: JobEndsParts): Promise<void> {
  for (;;) {
    const ends = await store.unreportedJobs(AT_ONCE);
    for (const { uploadId } of ends) await uploads.remove(uploadId);
    await outbox.store(ends.map(eventOf));
    const marked = new Set(await store.markReported(ends.map(({ job }) => job.jobId)));
    for (const { job } of ends) if (marked.has(job.jobId)) onEnd(job);
    if (ends.length < AT_ONCE) return;
  }
}

function eventOf({ job, agentId, size, format }: UnreportedJob): TenantRuntimeEvent {
  const { jobId, tenantId, documentId, vectorStore, originalName, processedChunks, error, createdAt, startedAt } = job;
  const completedAt = job.completedAt ?? createdAt;
  const eventName = job.status === 'completed' ? 'runtime.ingestion_completed' : 'runtime.ingestion_failed';
  return {
    tenantId,
    id: `${eventName}:${jobId}`,
    agentId,
    eventName,
    timestamp: completedAt,
    properties: {
      jobId,
      vectorStore,
      originalName,
      format,
      bytes: size,
      chunks: processedChunks,
      waitMs: (startedAt ?? completedAt) - createdAt,
      durationMs: completedAt - (startedAt ?? completedAt),
      ...(job.status === 'completed' ? { documentId } : { error }),
    },
  };
}

const RETRY_MS = 5_000;

export interface IngestionParts extends JobRunParts, JobEndsParts {
  /** One job of another tenant may run in addition. */
  jobsPerTenant: number;
  retryMs?: number;
  /** For a store that other processes use, too: how often it looks for jobs that they have left. */
  pollMs?: number;
  onError(error: unknown, jobId: string | null): void;
}

interface Run {
  jobId: string;
  tenantId: string;
  controller: AbortController;
  done: Promise<void>;
}

/** Runs queued jobs, fairly between tenants; resumes jobs of crashed processes. */
export class Ingestion {
  private readonly parts: IngestionParts;
  private readonly retryMs: number;
  /** May contain two runs of a job: one that lost its lease may notice late. */
  private readonly running = new Set<Run>();
  private filling: Promise<void> | null = null;
  private again: NodeJS.Timeout | null = null;
  private readonly polling: PeriodicTask | null;
  private wakeRequested = false;
  private stopped = false;

  constructor(parts: IngestionParts) {
    this.parts = parts;
    this.retryMs = parts.retryMs ?? RETRY_MS;
    const { pollMs } = parts;
    this.polling = pollMs === undefined ? null : new PeriodicTask({ everyMs: pollMs, run: () => this.wake() });
  }

  wake(): void {
    this.wakeRequested = true;
    if (this.stopped) return;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
      if (this.wakeRequested) this.wake();
    });
  }

  /** Resolves once none of these jobs is running. */
  async abort(which: { jobId: string } | { tenantId: string }): Promise<void> {
    const meant = [...this.running].filter(({ jobId, tenantId }) =>
      'jobId' in which ? jobId === which.jobId : tenantId === which.tenantId,
    );
    for (const { controller } of meant) controller.abort();
    await Promise.all(meant.map(({ done }) => done));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.again) clearTimeout(this.again);
    void this.polling?.close();
    for (const { controller } of this.running) controller.abort();
    await this.filling;
    await Promise.all([...this.running].map(({ done }) => done));
  }

  private async fill(): Promise<void> {
    const { store, effects, jobsPerTenant } = this.parts;
    try {
      while (this.wakeRequested && !this.stopped) {
        this.wakeRequested = false;
        await reportEndedJobs(this.parts).catch((error: unknown) => this.tryLater(error));
        while (this.running.size <= jobsPerTenant && !this.stopped) {
          const claimed = await store.claim({ now: effects.now(), leaseMs: LEASE_MS, except: this.fullTenants() });
          if (!claimed) break;
          if (this.stopped) await store.release({ jobId: claimed.job.jobId, fence: claimed.fence }, false);
          else this.start(claimed);
        }
      }
    } catch (error) {
      this.tryLater(error);
    }
  }

  private fullTenants(): string[] {
    const byTenant = Map.groupBy(this.running, ({ tenantId }) => tenantId);
    return [...byTenant].filter(([, runs]) => runs.length >= this.parts.jobsPerTenant).map(([tenantId]) => tenantId);
  }

  private start(claimed: ClaimedJob): void {
    const { jobId, tenantId } = claimed.job;
    // After a jump of the clock our own lease seemed expired; the earlier run can store nothing.
    for (const earlier of this.running) if (earlier.jobId === jobId) earlier.controller.abort();
    const controller = new AbortController();
    const done = this.runJob(claimed, controller.signal).finally(() => {
      this.running.delete(run);
      this.wake();
    });
    const run: Run = { jobId, tenantId, controller, done };
    this.running.add(run);
  }

  private async runJob(claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { jobId } = claimed.job;
    try {
      const end = await new JobRun(this.parts, claimed, signal).run();
      if (end === 'later') await this.pause(signal);
    } catch (error) {
      // A reader crash or a defect: other jobs run first.
      this.parts.onError(error, jobId);
      const isForNow = error instanceof RuntimeError && error.code === 'unavailable';
      await this.release({ jobId, fence: claimed.fence }, !isForNow, signal);
    }
  }

  /** Retries until it succeeds: a job with an expired lease is not claimed soon. */
  private async release(lease: Lease, hasFailed: boolean, signal: AbortSignal): Promise<void> {
    const { store, onError } = this.parts;
    for (;;) {
      try {
        return await store.release(lease, hasFailed);
      } catch (error) {
        onError(error, lease.jobId);
      }
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
    }, this.retryMs).unref();
  }

  /** Keeps its slot, so that a full disk is not retried in a loop. */
  private async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.retryMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
