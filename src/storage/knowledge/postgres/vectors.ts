import { RuntimeError, unprocessable } from '../../../core/base/shared/errors.ts';
import type { Embedded } from '../../../core/knowledge/embedder.ts';
import type { Ranked } from '../../../core/knowledge/selection.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import type { MeasuredRecall } from '../rows/recall.ts';
import type { Values } from './values.ts';

/** Half precision: all that pgvector indexes. Stores with longer vectors are searched exactly. */
const MAX_INDEXED_DIMENSIONS = 4_000;
/** Chunks that the index visits at most before a filtered search gives up: then it is exact. */
const MAX_SCANNED = 200_000;
/** The most that pgvector allows. */
const MAX_CANDIDATES = 1_000;
const MISSING =
  'The database has no extension pgvector, so it stores no vectors. Install pgvector on the server of PostgreSQL, run `CREATE EXTENSION vector` in the database of AGENT_RUNTIME_DATABASE_URL as its owner or a superuser, and upload again; or set AGENT_RUNTIME_EMBEDDER to none, to search by words.';

const INDEX_PREFIX = 'knowledge_vectors_near_';

/** Vectors of one store have one embedder and one length. */
const TABLE = `CREATE TABLE IF NOT EXISTS knowledge_vectors (
  chunk bigint PRIMARY KEY,
  store integer NOT NULL,
  embedding vector NOT NULL
)`;
const BY_STORE = 'CREATE INDEX IF NOT EXISTS knowledge_vectors_of_store ON knowledge_vectors (store)';

/** The extension and the table. */
export class Vectors {
  private readonly pool: PostgresPool;
  private prepared = false;

  constructor(pool: PostgresPool) {
    this.pool = pool;
  }

  /**
   * Makes the table with the first job that needs it. Throws `unprocessable` without pgvector, with
   * the remedy.
   */
  async prepare(): Promise<void> {
    if (this.prepared) return;
    if (!(await hasVectorTable(this.pool))) {
      await this.createExtension();
      await this.pool.transaction(async (client) => {
        // Two nodes at once: IF NOT EXISTS alone may fail.
        await client.query('LOCK TABLE knowledge_stores IN SHARE ROW EXCLUSIVE MODE');
        await client.query(TABLE);
        await client.query(BY_STORE);
      });
    }
    this.prepared = true;
  }

  private async createExtension(): Promise<void> {
    try {
      if ((await extensionVersion(this.pool)) === null) await this.pool.query('CREATE EXTENSION IF NOT EXISTS vector');
    } catch (error) {
      if (error instanceof RuntimeError) throw error;
      // Another node may have been first.
      if ((await extensionVersion(this.pool)) === null)
        throw new RuntimeError('unprocessable', MISSING, { cause: error });
    }
    const version = await extensionVersion(this.pool);
    if (version !== null && isOld(version)) throw unprocessable(tooOld(version));
  }
}

export async function insertVectors(
  client: PostgresClient,
  store: number,
  vectors: readonly { chunk: number; vector: Float32Array }[],
): Promise<void> {
  await client.query(
    `INSERT INTO knowledge_vectors (store, chunk, embedding)
      SELECT $1, chunk, embedding::vector FROM unnest($2::bigint[], $3::text[]) AS u (chunk, embedding)`,
    [store, vectors.map(({ chunk }) => chunk), vectors.map(({ vector }) => textOf(vector))],
  );
}

/** A vector that was removed during the search is all zeros. */
export async function readVectors(
  client: PostgresClient,
  chunks: readonly { id: number }[],
  dimensions: number,
): Promise<Embedded> {
  const { rows } = await client.query<{ chunk: number; embedding: string }>(
    'SELECT chunk, embedding::text AS embedding FROM knowledge_vectors WHERE chunk = ANY ($1::bigint[])',
    [chunks.map(({ id }) => id)],
  );
  const found = new Map(rows.map(({ chunk, embedding }) => [chunk, JSON.parse(embedding) as number[]]));
  const vectors = new Float32Array(chunks.length * dimensions);
  for (const [index, { id }] of chunks.entries()) vectors.set(found.get(id) ?? [], index * dimensions);
  return { vectors, dimensions };
}

