import type { Embedded } from './embedder.ts';
import type { MetadataTest } from './filter.ts';
import type { DocumentFormat } from './formats.ts';
import type { Chunk, Place, ReadOptions } from './reader.ts';

/** The embedder of a store without vectors, which searches lexically only. */
export const NO_EMBEDDER = 'none';

export interface VectorStore {
  name: string;
  /** The embedder of all its vectors, or `none`. */
  embedder: string;
  /** Of its vectors; null before the first, and without an embedder. */
  dimensions: number | null;
  /** Searchable documents. */
  documents: number;
  chunks: number;
  createdAt: number;
}

export interface StoredDocument {
  documentId: string;
  name: string;
  format: DocumentFormat;
  /** Bytes. */
  size: number;
  chunks: number;
  sourceId: string | null;
  metadata: Record<string, unknown>;
  createdAt: number;
}

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** An ingestion job as the client sees it. */
export interface Job {
  jobId: string;
  tenantId: string;
  vectorStore: string;
  status: JobStatus;
  originalName: string;
  /** Until the end, extrapolated from what has been read. */
  totalChunks: number;
  processedChunks: number;
  /** 0 to 1. */
  progress: number;
  /** Set on completion. */
  documentId: string | null;
  error: string | null;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
}

export interface NewJob {
  jobId: string;
  documentId: string;
  vectorStore: string;
  /** The embedder of a new store; an existing one must have the same. */
  embedder: string;
  /** Equal for the same file and options: while such a job runs, it is returned instead. */
  fingerprint: string;
  uploadId: string;
  originalName: string;
  size: number;
  options: ReadOptions;
  metadata: Record<string, unknown>;
  sourceId: string | null;
  /** The agent of the event that reports the end. */
  agentId: string;
  now: number;
}

export type NewJobResult =
  | { outcome: 'created' | 'running'; job: Job }
  /** The store has another embedder. */
  | { outcome: 'other embedder'; embedder: string }
  /** The job queue of the tenant, or of all, is full. */
  | { outcome: 'full' }
  /** The tenant's document quota is exceeded; `stored`: bytes now. */
  | { outcome: 'over quota'; stored: number };

/** Limits of queued and running jobs. */
export interface JobLimits {
  perTenant: number;
  total: number;
  /** Bytes of the tenant's documents, including those being ingested; null or absent: no limit. */
  documentBytes?: number | null;
}

/** Where a job resumes after a crash; plain JSON, opaque to the store. */
export type Checkpoint = Record<string, unknown>;

/** A leased job. Its fencing token grows with every claim: an expired lease cannot write. */
export interface ClaimedJob {
  job: Job;
  documentId: string;
  fence: number;
  uploadId: string;
  options: ReadOptions;
  metadata: Record<string, unknown>;
  embedder: string;
  dimensions: number | null;
  checkpoint: Checkpoint | null;
  /** Claims since the last batch was stored, this one included. */
  attempts: number;
}

export interface Lease {
  jobId: string;
  fence: number;
}

/** Chunks of a document, stored in one transaction with the checkpoint. */
export interface ChunkBatch {
  chunks: Chunk[];
  /** One vector per chunk; null in a store without an embedder. */
  embedded: Embedded | null;
  /** Digests by which duplicates are dropped; null: duplicates are stored. */
  units: Uint8Array[] | null;
  checkpoint: Checkpoint;
  /** 0 to 1. */
  progress: number;
  leaseUntil: number;
}

