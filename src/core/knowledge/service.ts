import { createHash } from 'node:crypto';
import type { AuditLog } from '../base/audit/log.ts';
import { reaches } from '../base/filters/limits.ts';
import { agentOfWrites } from '../base/shared/agent.ts';
import { type Caller, requireScope } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { conflict, forbidden, invalid, notFound, RuntimeError } from '../base/shared/errors.ts';
import { listNames } from '../base/shared/names.ts';
import { formatUtc } from '../base/time/time.ts';
import type { DocumentQuota } from '../limits/quotas/document-quota.ts';
import { type DocumentService, sourceIn } from './documents.ts';
import type { Embedders } from './embedder.ts';
import {
  type DocumentReader,
  EXTENSIONS,
  FORMATS,
  formatOf,
  READER_VERSION,
  type ReadOptions,
  UnreadableDocument,
} from './reader.ts';
import type { IngestFields, ShownJob, UploadLimits } from './schema.ts';
import type { Job, JobLimits, JobStatus, KnowledgeStore } from './store.ts';
import type { Upload, UploadStore } from './uploads.ts';
import { requireReach, type VectorStoreService } from './vector-stores.ts';

export interface KnowledgeParts {
  store: KnowledgeStore;
  stores: VectorStoreService;
  documents: Pick<DocumentService, 'replaced'>;
  uploads: UploadStore;
  reader: Pick<DocumentReader, 'columns'>;
  embedders: Embedders;
  ingestion: {
    wake(): void;
    abort(which: { jobId: string } | { tenantId: string }): Promise<void>;
  };
  agents: { register(caller: Caller, names: string[]): Promise<void> };
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  limits: JobLimits & { uploadBytes: number };
  quota: DocumentQuota;
}

const RETRY_AFTER = 30;
const CANCELLED = 'cancelled';

export class KnowledgeService {
  readonly uploads: UploadStore;
  readonly maxUploadBytes: number;
  private readonly parts: KnowledgeParts;

  constructor(parts: KnowledgeParts) {
    this.parts = parts;
    this.uploads = parts.uploads;
    this.maxUploadBytes = parts.limits.uploadBytes;
  }

  /**
   * Before an upload. Throws `unavailable` (queue full) or `rate_limited` (quota exceeded), unless
   * the file may be that of a running job, which is known only by its content.
   */
  async admit(caller: Caller): Promise<void> {
    requireScope(caller, 'knowledge:write');
    const { store, limits, quota } = this.parts;
    const { own, all } = await store.openJobs(caller.tenantId);
    if (own > 0) return;
    if (all >= limits.total) throw tooManyJobs();
    const limit = await quota.limit(caller.tenantId);
    if (limit === null) return;
    const stored = await store.storedBytes(caller.tenantId);
    if (stored >= limit) throw quota.refusal(caller, { limit, stored, wanted: 0 });
  }

