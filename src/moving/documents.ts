import { createHash } from 'node:crypto';
import type { KnowledgeStore, Lease, ReadChunks, StoredDocument, VectorStore } from '../core/knowledge/store.ts';

export interface DocumentsDigest {
  documents: number;
  chunks: number;
  /** Whatever their order: the sum of the digests of all documents, in 16 hexadecimal digits. */
  checksum: string;
}

const DOCUMENTS = 100;
const CHUNKS = 200;
const LEASE_MS = 600_000;
const AS_IT_IS = {
  stripHtml: false,
  removeUrls: false,
  normalizeWhitespace: false,
  dropEmptyValues: false,
  dedupeUnits: false,
};
const NO_LIMITS = { perTenant: Number.MAX_SAFE_INTEGER, total: Number.MAX_SAFE_INTEGER };

/** Puts all documents of the tenant into `to`, by its own ingestion. Those that it has already stay. */
export async function copyDocuments(
  from: KnowledgeStore,
  to: KnowledgeStore,
  tenantId: string,
  onChunks: (chunks: number) => void = () => undefined,
): Promise<void> {
  for (const store of await from.listStores(tenantId)) {
    await endInterrupted(to, tenantId, store.name);
    for await (const document of documentsOf(from, tenantId, store.name)) {
      if (!(await to.findDocument(document.documentId)))
        await copyDocument({ from, to, tenantId, store }, document, onChunks);
    }
    await removeOthers(from, to, tenantId, store.name);
  }
}

/** Of everything that can be found: texts, places, metadata and vectors. */
export async function digestDocuments(store: KnowledgeStore, tenantId: string): Promise<DocumentsDigest> {
  const digest = { documents: 0, chunks: 0 };
  let sum = 0n;
  for (const { name, embedder } of await store.listStores(tenantId)) {
    for await (const document of documentsOf(store, tenantId, name)) {
      const { documentId, createdAt: _, ...facts } = document;
      const hash = createHash('sha256').update(JSON.stringify([name, embedder, documentId, facts]));
      for await (const { chunks, embedded } of chunksOf(store, tenantId, documentId)) {
        hash.update(JSON.stringify(chunks));
        if (embedded) hash.update(new Uint8Array(embedded.vectors.buffer));
        digest.chunks += chunks.length;
      }
      digest.documents += 1;
      sum += hash.digest().readBigUInt64BE();
    }
  }
  return { ...digest, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') };
}

interface Copying {
  from: KnowledgeStore;
  to: KnowledgeStore;
  tenantId: string;
  store: VectorStore;
}

/** As a job that reads the chunks instead of a file. */
async function copyDocument(
  { from, to, tenantId, store }: Copying,
  document: StoredDocument,
  onChunks: (chunks: number) => void,
): Promise<void> {
  const { documentId, name, format, size, metadata, sourceId, createdAt } = document;
  const jobId = crypto.randomUUID();
  await to.createJob(
    tenantId,
    {
      ...{ jobId, documentId, vectorStore: store.name, embedder: store.embedder, fingerprint: jobId, uploadId: jobId },
      ...{ originalName: name, size, metadata, sourceId, agentId: '', now: createdAt },
      options: { format, hygiene: AS_IT_IS },
    },
    NO_LIMITS,
  );
  const lease = await claim(to, jobId, createdAt);
  for await (const { chunks, embedded } of chunksOf(from, tenantId, documentId)) {
    const batch = { chunks, embedded, units: null, checkpoint: {}, progress: 0.5, leaseMs: LEASE_MS };
    await to.commit(lease, batch);
    onChunks(chunks.length);
  }
  await to.complete(lease, createdAt);
  // It is no new document: nothing is to be reported, and there is no file.
  await to.markReported([jobId]);
}

async function claim(to: KnowledgeStore, jobId: string, now: number): Promise<Lease> {
  const claimed = await to.claim({ now, leaseMs: LEASE_MS });
  if (claimed?.job.jobId === jobId) return { jobId, fence: claimed.fence };
  throw new Error('Another process ingests into these stores: stop every server that uses them, and import again.');
}

/** A copy that was interrupted left a job and part of a document. */
async function endInterrupted(to: KnowledgeStore, tenantId: string, vectorStore: string): Promise<void> {
  for (const status of ['queued', 'processing'] as const) {
    for (const { jobId, createdAt } of await to.listJobs(tenantId, { vectorStore, status, limit: 1_000, offset: 0 })) {
      await to.cancelJob(tenantId, jobId, 'The copy of this document was interrupted.', createdAt);
      await to.markReported([jobId]);
    }
  }
  await to.settle();
}

/** Documents that `from` no longer has. */
async function removeOthers(from: KnowledgeStore, to: KnowledgeStore, tenantId: string, store: string): Promise<void> {
  for await (const { documentId, createdAt } of documentsOf(to, tenantId, store)) {
    if (!(await from.findDocument(documentId))) await to.deleteDocument(tenantId, store, documentId, createdAt);
  }
}

/** Listed first: some may be removed meanwhile. */
async function* documentsOf(store: KnowledgeStore, tenantId: string, name: string): AsyncGenerator<StoredDocument> {
  const documents: StoredDocument[] = [];
  for (let offset = 0; ; offset += DOCUMENTS) {
    const { items } = await store.listDocuments(tenantId, { vectorStore: name, limit: DOCUMENTS, offset });
    documents.push(...items);
    if (items.length < DOCUMENTS) break;
  }
  // The oldest first, as they came.
  yield* documents.toReversed();
}

async function* chunksOf(store: KnowledgeStore, tenantId: string, documentId: string): AsyncGenerator<ReadChunks> {
  for (let from = 0; ; from += CHUNKS) {
    const read = await store.readChunks(tenantId, documentId, from, CHUNKS);
    if (read.chunks.length > 0) yield read;
    if (read.chunks.length < CHUNKS) return;
  }
}