export const SEARCH_MODES = ['hybrid', 'vector', 'lexical'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchPlan {
  store: string;
  /** Null: search by the vector alone. */
  text: string | null;
  /** Null: search by words alone. */
  vector: Float32Array | null;
  /** The weight of a rank by vectors relative to one by words; 0: only fills up. */
  vectorWeight: number;
  tests: MetadataTest[];
  limit: number;
}

export interface SearchHit {
  documentId: string;
  chunkIndex: number;
  text: string;
  score: number;
  metadata: Record<string, unknown>;
  name: string;
  headings: string[];
  place: Place;
}

export interface SearchResult {
  hits: SearchHit[];
  /** Chunks with any of the words or, with vectors, chunks that pass the tests. */
  total: number;
  /** Unknown words and the words searched instead. */
  repaired: { word: string; by: string[] }[];
}

export interface QueueStats {
  queued: number;
  processing: number;
}

/** An ended job whose file still exists and whose event is not recorded yet. */
export interface UnreportedJob {
  job: Job;
  agentId: string;
  uploadId: string;
  /** Bytes. */
  size: number;
  format: DocumentFormat;
}

/**
 * Vector stores, their documents and ingestion jobs. Methods take the tenant first and see and
 * count no other tenant's data, except for those of the ingestion, which serves all tenants. Each
 * change is one transaction. Any method may reject with `unavailable`; then nothing happened.
 */
export interface KnowledgeStore {
  /** Durable when it resolves. Creates the vector store if needed. */
  createJob(tenantId: string, job: NewJob, limits: JobLimits): Promise<NewJobResult>;
  /** Whether the job queue takes another job. */
  hasCapacity(tenantId: string, limits: JobLimits): Promise<boolean>;
  /** Bytes of the files of all documents of the tenant, including those being ingested. */
  storedBytes(tenantId: string): Promise<number>;
  /** Of any tenant; the service checks it. */
  findJob(jobId: string): Promise<Job | null>;
  /** Newest first. */
  listJobs(
    tenantId: string,
    query: { vectorStore: string; status: JobStatus | null; limit: number; offset: number },
  ): Promise<Job[]>;
  /** Fails a running job with this error and removes what it has stored. False: it had ended. */
  cancelJob(tenantId: string, jobId: string, error: string, now: number): Promise<boolean>;

  /** By name. */
  listStores(tenantId: string): Promise<VectorStore[]>;
  findStore(tenantId: string, name: string): Promise<VectorStore | null>;
  /** With its documents; its jobs fail. False: there is none. */
  dropStore(tenantId: string, name: string, now: number): Promise<boolean>;
  /** Newest first. */
  listDocuments(
    tenantId: string,
    query: { vectorStore: string; limit: number; offset: number },
  ): Promise<{ items: StoredDocument[]; total: number }>;
  findDocument(documentId: string): Promise<{ tenantId: string; vectorStore: string } | null>;
  deleteDocument(tenantId: string, vectorStore: string, documentId: string, now: number): Promise<boolean>;
  /** Null: there is no such store. */
  search(tenantId: string, plan: SearchPlan): Promise<SearchResult | null>;
  /** Erases the tenant's knowledge. Returns the number of documents and the obsolete uploads. */
  erase(tenantId: string, now: number): Promise<{ documents: number; uploads: string[] }>;

  /**
   * Leases the next job: of the tenant with the fewest running jobs, then of the one that has
   * waited longest, its oldest first; a later upload of the same source waits for the earlier.
   * Null: no job waits, except of tenants with `ofTenant` running jobs.
   */
  claim(now: number, leaseUntil: number, ofTenant?: number): Promise<ClaimedJob | null>;
  /** Whether a job waits of another tenant with fewer running jobs. */
  hasOtherWaiting(tenantId: string, now: number): Promise<boolean>;
  /** False: the lease is lost. */
  renew(lease: Lease, leaseUntil: number): Promise<boolean>;
  /** Returns the job to the queue with its checkpoint. A failed attempt counts. */
  release(lease: Lease, hasFailed: boolean): Promise<void>;
  /** Removes what has been stored of it. */
  restart(lease: Lease): Promise<boolean>;
  /** Which of these units the job has stored already. */
  knownUnits(lease: Lease, units: Uint8Array[]): Promise<boolean[]>;
  /** The number of new chunks; null: the lease is lost, and nothing was stored. */
  commit(lease: Lease, batch: ChunkBatch): Promise<number | null>;
  /** Publishes the document and removes the previous one of the same source, atomically. */
  complete(lease: Lease, now: number): Promise<boolean>;
  fail(lease: Lease, error: string, now: number): Promise<boolean>;
  /** Uploads of unfinished jobs. */
  neededUploads(): Promise<string[]>;
  unreportedJobs(limit: number): Promise<UnreportedJob[]>;
  /** After their files were deleted and their events recorded. */
  markReported(jobIds: string[]): Promise<void>;
  stats(): Promise<QueueStats>;
  /** Resolves once deleted data is gone from the disk. */
  settle(): Promise<void>;
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}
