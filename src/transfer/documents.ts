import { createHash } from 'node:crypto';
import { conflict } from '../core/base/shared/errors.ts';
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
const STOP_SERVERS = 'Stop every server that uses the target, and run this again.';
const NO_LIMITS = { perTenant: Number.MAX_SAFE_INTEGER, total: Number.MAX_SAFE_INTEGER };

/**
 * Makes the stores of the tenant in `to` equal, documents by its own ingestion. Those that it has
 * already stay.
 */
export async function copyDocuments(
  from: KnowledgeStore,
  to: KnowledgeStore,
  tenantId: string,
  onChunks: (chunks: number) => void = () => undefined,
): Promise<void> {
  const stores = await from.listStores(tenantId);
  await dropOthers(to, tenantId, stores);
  for (const store of stores) {
    const copying = { from, to, tenantId, store };
    if (!(await to.findStore(tenantId, store.name))) await makeStore(copying);
    for await (const document of documentsOf(from, tenantId, store.name)) {
      if (await to.findDocument(document.documentId)) onChunks(document.chunks);
      else await copyDocument(copying, document, onChunks);
    }
    await removeOthers(from, to, tenantId, store.name);
  }
}

/**
 * A copy that was interrupted left a job and part of a document, which every claim would get before
 * others.
 */
export async function endInterrupted(to: KnowledgeStore, tenantId: string): Promise<void> {
  for (const { name: vectorStore } of await to.listStores(tenantId)) {
    for (const status of ['queued', 'processing'] as const) {
      const jobs = await to.listJobs(tenantId, { vectorStore, status, limit: 1_000, offset: 0 });
      for (const { jobId, createdAt } of jobs) {
        await to.cancelJob(tenantId, jobId, 'The copy of this document was interrupted.', createdAt);
        await to.markReported([jobId]);
      }
    }
  }
  await to.settle();
}

/** The digest of everything that can be found: texts, places, metadata and vectors. */
export async function digestDocuments(
  store: KnowledgeStore,
  tenantId: string,
  onChunks: (chunks: number) => void = () => undefined,
): Promise<DocumentsDigest> {
  const digest = { documents: 0, chunks: 0 };
  let sum = 0n;
  for (const { name, embedder, createdAt } of await store.listStores(tenantId)) {
    sum += hashOf([name, embedder, createdAt]).digest().readBigUInt64BE();
    for await (const document of documentsOf(store, tenantId, name)) {
      const { documentId } = document;
      const hash = hashOf([name, document]);
      for await (const { chunks, embedded } of chunksOf(store, tenantId, documentId)) {
        hash.update(JSON.stringify(chunks));
        if (embedded) hash.update(new Uint8Array(embedded.vectors.buffer));
        digest.chunks += chunks.length;
        onChunks(chunks.length);
      }
      digest.documents += 1;
      sum += hash.digest().readBigUInt64BE();
    }
  }
  return { ...digest, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') };
}

function hashOf(facts: unknown[]) {
  return createHash('sha256').update(JSON.stringify(facts));
}

interface Copying {
  from: KnowledgeStore;
  to: KnowledgeStore;
  tenantId: string;
  store: VectorStore;
}

/** Drops stores that `from` no longer has, or has made again. */
async function dropOthers(to: KnowledgeStore, tenantId: string, stores: VectorStore[]): Promise<void> {
  for (const { name, embedder, createdAt } of await to.listStores(tenantId)) {
    const isKept = stores.some(
      (store) => store.name === name && store.embedder === embedder && store.createdAt === createdAt,
    );
    if (!isKept) await to.dropStore(tenantId, name, createdAt);
  }
  await to.settle();
}

/** The first document makes a store, at its own time; this one is removed. */
async function makeStore(copying: Copying): Promise<void> {
  const { to, tenantId, store } = copying;
  const documentId = crypto.randomUUID();
  const { createdAt } = store;
  const empty = { format: 'txt', size: 0, chunks: 0, sourceId: null, metadata: {}, content: null } as const;
  await copyDocument(copying, { documentId, name: store.name, ...empty, createdAt }, () => undefined);
  await to.deleteDocument(tenantId, store.name, documentId, createdAt);
}

/** Copies like a job that reads the chunks instead of a file. */
async function copyDocument(
  copying: Copying,
  document: StoredDocument,
  onChunks: (chunks: number) => void,
): Promise<void> {
  const { from, to, tenantId } = copying;
  const { documentId, createdAt } = document;
  const jobId = await createJob(copying, document);
  const lease = await claim(to, jobId, createdAt);
  for await (const { chunks, embedded } of chunksOf(from, tenantId, documentId)) {
    const batch = { chunks, embedded, units: null, checkpoint: {}, progress: 0.5, notes: [], leaseMs: LEASE_MS };
    await to.commit(lease, batch);
    onChunks(chunks.length);
  }
  await to.complete(lease, createdAt);
  // It is no new document: nothing is to be reported, and there is no file.
  await to.markReported([jobId]);
}

async function createJob({ to, tenantId, store }: Copying, document: StoredDocument): Promise<string> {
  const jobId = crypto.randomUUID();
  const { documentId, name, format, size, metadata, sourceId, content, createdAt } = document;
  const { outcome } = await to.createJob(
    tenantId,
    {
      ...{ jobId, documentId, vectorStore: store.name, embedder: store.embedder, fingerprint: jobId, uploadId: jobId },
      ...{ originalName: name, size, metadata, sourceId, content, agentId: '', now: createdAt },
      options: { format, hygiene: AS_IT_IS },
    },
    NO_LIMITS,
  );
  if (outcome === 'created') return jobId;
  throw conflict(`The vector store ${store.name} changed while it was copied (${outcome}). ${STOP_SERVERS}`);
}

async function claim(to: KnowledgeStore, jobId: string, now: number): Promise<Lease> {
  const claimed = await to.claim({ now, leaseMs: LEASE_MS });
  if (claimed?.job.jobId === jobId) return { jobId, fence: claimed.fence };
  throw conflict(`Another process ingests into the target. ${STOP_SERVERS}`);
}

/** Documents that `from` no longer has. */
async function removeOthers(from: KnowledgeStore, to: KnowledgeStore, tenantId: string, store: string): Promise<void> {
  for await (const { documentId, createdAt } of documentsOf(to, tenantId, store)) {
    if (!(await from.findDocument(documentId))) await to.deleteDocument(tenantId, store, documentId, createdAt);
  }
}

/** Listed first: some may be removed while others are copied. */
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