const BY_SIMILARITY = 'ORDER BY score DESC, id';

/** Cosine similarity. A vector of zeros has none. */
function similarity(vector: string, query: string): string {
  return `coalesce(nullif(1 - (${vector} <=> ${query}::vector), 'NaN'), 0) AS score`;
}

interface Nearest {
  store: number;
  vector: Float32Array;
  limit: number;
  /** Chunks c and documents d that are found; null: all are. */
  condition: string | null;
  values: Values;
}

/** Looks at every vector that is found. */
export async function nearestExact(client: PostgresClient, asked: Nearest): Promise<Ranked[]> {
  const { vector, limit, values } = asked;
  const query = values.text(textOf(vector));
  const { rows } = await client.query<Ranked>(
    `SELECT v.chunk AS id, ${similarity('v.embedding', query)} ${from(asked)} ${BY_SIMILARITY}
      LIMIT ${values.integer(limit)}`,
    values.bound,
  );
  return rows;
}

/**
 * Walks the index with a list of so many candidates, until enough are found. In a transaction,
 * whose settings pgbouncer keeps together.
 */
export async function nearestIndexed(client: PostgresClient, asked: Nearest, candidates: number): Promise<Ranked[]> {
  const { vector, limit, values } = asked;
  await client.query(
    `SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.max_scan_tuples', $1, true),
      set_config('hnsw.ef_search', $2, true), set_config('enable_sort', 'off', true)`,
    [String(MAX_SCANNED), String(Math.min(Math.max(limit, candidates), MAX_CANDIDATES))],
  );
  const query = values.text(textOf(vector));
  const half = `halfvec(${vector.length})`;
  const { rows } = await client.query<Ranked>(
    `SELECT id, ${similarity('embedding', query)} FROM (
        SELECT v.chunk AS id, v.embedding ${from(asked)}
        ORDER BY v.embedding::${half} <=> ${query}::${half} LIMIT ${values.integer(limit)}) near
      ${BY_SIMILARITY}`,
    values.bound,
  );
  return rows;
}

function from({ store, condition }: Nearest): string {
  // The number is inlined, so that a partial index is seen to apply.
  if (condition === null) return `FROM knowledge_vectors v WHERE v.store = ${store}`;
  return `FROM knowledge_vectors v JOIN knowledge_chunks c ON c.id = v.chunk JOIN knowledge_documents d ON d.id = c.document
    WHERE v.store = ${store} AND ${condition}`;
}

export function canBeIndexed(dimensions: number): boolean {
  return dimensions <= MAX_INDEXED_DIMENSIONS;
}

/**
 * The recall of an index is its comment, so that it goes with the index. An SQL expression for the
 * index of the store with an id; null: it is not made or not measured.
 */
export const MEASURED = `(SELECT obj_description(indexrelid, 'pg_class') FROM pg_index
  WHERE indexrelid = to_regclass('${INDEX_PREFIX}' || stores.id) AND indisvalid)`;

export function noteMeasured(store: number, measured: MeasuredRecall): string {
  return `COMMENT ON INDEX ${indexName(store)} IS '${JSON.stringify(measured)}'`;
}

export function indexName(store: number | ''): string {
  return `${INDEX_PREFIX}${store}`;
}

/**
 * An index of one store: other stores' vectors neither slow its searches down nor take places in
 * its answers.
 */
export function createIndex(store: number, dimensions: number): string {
  return `CREATE INDEX CONCURRENTLY ${indexName(store)} ON knowledge_vectors
    USING hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops) WHERE store = ${store}`;
}

export async function hasVectorTable(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query<{ name: string | null }>(`SELECT to_regclass('knowledge_vectors')::text AS name`);
  return rows[0]!.name !== null;
}

async function extensionVersion(client: PostgresClient): Promise<string | null> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`,
  );
  return rows[0]?.version ?? null;
}

/** Before 0.8 a filtered search finds a part of what there is. */
function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < 8;
}

function tooOld(version: string): string {
  return `The database has pgvector ${version}, and vectors need 0.8 or newer. Install it on the server of PostgreSQL and run \`ALTER EXTENSION vector UPDATE\`; or set AGENT_RUNTIME_EMBEDDER to none, to search by words.`;
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
