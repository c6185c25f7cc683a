import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { AuditLog } from '../core/audit/log.ts';
import type { AuthService } from '../core/auth/service.ts';
import type { Connection } from '../core/chat/provider.ts';
import type { ProviderName } from '../core/chat/vendors.ts';
import type { EventStore } from '../core/events/store.ts';
import type { Embedder, Embedders } from '../core/knowledge/embedder.ts';
import { HASH_DIMENSIONS } from '../core/knowledge/hash-embedding.ts';
import { Ingestion } from '../core/knowledge/ingestion.ts';
import { KnowledgeSearch } from '../core/knowledge/search.ts';
import { KnowledgeService } from '../core/knowledge/service.ts';
import { NO_EMBEDDER, type QueueStats } from '../core/knowledge/store.ts';
import type { ProviderService } from '../core/providers/service.ts';
import type { DocumentQuota } from '../core/quotas/document-quota.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { embedderOf } from '../providers/embeddings/index.ts';
import type { Installation } from '../storage/files/installation.ts';
import { KNOWLEDGE_FILE, UPLOADS_DIRECTORY } from '../storage/files/names.ts';
import { FileUploadStore } from '../storage/files/uploads.ts';
import { examineKnowledge } from '../storage/sqlite-knowledge/examine.ts';
import { openKnowledgeStore } from '../storage/sqlite-knowledge/thread.ts';
import { WorkerPool } from '../workers/pool.ts';

export interface KnowledgeParts {
  config: Config;
  installation: Installation;
  providers: ProviderService;
  eventStore: EventStore;
  auth: AuthService;
  audit: AuditLog;
  metrics: Metrics;
  log: Log;
  effects: Effects;
  quota: DocumentQuota;
}

/** Tenants beyond so many that fill their queues wait for each other. */
const TENANTS_AT_ONCE = 5;
const MEGABYTE = 1024 * 1024;

/** Puts the ingestion and its search together. What crashes have left of jobs goes on at once. */
export async function openKnowledge(parts: KnowledgeParts) {
  const { config, installation, providers, eventStore, auth, audit, metrics, log, effects, quota } = parts;
  const identity = installation.identityOf(KNOWLEDGE_FILE);
  const found = await examineKnowledge(config.dataDir, { thorough: false, identity });
  const store = openKnowledgeStore(config.dataDir, {
    onFault: (error) => log.error({ err: error }, 'knowledge store'),
    installationId: installation.id,
    onMade: () => installation.made(KNOWLEDGE_FILE),
  });
  const uploads = new FileUploadStore({ directory: join(config.dataDir, UPLOADS_DIRECTORY), newId: effects.newId });
  const pool = new WorkerPool({ threads: config.ingestThreads });
  const embedders = openEmbedders(config, providers, pool);
  const ingestion = new Ingestion({
    ...{ store, uploads, embedders, effects, auth },
    reader: pool,
    events: eventStore,
    width: config.ingestThreads,
    onChunks: (count) => metrics.storedChunks.add(count),
    onEnd: (job) => {
      metrics.ingestedFile(job);
      const { jobId, tenantId, status, processedChunks: chunks, error } = job;
      log.info({ jobId, tenantId, status, chunks, ...(error !== null && { error }) }, 'ingestion ended');
    },
    onError: (error, jobId) => log.error({ err: error, ...(jobId && { jobId }) }, 'ingestion'),
  });
  const service = new KnowledgeService({
    ...{ store, uploads, embedders, ingestion, auth, audit, effects, quota },
    reader: pool,
    limits: {
      perTenant: config.ingestQueue,
      total: config.ingestQueue * TENANTS_AT_ONCE,
      // Whole ones: what parses uploads would cut a file off at a fraction, and not say so.
      uploadBytes: Math.floor(config.uploadLimit * MEGABYTE),
    },
  });
  try {
    await uploads.removeUnneeded(new Set(found ? await store.neededUploads() : []));
  } catch (error) {
    await store.close();
    throw error;
  }
  if (found) ingestion.wake();
  const search = new KnowledgeSearch({
    ...{ store, embedders },
    findStore: (caller, name) => service.ownStore(caller, name),
    storeNames: async ({ tenantId }) => (await store.listStores(tenantId)).map(({ name }) => name),
  });
  // Who only watches must not make a database where nothing was ever ingested.
  const isThere = () => existsSync(join(config.dataDir, KNOWLEDGE_FILE));
  return {
    service,
    search,
    queue: async (): Promise<QueueStats> => (isThere() ? store.stats() : { queued: 0, processing: 0 }),
    storedBytes: async (tenantId: string) => (isThere() ? store.storedBytes(tenantId) : 0),
    copyTo: (directory: string) => store.copyTo(directory),
    close: async () => {
      await ingestion.stop();
      await pool.close();
      await store.close();
    },
  };
}

const HASH = 'hash';

/** Each made once, so that what it remembers of queries serves all. */
function openEmbedders(config: Config, providers: ProviderService, pool: WorkerPool): Embedders {
  const made = new Map<string, Embedder>();
  const make = (name: string, dimensions: number | null): Embedder => {
    if (name === HASH) return pool.hashEmbedder(name, dimensions ?? HASH_DIMENSIONS);
    return embedderOf({ name, dimensions }, (provider) => connectionFor(provider, config, providers));
  };
  return {
    configured: config.embedder,
    of: (name, ofStore) => {
      if (name === NO_EMBEDDER) return null;
      const dimensions = ofStore ?? (name === config.embedder ? (config.embeddingDimensions ?? null) : null);
      const key = `${name} ${dimensions}`;
      const embedder = made.get(key) ?? make(name, dimensions);
      made.set(key, embedder);
      return embedder;
    },
  };
}

/** The vendor with the key of the environment; for any other server what the operator's settings say. */
function connectionFor(provider: ProviderName, config: Config, providers: ProviderService): Connection {
  if (provider !== 'custom') return providers.ofEnvironment(provider).connection;
  return {
    provider,
    baseUrl: config.embeddingUrl ?? null,
    apiKey: config.embeddingApiKey ?? null,
    headers: {},
    region: null,
    // The operator alone sets the address.
    allowPrivateNetwork: true,
    allowPrivateImages: false,
  };
}
