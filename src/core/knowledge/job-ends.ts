import type { EventOutbox } from '../analytics/events/outbox.ts';
import type { TenantRuntimeEvent } from '../base/audit/runtime-event.ts';
import type { Job, KnowledgeStore, UnreportedJob } from './store.ts';
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
