import { endLease, holdsLease, takeLease } from '../../state/postgres/leases.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import { testedMetadata } from './metadata.ts';
import { INDEX_VERSION, insertPostings } from './postings.ts';

const LEASE = 'knowledge-backfill';
const LEASE_MS = 60_000;
const CHUNKS_PER_STEP = 200;

interface OldChunk {
  id: number;
  headings: string | null;
  metadata: string | null;
  text: string;
  words: number;
}

/**
 * Indexes anew what a former release has indexed, in portions: a search sees each chunk as it was
 * or as it will be. A release that is older than the index leaves it as it is.
 */
export class Backfill {
  private readonly pool: PostgresPool;
  private readonly holder: string;
  private readonly version: number;

  constructor(pool: PostgresPool, holder: string, version = INDEX_VERSION) {
    this.pool = pool;
    this.holder = holder;
    this.version = version;
  }

  /** False: nothing is left, or another node is at it. */
  async step(): Promise<boolean> {
    if ((await this.nextDocument()) === null) return false;
    const lease = await takeLease(this.pool, LEASE, { holder: this.holder, ms: LEASE_MS });
    if (!lease) return false;
    const document = await this.nextDocument();
    if (document !== null) return this.pool.transaction((client) => this.indexAnew(client, document, lease.fence));
    await endLease(this.pool, LEASE, this.holder);
    return false;
  }

  private async nextDocument(): Promise<number | null> {
    const { rows } = await this.pool.query<{ document: number }>(
      'SELECT document FROM knowledge_chunks WHERE index_version < $1 ORDER BY index_version LIMIT 1',
      [this.version],
    );
    return rows[0]?.document ?? null;
  }

  private async indexAnew(client: PostgresClient, document: number, fence: number): Promise<boolean> {
    if (!(await holdsLease(client, LEASE, fence))) return false;
    const { rows: documents } = await client.query<{ store: number; metadata: string }>(
      'SELECT store, metadata FROM knowledge_documents WHERE id = $1 FOR UPDATE',
      [document],
    );
    // Another node has removed it.
    if (!documents[0]) return true;
    const { store, metadata } = documents[0];
    const { rows: chunks } = await client.query<OldChunk>(
      `SELECT id, headings, metadata, text, coalesce((SELECT max(of_words) FROM knowledge_postings WHERE chunk = chunks.id), 0)
        AS words FROM knowledge_chunks chunks WHERE document = $1 AND index_version < $2 ORDER BY id LIMIT ${CHUNKS_PER_STEP}`,
      [document, this.version],
    );
    const ids = chunks.map(({ id }) => id);
    await client.query('DELETE FROM knowledge_postings WHERE chunk = ANY ($1::bigint[])', [ids]);
    const words = await insertPostings(client, store, chunks.map(toIndexed));
    await client.query(
      `UPDATE knowledge_chunks SET index_version = $3, tested = u.tested::jsonb
        FROM unnest($1::bigint[], $2::text[]) AS u (chunk, tested) WHERE id = u.chunk`,
      [ids, chunks.map((chunk) => testedMetadata(chunk.metadata && JSON.parse(chunk.metadata))), this.version],
    );
    const before = chunks.reduce((sum, chunk) => sum + chunk.words, 0);
    await client.query('UPDATE knowledge_documents SET words = words + $2, tested = $3 WHERE id = $1', [
      ...[document, words - before, testedMetadata(JSON.parse(metadata))],
    ]);
    return true;
  }
}

function toIndexed({ id, headings, text }: OldChunk) {
  return { chunk: id, headings: headings === null ? [] : (JSON.parse(headings) as string[]), text };
}
