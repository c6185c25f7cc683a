import type { Embedded } from './embedder.ts';
import type { MetadataTest } from './filter.ts';
import type { DocumentFormat } from './formats.ts';
import type { Chunk, Place, ReadOptions } from './reader.ts';

/** What a store is called where no vectors are made: its search is lexical. */
export const NO_EMBEDDER = 'none';

export interface VectorStore {
  name: string;
  /** By whom its vectors are made, or `none`. Never another. */
  embedder: string;
  /** Of its vectors; null: none were made yet, or never are. */
  dimensions: number | null;
  /** That can be found. */
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

/** What became of a file, as its sender sees it. */
export interface Job {
  jobId: string;
  tenantId: string;
  vectorStore: string;
  status: JobStatus;
  originalName: string;
  /** Until the end, as many as there would be if the rest were like what has been read. */
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
  /** The embedder that the store is made with, and must have. */
  embedder: string;
  /** The same for the same file with the same options: while such a job is not done, it is answered. */
  fingerprint: string;
  uploadId: string;
  originalName: string;
  size: number;
  options: ReadOptions;
  metadata: Record<string, unknown>;
  sourceId: string | null;
  /** Whose event tells how it ends. */
  agentId: string;
  now: number;
}

export type NewJobResult =
  | { outcome: 'created' | 'running'; job: Job }
  /** The store has been made with another embedder. */
  | { outcome: 'other embedder'; embedder: string }
  /** Too many of the tenant's, or of all, are not done. */
  | { outcome: 'full' }
  /** The tenant's documents would take more bytes than it may have; `stored`: what they take now. */
  | { outcome: 'over quota'; stored: number };

/** How many jobs may be queued or processed. */
export interface JobLimits {
  ofTenant: number;
  ofAll: number;
  /** Bytes of the tenant's documents, those that are being ingested included; null or absent: any number. */
  documentBytes?: number | null;
}

/** Where a job goes on after a crash; plain JSON, made and read by the ingestion alone. */
export type Checkpoint = Record<string, unknown>;

/** A job that somebody works on: nobody else does until the lease ends, and whoever comes later has a higher fence. */
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
  /** How often it has been claimed since something of it was stored, this time included. */
  attempts: number;
}

export interface Lease {
  jobId: string;
  fence: number;
}

/** Some chunks of a document, with everything that must become true with them. */
export interface ChunkBatch {
  chunks: Chunk[];
  /** Of each chunk in turn; null in a store without an embedder. */
  embedded: Embedded | null;
  /** Digests of the chunks' units, which are not taken again; null where duplicates stay. */
  units: Uint8Array[] | null;
  checkpoint: Checkpoint;
  /** 0 to 1. */
  progress: number;
  leaseUntil: number;
}

/** How a search is answered. */
export const SEARCH_MODES = ['hybrid', 'vector', 'lexical'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchPlan {
  store: string;
  /** The words to look for; null: by the vector alone. */
  text: string | null;
  /** What is near to it is found; null: by the words alone. */
  vector: Float32Array | null;
  /** What a place among the nearest counts, beside one among the best by words; 0: only where the words find nothing. */
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
  /** Chunks that have one of the words, or, where vectors are compared, that pass the tests. */
  total: number;
  /** Words that no chunk has, and those that were looked for in their place. */
  repaired: { word: string; by: string[] }[];
}

export interface QueueStats {
  queued: number;
  processing: number;
}

/** A job that has ended, whose file is still there and of which no event tells yet. */
export interface UnreportedJob {
  job: Job;
  agentId: string;
  uploadId: string;
  /** Bytes. */
  size: number;
  format: DocumentFormat;
}

/**
 * Named vector stores, their documents, and the jobs that fill them. All methods are async; but for those of the ingestion,
 * which works for all, they take the tenant first, and nothing of another tenant is read, counted or has a say in an order.
 * What must be true together is one transaction. Any may reject with `unavailable`: nothing happened then.
 */
export interface KnowledgeStore {
  /** Durable when it resolves. Makes the vector store where it is not there. */
  createJob(tenantId: string, job: NewJob, limits: JobLimits): Promise<NewJobResult>;
  /** Whether there is room for another job. */
  hasRoom(tenantId: string, limits: JobLimits): Promise<boolean>;
  /** Bytes of the files of all documents of the tenant, those that are being ingested included. */
  storedBytes(tenantId: string): Promise<number>;
  /** Also another tenant's, for the service to refuse. */
  findJob(jobId: string): Promise<Job | null>;
  /** Newest first. */
  listJobs(
    tenantId: string,
    query: { vectorStore: string; status: JobStatus | null; limit: number; offset: number },
  ): Promise<Job[]>;
  /** Ends a job that is not done as failed, with this error; what it has stored goes. False: it was done. */
  cancelJob(tenantId: string, jobId: string, error: string, now: number): Promise<boolean>;

  /** By name. */
  listStores(tenantId: string): Promise<VectorStore[]>;
  findStore(tenantId: string, name: string): Promise<VectorStore | null>;
  /** With all that is in it; its jobs end as failed. False: there is none. */
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
  /** Everything of the tenant, for good. Returns how many documents there were, and the uploads that nobody needs any more. */
  erase(tenantId: string, now: number): Promise<{ documents: number; uploads: string[] }>;

  /**
   * Gives the job that is to be worked on next: of the tenant with the fewest at work, of these the one that has waited
   * longest, its oldest first; a later upload of the same source waits for the earlier. Null: nothing waits, or only jobs of
   * tenants that have `ofTenant` at work.
   */
  claim(now: number, leaseUntil: number, ofTenant?: number): Promise<ClaimedJob | null>;
  /** Whether a job of another tenant waits that has fewer at work. */
  hasOtherWaiting(tenantId: string, now: number): Promise<boolean>;
  /** False: the job is not ours any more. */
  renew(lease: Lease, leaseUntil: number): Promise<boolean>;
  /** Lets others have it, from its checkpoint. An attempt that has failed counts among its attempts. */
  release(lease: Lease, hasFailed: boolean): Promise<void>;
  /** Throws away what has been stored of it. */
  restart(lease: Lease): Promise<boolean>;
  /** Which of these units the job has stored already. */
  knownUnits(lease: Lease, units: Uint8Array[]): Promise<boolean[]>;
  /** How many chunks were new; null: the job is not ours any more, and nothing was stored. */
  commit(lease: Lease, batch: ChunkBatch): Promise<number | null>;
  /** Has the document found, and the one of the same source no more, at once. */
  complete(lease: Lease, now: number): Promise<boolean>;
  fail(lease: Lease, error: string, now: number): Promise<boolean>;
  /** Uploads that unfinished jobs need. */
  neededUploads(): Promise<string[]>;
  unreportedJobs(limit: number): Promise<UnreportedJob[]>;
  /** Their files are gone, and events tell of them. */
  markReported(jobIds: string[]): Promise<void>;
  stats(): Promise<QueueStats>;
  /** Resolves once what was deleted is gone from the disk. */
  settle(): Promise<void>;
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}
