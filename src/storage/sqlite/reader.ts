import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Piscina } from 'piscina';
import type { ReadRequest } from './reader-entry.ts';
import type { StateTables } from './schema.ts';

/** The state database, to be read alone. */
export type StateReader = Kysely<StateTables>;

/**
 * Opens the state database for reading in threads of its own, so that what takes long (a search, counting many, an
 * export) never holds up the event loop. It sees whatever was committed before it was asked.
 */
export function openStateReader(path: string): StateReader {
  return new Kysely<StateTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createDriver: () => new ThreadDriver(path),
    },
  });
}

type Pool = Piscina<ReadRequest, unknown[]>;

/** Threads come with the first question and go when nobody asks: most installations read little that takes long. */
const IDLE_MS = 60_000;
const MAX_THREADS = 2;

class ThreadDriver implements Driver {
  private readonly path: string;
  private pool: Promise<Pool> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.pool ??= this.open();
    const pool = await this.pool;
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
        rows: (await pool.run({ sql, parameters })) as Row[],
      }),
      streamQuery: readsOnly,
    };
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction = readsOnly;
  commitTransaction = readsOnly;
  rollbackTransaction = readsOnly;

  async destroy(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  /** Where a thread cannot even begin, questions would wait for it for ever: they fail, and the next one has new threads. */
  private async open(): Promise<Pool> {
    const pool = await openPool(this.path);
    pool.on('error', () => {
      this.pool = null;
      pool.destroy().catch(() => undefined);
    });
    return pool;
  }
}

async function openPool(path: string): Promise<Pool> {
  const { Piscina } = await import('piscina');
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return new Piscina<ReadRequest, unknown[]>({
    filename: new URL(`./reader-entry${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    workerData: { path },
  });
}

function readsOnly(): never {
  throw new Error('The reader answers single questions; it has no transactions and no streams.');
}