  /**
   * Throws `invalid`, `conflict`, `unprocessable`, `unavailable` or `rate_limited`; the caller then
   * removes the upload. While a job runs, the same file and options return that job.
   */
  async ingest(caller: Caller, { fields, file }: { fields: IngestFields; file: { name: string; upload: Upload } }) {
    requireScope(caller, 'knowledge:write');
    const { store, documents, uploads, embedders, effects, ingestion, limits, agents, quota } = this.parts;
    const { vectorStore, metadata = {}, replaces } = fields;
    requireReach(caller, vectorStore);
    const options = optionsOf(file.name, fields);
    await this.checkColumns(caller.tenantId, file.upload, options);
    const sourceId = replaces === undefined ? sourceIn(metadata) : await documents.replaced(caller, fields, replaces);
    const agentId = agentOfWrites(caller);
    const embedder = embedders.configured;
    // Only checks the configuration; throws `unprocessable`.
    embedders.of(embedder, null);
    const { upload, name: originalName } = file;
    await agents.register(caller, [agentId]);
    const documentBytes = await quota.limit(caller.tenantId);
    const result = await store.createJob(
      caller.tenantId,
      {
        jobId: effects.newId(),
        documentId: effects.newId(),
        fingerprint: digestOf([upload.sha256, originalName, options, metadata, ...(replaces ? [replaces] : [])]),
        // Another version of the reader may read more of it.
        content: digestOf([upload.sha256, options, READER_VERSION]),
        uploadId: upload.id,
        size: upload.size,
        sourceId,
        now: effects.now(),
        vectorStore,
        embedder,
        originalName,
        options,
        metadata,
        agentId,
      },
      { ...limits, documentBytes },
    );
    if (result.outcome === 'full') throw tooManyJobs();
    if (result.outcome === 'over quota') {
      throw quota.refusal(caller, { limit: documentBytes!, stored: result.stored, wanted: upload.size });
    }
    if (result.outcome === 'other embedder') throw otherEmbedder(vectorStore, result.embedder, embedder);
    // From here on nothing may fail: the job has its file. What is not removed, the next start
    // removes.
    if (result.outcome === 'running') await uploads.remove(upload.id).catch(() => undefined);
    else if (documentBytes !== null) quota.note(caller, { limit: documentBytes, stored: result.stored });
    ingestion.wake();
    const same = result.outcome === 'created' ? result.same : null;
    return { job: shownJob(result.job), isNew: result.outcome === 'created', same };
  }

  /** Throws `forbidden` for another tenant's job. */
  async job(caller: Caller, jobId: string): Promise<ShownJob> {
    requireScope(caller, 'knowledge:read');
    return shownJob(await this.ownJob(caller, jobId));
  }

  /** Throws `not_found` when neither a store nor a job has this name. */
  async jobs(
    caller: Caller,
    vectorStore: string,
    { status, limit, offset }: { status?: JobStatus | undefined; limit: number; offset: number },
  ): Promise<{ jobs: ShownJob[]; total: number }> {
    requireScope(caller, 'knowledge:read');
    const { store, stores } = this.parts;
    if (!reaches(caller, 'vectorStores', vectorStore)) throw await stores.unknown(caller, vectorStore);
    const wanted = { vectorStore, status: status ?? null };
    const jobs = await store.listJobs(caller.tenantId, { ...wanted, limit, offset });
    const total = await store.countJobs(caller.tenantId, wanted);
    if (total === 0) await stores.own(caller, vectorStore);
    return { jobs: jobs.map(shownJob), total };
  }

  /** Throws `conflict` when it has ended. */
  async cancel(caller: Caller, jobId: string): Promise<ShownJob> {
    requireScope(caller, 'knowledge:write');
    const { store, ingestion, effects } = this.parts;
    const job = await this.ownJob(caller, jobId);
    if (!(await store.cancelJob(caller.tenantId, jobId, CANCELLED, effects.now()))) {
      const { status } = (await store.findJob(jobId)) ?? job;
      throw conflict(`The job is ${status} already; only one that is queued or processing can be cancelled.`);
    }
    await ingestion.abort({ jobId });
    ingestion.wake();
    return shownJob(await this.ownJob(caller, jobId));
  }

  /** Returns the number of documents, which are then gone from the disk. */
  async erase(tenantId: string): Promise<number> {
    const { store, effects, uploads, ingestion } = this.parts;
    const { documents, uploads: left } = await store.erase(tenantId, effects.now());
    await ingestion.abort({ tenantId });
    for (const id of left) await uploads.remove(id);
    await store.settle();
    return documents;
  }

  /** The limits of files, which a client can check before it sends them. */
  async uploadLimits(caller: Caller): Promise<UploadLimits> {
    requireScope(caller, 'knowledge:read');
    const { store, quota, embedders } = this.parts;
    const limit = await quota.limit(caller.tenantId);
    const stored = limit === null ? null : await store.storedBytes(caller.tenantId);
    return {
      extensions: EXTENSIONS,
      fileBytes: this.maxUploadBytes,
      documentBytes: limit,
      storedBytes: stored,
      embedder: embedders.configured,
    };
  }

