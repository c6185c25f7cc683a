import type { StoredEvent } from '../analytics/events/store.ts';
import type { Effects } from '../base/shared/effects.ts';
import type { Job, KnowledgeStore, UnreportedJob } from './store.ts';
import type { UploadStore } from './uploads.ts';

const AT_ONCE = 100;

export interface JobEndsParts {
  store: KnowledgeStore;
  uploads: UploadStore;
  events: { append(tenantId: string, events: StoredEvent[]): Promise<unknown> };
  tenants: { isBlocked(tenantId: string): boolean };
  effects: Effects;
  onEnd(job: Job): void;
}

/**
 * Deletes the file of an ended job and records one event: the job id is its idempotency key.
 * Several nodes may do it.
 */
export class JobEnds {
  private readonly parts: JobEndsParts;

  constructor(parts: JobEndsParts) {
    this.parts = parts;
  }

  async report(): Promise<void> {
    const { store, uploads, events, tenants, onEnd } = this.parts;
    for (;;) {
      const ends = await store.unreportedJobs(AT_ONCE);
      for (const { uploadId } of ends) await uploads.remove(uploadId);
      for (const [tenantId, ofTenant] of Map.groupBy(ends, ({ job }) => job.tenantId)) {
        if (!tenants.isBlocked(tenantId)) await events.append(tenantId, ofTenant.map(eventOf));
      }
      const marked = new Set(await store.markReported(ends.map(({ job }) => job.jobId)));
      for (const { job } of ends) if (marked.has(job.jobId)) onEnd(job);
      if (ends.length < AT_ONCE) return;
    }
  }
}

function eventOf({ job, agentId, size, format }: UnreportedJob): StoredEvent {
  const { jobId, documentId, vectorStore, originalName, processedChunks, error, createdAt, startedAt } = job;
  const completedAt = job.completedAt ?? createdAt;
  const eventName = job.status === 'completed' ? 'runtime.ingestion_completed' : 'runtime.ingestion_failed';
  return {
    id: `${eventName}:${jobId}`,
    idFromCaller: true,
    agentId,
    eventName,
    timestamp: completedAt,
    threadId: null,
    executionId: null,
    properties: JSON.stringify({
      jobId,
      vectorStore,
      originalName,
      format,
      bytes: size,
      chunks: processedChunks,
      waitMs: (startedAt ?? completedAt) - createdAt,
      durationMs: completedAt - (startedAt ?? completedAt),
      ...(job.status === 'completed' ? { documentId } : { error }),
    }),
  };
}
