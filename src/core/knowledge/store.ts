import type { Embedded } from './embedder.ts';
import type { MetadataTest } from './filter.ts';
import type { Chunk, DocumentFormat, Place, ReadOptions } from './reader.ts';

/** The embedder of a store that searches by words only. */
export const NO_EMBEDDER = 'none';

export interface VectorStore {
  name: string;
  embedder: string;
  /** Null before the first vector and without an embedder. */
  dimensions: number | null;
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
  /** See `NewJob`. */
  content: string | null;
  createdAt: number;
}

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface Job {
  jobId: string;
  tenantId: string;
  vectorStore: string;
  status: JobStatus;
  originalName: string;
  totalChunks: number;
  processedChunks: number;
  progress: number;
  documentId: string | null;
  error: string | null;
  /** Notes on what is not part of the text, and on what was guessed. */
  notes: string[];
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
}

export interface NewJob {
  jobId: string;
  documentId: string;
  vectorStore: string;
  embedder: string;
  /** Equal for the same file and options: a running job with it is returned instead. */
  fingerprint: string;
  /** Equal for documents of equal chunks: a search finds those of the first one. Null: unknown. */
  content: string | null;
  uploadId: string;
  originalName: string;
  size: number;
  options: ReadOptions;
  metadata: Record<string, unknown>;
  sourceId: string | null;
  agentId: string;
  now: number;
}

export type NewJobResult =
  /**
   * `stored`: bytes with the new file, 0 without a limit. `same`: the first document with its
   * content, except one that it replaces.
   */
  | { outcome: 'created'; job: Job; stored: number; same: { documentId: string; name: string } | null }
  | { outcome: 'running'; job: Job }
  | { outcome: 'other embedder'; embedder: string }
  | { outcome: 'full' }
  /** `stored` in bytes. */
  | { outcome: 'over quota'; stored: number };

export interface JobLimits {
  perTenant: number;
  total: number;
  /** Bytes of the tenant's documents, including those being ingested; null: no limit. */
  documentBytes?: number | null;
}

export type Checkpoint = Record<string, unknown>;

/** Its fencing token grows with every claim: an expired lease cannot write. */
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
  /** Claims since the last stored batch, including this one. */
  attempts: number;
}

export interface Lease {
  jobId: string;
  fence: number;
}

/** Leases end by the store's own clock: nodes with other clocks neither take nor keep one. */
export interface ClaimRequest {
  /** Shown as the start of the job. */
  now: number;
  leaseMs: number;
  /** Tenants that have enough running jobs in this process. */
  except?: string[];
}

/** Stored in one transaction with the checkpoint. */
export interface ChunkBatch {
  chunks: Chunk[];
  /** One vector per chunk; null without an embedder. */
  embedded: Embedded | null;
  /** Digests by which duplicates are dropped; null: duplicates are stored. */
  units: Uint8Array[] | null;
  checkpoint: Checkpoint;
  progress: number;
  /** All notes of the job so far. */
  notes: string[];
  leaseMs: number;
}