  private async ownJob(caller: Caller, jobId: string): Promise<Job> {
    const job = await this.parts.store.findJob(jobId);
    if (job && job.tenantId !== caller.tenantId) throw forbidden('This ingestion job belongs to another tenant.');
    if (job && reaches(caller, 'vectorStores', job.vectorStore)) return job;
    throw notFound(`There is no ingestion job ${JSON.stringify(jobId)}.`);
  }

  /** Refuses unknown columns now, not with a failed job. */
  private async checkColumns(tenantId: string, { id }: Upload, options: ReadOptions): Promise<void> {
    const { csvContentColumns = [], csvMetadataColumns = [] } = options;
    if (csvContentColumns.length + csvMetadataColumns.length === 0) return;
    const { reader, uploads } = this.parts;
    const late = AbortSignal.timeout(COLUMNS_MS);
    const columnsOf = async (): Promise<string[]> => {
      const upload = await uploads.open(id, late);
      if (upload === null) throw new Error(`the upload ${id} is gone before its job exists`);
      try {
        return await reader.columns(upload.path, { tenantId, options, signal: late });
      } finally {
        await upload.close();
      }
    };
    const known = await columnsOf().catch((error: unknown) => {
      throw late.aborted ? tooManyJobs() : asInvalid(error);
    });
    const messages = Object.entries({ csvContentColumns, csvMetadataColumns }).flatMap(([field, columns]) => {
      const unknown = columns.filter((column) => !known.includes(column));
      if (unknown.length === 0) return [];
      return [`${field}: the file has no column ${listNames(unknown)}; it has ${listNames(known, 30)}`];
    });
    if (messages.length > 0) throw invalid(...messages);
  }
}

/** Includes the wait for other files. */
const COLUMNS_MS = 120_000;

function asInvalid(error: unknown): unknown {
  return error instanceof UnreadableDocument ? invalid(`file: ${error.message}`) : error;
}

function optionsOf(fileName: string, fields: IngestFields): ReadOptions {
  const format = formatOf(fileName);
  if (format === null) throw invalid(`file: must be one of ${FORMATS.join(', ')}`);
  const { csvDelimiter, csvContentColumns, csvMetadataColumns } = fields;
  return {
    format,
    ...(csvDelimiter && { csvDelimiter }),
    ...(csvContentColumns && { csvContentColumns }),
    ...(csvMetadataColumns && { csvMetadataColumns }),
    hygiene: {
      stripHtml: fields.hygieneStripHtml ?? false,
      removeUrls: fields.hygieneRemoveUrls ?? false,
      dropEmptyValues: fields.hygieneDropEmptyValues ?? false,
      normalizeWhitespace: fields.hygieneNormalizeWhitespace ?? false,
      dedupeUnits: fields.hygieneDedupeUnits ?? false,
    },
  };
}

function digestOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function shownJob({ tenantId: _, vectorStore: __, createdAt, startedAt, completedAt, ...job }: Job): ShownJob {
  const shown = (time: number | null) => (time === null ? null : formatUtc(time));
  return { ...job, startedAt: shown(startedAt), completedAt: shown(completedAt), createdAt: formatUtc(createdAt) };
}

function tooManyJobs(): RuntimeError {
  return new RuntimeError('unavailable', 'Too many files wait to be ingested; nothing was stored. Try again later.', {
    retryAfter: RETRY_AFTER,
  });
}

function otherEmbedder(store: string, its: string, configured: string): RuntimeError {
  return conflict(
    `The vector store ${JSON.stringify(store)} was made with the embedder ${its}, and the server is set up with ${configured}: their vectors cannot be compared. Use another store, delete this one, or set AGENT_RUNTIME_EMBEDDER to ${its}.`,
  );
}
