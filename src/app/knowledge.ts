import type { Config } from '../config.ts';
import type { Vendor } from '../core/agents/chat/capabilities.ts';
import type { Connection } from '../core/agents/chat/provider.ts';
import type { ProviderService } from '../core/agents/providers/service.ts';
import { DocumentService } from '../core/knowledge/documents.ts';
import type { Embedder, Embedders } from '../core/knowledge/embedder.ts';
import { HASH_DIMENSIONS } from '../core/knowledge/hash-embedding.ts';
import { Ingestion } from '../core/knowledge/ingestion.ts';
import { KnowledgeSearch } from '../core/knowledge/search.ts';
import { KnowledgeService } from '../core/knowledge/service.ts';
import { NO_EMBEDDER, type QueueStats } from '../core/knowledge/store.ts';
import { VectorStoreService } from '../core/knowledge/vector-stores.ts';
import type { DocumentQuota } from '../core/limits/quotas/document-quota.ts';
import { embedderOf } from '../providers/embeddings/index.ts';
import { WorkerPool } from '../workers/pool.ts';
import { openKnowledgeOf } from './knowledge-store.ts';
import type { OpenStores } from './open-stores.ts';
import { openUploads } from './uploads.ts';

interface KnowledgeParts extends OpenStores {
  quota: DocumentQuota;
}

/** The limit of all tenants together, in full queues of one tenant. */
const TENANTS_AT_ONCE = 5;
const MEGABYTE = 1024 * 1024;

/** Jobs that a crash interrupted continue immediately. */
export async function openKnowledgeService(parts: KnowledgeParts) {
  const { config, providers, outbox, agents, audit, metrics, log, effects, quota } = parts;
  const { store, exists, ...opened } = await openKnowledgeOf(parts);
  const { store: uploads, ...place } = await openUploads(parts);
  // Each thread takes some 60 MB.
  const threads = Math.max(1, Math.round(config.ingestThreads * config.memory.share));
  const pool = new WorkerPool({ threads, memoryShare: config.memory.share });
  const embedders = openEmbedders(config, providers, pool);
  const ingestion = new Ingestion({
    store,
    uploads,
    embedders,
    effects,
    outbox,
    reader: pool,
    jobsPerTenant: threads,
    ...(opened.pollMs !== undefined && { pollMs: opened.pollMs }),
    onChunks: (count) => metrics.storedChunks.add(count),
    onEnd: (job) => {
      metrics.recordIngestion(job);
      const { jobId, tenantId, status, processedChunks: chunks, error } = job;
      log.info({ jobId, tenantId, status, chunks, ...(error !== null && { error }) }, 'ingestion ended');
    },
    onError: (error, jobId) => log.error({ err: error, ...(jobId && { jobId }) }, 'ingestion'),
  });
  const stores = new VectorStoreService({ store, embedders, ingestion, audit, effects });
  const documents = new DocumentService({ store, stores, audit, effects });
  const service = new KnowledgeService({
    store,
    stores,
    documents,
    uploads,
    embedders,
    ingestion,
    agents,
    audit,
    effects,
    quota,
    reader: pool,
    limits: {
      perTenant: config.ingestQueue,
      total: config.ingestQueue * TENANTS_AT_ONCE,
      // The multipart parser silently truncates a file at a fraction of a byte.
      uploadBytes: Math.floor(config.uploadLimit * MEGABYTE),
    },
  });
  try {
    await place.begin(opened.neededUploads, async () => (exists() ? store.neededUploads() : []));
  } catch (error) {
    await place.close();
    await store.close();
    throw error;
  }
  if (opened.hasWork) ingestion.wake();
  const search = new KnowledgeSearch({
    store,
    embedders,
    findStore: (caller, name) => stores.own(caller, name),
    storeNames: async (caller) => (await stores.of(caller)).map(({ name }) => name),
  });
  return {
    service,
    stores,
    documents,
    search,
    queue: async (): Promise<QueueStats> => (exists() ? store.stats() : { queued: 0, processing: 0 }),
    storedBytes: async (tenantId: string) => (exists() ? store.storedBytes(tenantId) : 0),
    vectorStores: async (tenantId: string) => (exists() ? store.listStores(tenantId) : []),
    copyTo: opened.copyTo,
    close: async () => {
      await ingestion.stop();
      await pool.close();
      await store.close();
      await place.close();
    },
  };
}

const HASH = 'hash';

/** One instance per embedder: all stores share its query cache. */
function openEmbedders(config: Config, providers: ProviderService, pool: WorkerPool): Embedders {
  const made = new Map<string, Embedder>();
  const make = (name: string, dimensions: number | null): Embedder => {
    if (name === HASH) return pool.hashEmbedder(name, dimensions ?? HASH_DIMENSIONS);
    return embedderOf({ name, dimensions }, (provider) => connectionFor(provider, config, providers));
  };
  return {
    configured: config.embedder,
    of: (name, dimensions) => {
      if (name === NO_EMBEDDER) return null;
      const key = `${name} ${dimensions}`;
      const embedder = made.get(key) ?? make(name, dimensions);
      made.set(key, embedder);
      return embedder;
    },
  };
}

function connectionFor(provider: Vendor, config: Config, providers: ProviderService): Connection {
  if (provider !== 'custom') return providers.ofEnvironment(provider).connection;
  return {
    provider,
    baseUrl: config.embeddingUrl ?? null,
    apiKey: config.embeddingApiKey ?? null,
    headers: {},
    region: null,
    // Only the operator sets the address.
    allowPrivateNetwork: true,
    allowPrivateImages: false,
  };
}
