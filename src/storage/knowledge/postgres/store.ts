import { randomUUID } from 'node:crypto';
import { KeyedLimiter } from '../../../core/base/concurrency/limiter.ts';
import { type KnowledgeStore, NO_EMBEDDER } from '../../../core/knowledge/store.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import { EXACT_VECTORS } from '../rows/recall.ts';
import { openRows } from '../rows/store.ts';
import { postgresEngine } from './engine.ts';
import { PostgresSearch } from './search.ts';
import { VectorIndexes } from './vector-indexes.ts';
import { Vectors } from './vectors.ts';

/** Concurrent searches of this node: each holds a connection. Tenants take turns. */
const SEARCHES = 4;
const MAX_WAITING_SEARCHES = 200;

export interface PostgresKnowledgeOptions {
  /** Called with faults of work in the background. */
  onFault: (error: unknown) => void;
  /** Up to so many vectors are compared one by one; a larger store has an index. */
  exactVectors?: number;
}

export interface PostgresKnowledgeStore extends KnowledgeStore {
  /** Removes and makes vector indexes, until nothing is left that this node may do. */
  upkeep(): Promise<void>;
}

/** On a migrated database. Any number of nodes may open it. The pool stays open. */
export function openPostgresKnowledge(pool: PostgresPool, options: PostgresKnowledgeOptions): PostgresKnowledgeStore {
  const { onFault, exactVectors = EXACT_VECTORS } = options;
  const vectors = new Vectors(pool);
  const search = new PostgresSearch(pool, exactVectors);
  const indexes = new VectorIndexes(pool, randomUUID(), exactVectors);
  const { store, upkeep } = openRows(postgresEngine(pool), {
    onFault,
    others: [() => indexes.step()],
  });
  const searches = new KeyedLimiter({
    ...{ concurrency: SEARCHES, maxQueue: MAX_WAITING_SEARCHES },
    rejection: 'Too many searches are waiting. Try again.',
  });
  return {
    ...store,
    /* Throw `unprocessable` for vectors in a database without pgvector. */
    createJob: async (tenantId, job, limits) => {
      if (job.embedder !== NO_EMBEDDER) await vectors.prepare();
      return store.createJob(tenantId, job, limits);
    },
    createStore: async (tenantId, made) => {
      if (made.embedder !== NO_EMBEDDER) await vectors.prepare();
      return store.createStore(tenantId, made);
    },
    search: (tenantId, plan) => searches.run(tenantId, () => search.search(tenantId, plan)),
    upkeep: () => upkeep.run(),
    close: async () => {
      indexes.close();
      await store.close();
    },
  };
}
