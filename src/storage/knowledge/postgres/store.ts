import { randomUUID } from 'node:crypto';
import { KeyedLimiter } from '../../../core/base/concurrency/limiter.ts';
import type { KnowledgeStore } from '../../../core/knowledge/store.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import { Backfill } from './backfill.ts';
import { Batches } from './batches.ts';
import { Claims } from './claims.ts';
import { Documents } from './documents.ts';
import { Jobs } from './jobs.ts';
import { Removal } from './removal.ts';
import { Search } from './search.ts';
import { Upkeep } from './upkeep.ts';
import { VectorIndexes } from './vector-indexes.ts';
import { Vectors } from './vectors.ts';

/** Vectors of a store that are compared one by one; a larger store has an index. */
const EXACT_CHUNKS = 50_000;
/** Of this node at once: each holds a connection. Tenants take turns. */
const SEARCHES = 4;
const MAX_WAITING_SEARCHES = 200;

export interface PostgresKnowledgeOptions {
  /** Of work behind the scenes. */
  onFault: (error: unknown) => void;
  exactChunks?: number;
  /** Of a later release, for tests. */
  indexVersion?: number;
}

export interface PostgresKnowledgeStore extends KnowledgeStore {
  /**
   * Removes, indexes anew and makes vector indexes, until nothing is left that this node may do.
   */
  upkeep(): Promise<void>;
}

/** On a migrated database. Any number of nodes may open it. The pool stays open. */
export function openPostgresKnowledge(pool: PostgresPool, options: PostgresKnowledgeOptions): PostgresKnowledgeStore {
  const { onFault, exactChunks = EXACT_CHUNKS, indexVersion } = options;
  const holder = randomUUID();
  const jobs = new Jobs(pool, new Vectors(pool));
  const claims = new Claims(pool);
  const documents = new Documents(pool);
  const batches = new Batches(pool);
  const search = new Search(pool, exactChunks);
  const backfill = new Backfill(pool, holder, indexVersion);
  const indexes = new VectorIndexes(pool, holder, exactChunks);
  const upkeep = new Upkeep({
    removal: new Removal(pool),
    others: [() => backfill.step(), () => indexes.step()],
    onFault,
  });
  const searches = new KeyedLimiter({
    ...{ concurrency: SEARCHES, maxQueue: MAX_WAITING_SEARCHES },
    rejection: 'Too many searches are waiting. Try again.',
  });
  const removing = async <Result>(result: Promise<Result>): Promise<Result> => {
    const done = await result;
    upkeep.removeSoon();
    return done;
  };
  return {
    createJob: (tenantId, job, limits) => jobs.create(tenantId, job, limits),
    openJobs: (tenantId) => jobs.countOpen(tenantId),
    storedBytes: (tenantId) => jobs.storedBytes(tenantId),
    findJob: (jobId) => jobs.find(jobId),
    listJobs: (tenantId, query) => jobs.list(tenantId, query),
    cancelJob: (tenantId, jobId, error, now) => removing(documents.cancel(tenantId, jobId, error, now)),
    listStores: (tenantId) => documents.listStores(tenantId),
    findStore: (tenantId, name) => documents.findStore(tenantId, name),
    dropStore: (tenantId, name, now) => removing(documents.dropStore(tenantId, name, now)),
    listDocuments: (tenantId, query) => documents.list(tenantId, query),
    findDocument: (documentId) => documents.find(documentId),
    deleteDocument: (tenantId, vectorStore, documentId, now) =>
      removing(documents.delete(tenantId, vectorStore, documentId, now)),
    search: (tenantId, plan) => searches.run(tenantId, () => search.search(tenantId, plan)),
    readChunks: (tenantId, documentId, from, limit) => documents.readChunks(tenantId, documentId, from, limit),
    erase: (tenantId, now) => removing(documents.erase(tenantId, now)),
    claim: (request) => claims.claim(request),
    hasOtherWaiting: (tenantId) => claims.hasOtherWaiting(tenantId),
    renew: (lease, leaseMs) => claims.renew(lease, leaseMs),
    release: (lease, hasFailed) => claims.release(lease, hasFailed),
    restart: (lease) => removing(documents.restart(lease)),
    knownUnits: (lease, units) => batches.knownUnits(lease, units),
    commit: (lease, batch) => batches.commit(lease, batch),
    complete: (lease, now) => removing(documents.complete(lease, now)),
    fail: (lease, error, now) => removing(documents.fail(lease, error, now)),
    neededUploads: () => jobs.neededUploads(),
    unreportedJobs: (limit) => jobs.unreportedJobs(limit),
    markReported: (jobIds) => jobs.markReported(jobIds),
    stats: () => jobs.stats(),
    settle: () => upkeep.settle(),
    upkeep: () => upkeep.run(),
    close: async () => {
      indexes.close();
      await upkeep.close();
    },
  };
}
