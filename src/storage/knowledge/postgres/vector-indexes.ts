import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import { endLease, takeLease } from '../../state/postgres/leases.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import { measureRecall } from './recall.ts';
import { canBeIndexed, createIndex, hasVectorTable, indexName, MEASURED, noteMeasured } from './vectors.ts';

const LEASE = 'knowledge-vector-index';
const LEASE_MS = 120_000;
/** Millions of vectors take hours. */
const BUILD_MS = 86_400_000;

interface LargeStore {
  id: number;
  dimensions: number;
  vectors: number;
}

interface Work {
  index: string;
  /** Null for the index of a store that is gone. */
  store: LargeStore | null;
  /** Whether it is made, and only to be measured. */
  isMade: boolean;
}

/**
 * Makes and measures the HNSW index of a store that has grown large, beside searches and uploads,
 * and drops those of stores that are gone. One at a time of all nodes: dropping one waits for
 * another that is being made.
 */
export class VectorIndexes {
  private readonly pool: PostgresPool;
  private readonly holder: string;
  private readonly fromVectors: number;
  private readonly closing = new AbortController();

  constructor(pool: PostgresPool, holder: string, fromVectors: number) {
    this.pool = pool;
    this.holder = holder;
    this.fromVectors = fromVectors;
  }

  /** False if there is nothing to do, or another node does it. */
  async step(): Promise<boolean> {
    if (!(await hasVectorTable(this.pool))) return false;
    const work = (await this.leftBehind()) ?? (await this.missing());
    if (!work) return false;
    const lease = { holder: this.holder, ms: LEASE_MS };
    if (!(await takeLease(this.pool, LEASE, lease))) return false;
    const renewing = new PeriodicTask({ everyMs: LEASE_MS / 4, run: () => takeLease(this.pool, LEASE, lease) });
    try {
      if (!work.isMade) {
        // A process that ended may have left an unfinished index.
        await this.pool.query(`DROP INDEX CONCURRENTLY IF EXISTS ${work.index}`);
        if (work.store) await this.build(work.store);
      }
      if (work.store) await this.measure(work.store);
      return true;
    } finally {
      await renewing.close();
      await endLease(this.pool, LEASE, this.holder);
    }
  }

  /** Abandons an index that is being made. */
  close(): void {
    this.closing.abort();
  }

  private async build({ id, dimensions }: LargeStore): Promise<void> {
    const connection = await this.pool.connect();
    const abandon = () => connection.discard();
    this.closing.signal.addEventListener('abort', abandon);
    try {
      await connection.query(createIndex(id, dimensions), [], BUILD_MS);
    } finally {
      this.closing.signal.removeEventListener('abort', abandon);
      connection.release();
    }
  }

  private async measure(store: LargeStore): Promise<void> {
    const measured = await measureRecall(this.pool, store, this.closing.signal);
    await this.pool.query(noteMeasured(store.id, measured));
  }

  private async leftBehind(): Promise<Work | null> {
    const { rows } = await this.pool.query<{ index: string }>(
      `SELECT relname AS index FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = 'knowledge_vectors'::regclass AND starts_with(relname, $1)
        AND NOT EXISTS (SELECT 1 FROM knowledge_stores WHERE relname = $1 || id) LIMIT 1`,
      [indexName('')],
    );
    return rows[0] ? { index: rows[0].index, store: null, isMade: false } : null;
  }

  /** A large store that has no index, none that is measured, or has doubled since. */
  private async missing(): Promise<Work | null> {
    const { rows } = await this.pool.query<LargeStore & { isMade: number }>(
      `SELECT id, dimensions, vectors, EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($2 || id) AND indisvalid) AS "isMade"
        FROM knowledge_stores stores CROSS JOIN LATERAL
          (SELECT sum(chunks) AS vectors FROM knowledge_documents WHERE store = stores.id) counts
        WHERE dropped_at IS NULL AND dimensions IS NOT NULL AND vectors > $1
        AND vectors >= 2 * coalesce((${MEASURED}::json ->> 'vectors')::bigint, 0)
        AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($2 || id))`,
      [this.fromVectors, indexName('')],
    );
    const store = rows.find(({ dimensions }) => canBeIndexed(dimensions));
    return store ? { index: indexName(store.id), store, isMade: store.isMade === 1 } : null;
  }
}
