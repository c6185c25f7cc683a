import type { Chunk, DocumentFormat, ReadOptions } from '../../../core/knowledge/reader.ts';
import type {
  ClaimedJob,
  Job,
  JobStatus,
  SearchHit,
  StoredDocument,
  UnreportedJob,
} from '../../../core/knowledge/store.ts';

/* Rows of vector stores, with the same columns in SQLite and PostgreSQL. JSON is text. */

export interface JobRow {
  job_id: string;
  tenant_id: string;
  store: number;
  vector_store: string;
  document_id: string;
  upload_id: string;
  original_name: string;
  size: number;
  options: string;
  metadata: string;
  source_id: string | null;
  agent_id: string;
  status: JobStatus;
  processed_chunks: number;
  total_chunks: number;
  progress: number;
  checkpoint: string | null;
  fence: number;
  attempts: number;
  error: string | null;
  notes: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

export interface DocumentRow {
  document_id: string;
  name: string;
  format: DocumentFormat;
  size: number;
  chunks: number;
  source_id: string | null;
  metadata: string;
  content: string | null;
  created_at: number;
}

export interface StoredChunkRow {
  id: number;
  seq: number;
  text: string;
  headings: string | null;
  page: number | null;
  row: number | null;
  line: number | null;
  metadata: string | null;
}

export interface ChunkRow extends Omit<StoredChunkRow, 'id'> {
  documentId: string;
  name: string;
  /** Metadata of the document. */
  ofDocument: string;
}

export function toChunk({ text, headings, page, row, line, metadata }: Omit<StoredChunkRow, 'id' | 'seq'>): Chunk {
  return {
    text,
    headings: headings === null ? [] : (JSON.parse(headings) as string[]),
    place: { ...(page !== null && { page }), ...(row !== null && { row }), ...(line !== null && { line }) },
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
  };
}

export function toJob(row: JobRow): Job {
  return {
    jobId: row.job_id,
    tenantId: row.tenant_id,
    vectorStore: row.vector_store,
    status: row.status,
    originalName: row.original_name,
    totalChunks: row.total_chunks,
    processedChunks: row.processed_chunks,
    progress: row.progress,
    documentId: row.status === 'completed' ? row.document_id : null,
    error: row.error,
    notes: row.notes === null ? [] : (JSON.parse(row.notes) as string[]),
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}

export function toClaimedJob(
  row: JobRow,
  { embedder, dimensions }: { embedder: string; dimensions: number | null },
): ClaimedJob {
  return {
    job: toJob(row),
    documentId: row.document_id,
    fence: row.fence,
    uploadId: row.upload_id,
    options: JSON.parse(row.options) as ReadOptions,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    embedder,
    dimensions,
    checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Record<string, unknown>),
    attempts: row.attempts,
  };
}

export function toUnreportedJob(row: JobRow): UnreportedJob {
  return {
    job: toJob(row),
    agentId: row.agent_id,
    uploadId: row.upload_id,
    size: row.size,
    format: (JSON.parse(row.options) as { format: DocumentFormat }).format,
  };
}

export function toDocument(row: DocumentRow): StoredDocument {
  return {
    documentId: row.document_id,
    name: row.name,
    format: row.format,
    size: row.size,
    chunks: row.chunks,
    sourceId: row.source_id,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    content: row.content,
    createdAt: row.created_at,
  };
}

export function toHit(found: ChunkRow, score: number): SearchHit {
  const { metadata, ...chunk } = toChunk(found);
  return {
    documentId: found.documentId,
    chunkIndex: found.seq,
    ...chunk,
    score,
    metadata: { ...JSON.parse(found.ofDocument), ...metadata },
    name: found.name,
  };
}

/**
 * On documents d: no earlier one that is found has the same content. With `tests`, on chunks c too:
 * none whose same chunk passes them, which are on `earlier_chunk` and `earlier`. Documents that
 * came first have `repeated` 0.
 */
export function isFirst(tests?: string): string {
  const chunk = `JOIN knowledge_chunks earlier_chunk ON earlier_chunk.document = earlier.id AND earlier_chunk.seq = c.seq`;
  return `(d.repeated = 0 OR NOT EXISTS (SELECT 1 FROM knowledge_documents earlier ${tests === undefined ? '' : chunk}
    WHERE earlier.store = d.store AND earlier.content = d.content AND earlier.id < d.id
    AND earlier.completed_at IS NOT NULL AND earlier.removed_at IS NULL ${tests === undefined ? '' : `AND ${tests}`}))`;
}