export const SEARCH_MODES = ['hybrid', 'vector', 'lexical'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchPlan {
  store: string;
  /** Null for a search by the vector only. */
  text: string | null;
  /** Null for a search by words only. */
  vector: Float32Array | null;
  /** Relative to words; 0: vectors only fill up. */
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
  repaired: { word: string; by: string[] }[];
  /** The words by which chunks were found, as `wordsIn` has them; none by the vector alone. */
  words: string[];
}

export interface ReadChunks {
  chunks: Chunk[];
  /** Null for a store without vectors. */
  embedded: Embedded | null;
}

export interface QueueStats {
  queued: number;
  processing: number;
}

/** Its file still exists and its event is not recorded yet. */
export interface UnreportedJob {
  job: Job;
  agentId: string;
  uploadId: string;
  size: number;
  format: DocumentFormat;
}

/**
 * Methods take the tenant first and see no other tenant's data, except those of the ingestion.
 * Each change is one transaction. Any may reject with `unavailable`; then nothing happened.
 */
export interface KnowledgeStore {
  /** Durable when it resolves. Creates the vector store if needed. */
  createJob(tenantId: string, job: NewJob, limits: JobLimits): Promise<NewJobResult>;
  /** Jobs that wait or run. */
  openJobs(tenantId: string): Promise<{ own: number; all: number }>;
  storedBytes(tenantId: string): Promise<number>;
  /** Finds the job of any tenant; the service checks the tenant. */
  findJob(jobId: string): Promise<Job | null>;
  listJobs(
    tenantId: string,
    query: { vectorStore: string; status: JobStatus | null; limit: number; offset: number },
  ): Promise<Job[]>;
  countJobs(tenantId: string, query: { vectorStore: string; status: JobStatus | null }): Promise<number>;
  /** Removes what the job has stored. False: it had ended. */
  cancelJob(tenantId: string, jobId: string, error: string, now: number): Promise<boolean>;

  /** False if there is one of this name. */
  createStore(tenantId: string, store: { name: string; embedder: string; now: number }): Promise<boolean>;
  renameStore(tenantId: string, name: string, next: string): Promise<'renamed' | 'taken' | 'unknown'>;
  listStores(tenantId: string): Promise<VectorStore[]>;
  /**
   * Bytes of the documents that are found, by the names of their stores. A store without any is
   * left out.
   */
  storeSizes(tenantId: string, names: string[]): Promise<Record<string, number>>;
  findStore(tenantId: string, name: string): Promise<VectorStore | null>;
  dropStore(tenantId: string, name: string, now: number): Promise<boolean>;
  listDocuments(
    tenantId: string,
    query: { vectorStore: string; search?: string | undefined; limit: number; offset: number },
  ): Promise<{ items: StoredDocument[]; total: number }>;
  /** The document with its chunks from index `from` on. Null if it is not found. */
  readDocument(
    tenantId: string,
    query: { vectorStore: string; documentId: string; from: number; limit: number },
  ): Promise<{ document: StoredDocument; chunks: Chunk[] } | null>;
  /** The source of a document, which becomes its id if it had none. Null if it is not found. */
  sourceOf(tenantId: string, vectorStore: string, documentId: string): Promise<string | null>;
  findDocument(documentId: string): Promise<{ tenantId: string; vectorStore: string } | null>;
  deleteDocument(tenantId: string, vectorStore: string, documentId: string, now: number): Promise<boolean>;
  /**
   * Finds, among chunks that documents with the same content share, only the first that passes the
   * tests. Null for an unknown store.
   */
  search(tenantId: string, plan: SearchPlan): Promise<SearchResult | null>;
  /**
   * Chunks of a document from index `from` on, with the vectors that they were stored with; empty
   * at the end.
   */
  readChunks(tenantId: string, documentId: string, from: number, limit: number): Promise<ReadChunks>;
  /** `uploads`: ids of obsolete files. */
  erase(tenantId: string, now: number): Promise<{ documents: number; uploads: string[] }>;

  /**
   * The oldest job of the tenant with the fewest running jobs; of several, the longest waiting.
   * One job per source at a time, in the order of their creation.
   */
  claim(request: ClaimRequest): Promise<ClaimedJob | null>;
  hasOtherWaiting(tenantId: string): Promise<boolean>;
  /** False if the lease is lost. */
  renew(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Returns it to the queue with its checkpoint. A failed attempt counts. */
  release(lease: Lease, hasFailed: boolean): Promise<void>;
  /** Removes what the job has stored. */
  restart(lease: Lease): Promise<boolean>;
  knownUnits(lease: Lease, units: Uint8Array[]): Promise<boolean[]>;
  /** The number of new chunks; null: the lease is lost. */
  commit(lease: Lease, batch: ChunkBatch): Promise<number | null>;
  /** Publishes the document and removes the previous one of the same source, atomically. */
  complete(lease: Lease, now: number): Promise<boolean>;
  fail(lease: Lease, error: string, now: number): Promise<boolean>;
  neededUploads(): Promise<string[]>;
  unreportedJobs(limit: number): Promise<UnreportedJob[]>;
  /** Returns the ids that this call has marked: another process may have been first. */
  markReported(jobIds: string[]): Promise<string[]>;
  stats(): Promise<QueueStats>;
  /** Resolves once deleted data is gone from the disk. */
  settle(): Promise<void>;
  close(): Promise<void>;
}
