import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { siblingModule } from '../../../threads/call-thread.ts';
import { ThreadPool } from '../../../threads/thread-pool.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateReader } from '../sql/database.ts';
import { SqliteStateAdapter } from './dialect.ts';
import type { ReadRequest } from './reader-entry.ts';

/** For slow queries, in a thread pool. A query sees everything committed before it. */
export function openStateReader(path: string, memoryShare = 1): StateReader {
  return new Kysely<StateTables>({
    dialect: {
      createAdapter: () => new SqliteStateAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createDriver: () => new ThreadDriver(path, Math.round(CACHE_KIB * memoryShare)),
    },
  });
}

/** Slow reads are rare, so idle threads end soon. */
const IDLE_MS = 60_000;
const MAX_THREADS = 2;
const CACHE_KIB = 16_384;

class ThreadDriver implements Driver {
  private readonly pool: ThreadPool<ReadRequest, unknown[]>;

  constructor(path: string, cacheKib: number) {
    this.pool = new ThreadPool({
      entry: siblingModule(import.meta.url, 'reader-entry'),
      maxThreads: MAX_THREADS,
      idleMs: IDLE_MS,
      workerData: { path, cacheKib },
    });
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
        rows: (await this.pool.run({ sql, parameters })) as Row[],
      }),
      streamQuery: readsOnly,
    };
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction = readsOnly;
  commitTransaction = readsOnly;
  rollbackTransaction = readsOnly;

  destroy(): Promise<void> {
    return this.pool.close();
  }
}

function readsOnly(): never {
  throw new Error('The reader answers single questions; it has no transactions and no streams.');
}
