import type { Chunk } from '../../../core/knowledge/reader.ts';
import type { ChunkBatch } from '../../../core/knowledge/store.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import type { RemovedDocument, RowsClient, RowsDialect, RowsEngine } from '../rows/engine.ts';
import type { JobRow } from '../rows/records.ts';
import { testedMetadata } from './filter.ts';
import { insertVectors, readVectors } from './vectors.ts';
import { insertPostings } from './words.ts';

/** How chunks are indexed; it is to grow when a release indexes them otherwise. */
const INDEX_VERSION = 1_001;

const dialect: RowsDialect = {
  number: 'number',
  now: 'clock_timestamp()',
  past: "'-infinity'",
  after: (parameter) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`,
  notAfterNow: (parameter) => `least(${parameter}, extract(epoch FROM clock_timestamp()) * 1000)`,
  texts: (parameter) => `(SELECT unnest(${parameter}::text[]))`,
  servedAt: (tenant) => `(SELECT max(claimed_at) FROM knowledge_jobs served WHERE served.tenant_id = ${tenant})`,
  setServed: 'claimed_at = clock_timestamp(),',
  forUpdate: 'FOR UPDATE',
  skipLocked: (table) => `FOR UPDATE ${table === undefined ? '' : `OF ${table}`} SKIP LOCKED`,
};

/** Stores share the tables of words and vectors; VectorIndexes makes and drops indexes. */
export function postgresEngine(pool: PostgresPool): RowsEngine {
  return {
    database: pool,
    sql: dialect,
    lockTenant: async (client, tenantId) => {
      await client.query(
        `INSERT INTO knowledge_tenants (tenant_id) VALUES ($1)
          ON CONFLICT (tenant_id) DO UPDATE SET tenant_id = excluded.tenant_id`,
        [tenantId],
      );
    },
    forgetTenant: async (client, tenantId) => {
      await client.query('DELETE FROM knowledge_tenants WHERE tenant_id = $1', [tenantId]);
    },
    filterColumns: (metadata) => ({ tested: testedMetadata(metadata) }),
    addChunks,
    knownUnits: async ({ jobId }, units) => {
      const { rows } = await pool.query<{ digest: Buffer }>(
        'SELECT digest FROM knowledge_units WHERE job_id = $1 AND digest = ANY ($2::bytea[])',
        [jobId, units.map(bytes)],
      );
      const known = new Set(rows.map(({ digest }) => digest.toString('hex')));
      return units.map((unit) => known.has(bytes(unit).toString('hex')));
    },
    removeChunks,
    vectorsOf: (_store, chunks, dimensions) => readVectors(pool, chunks, dimensions),
  };
}

interface DocumentState {
  id: number;
  store: number;
  chunks: number;
}

/** A chunk that is stored, with its place in the batch. */
interface StoredChunk {
  chunk: Chunk;
  index: number;
  id: number;
}

async function addChunks(client: RowsClient, job: JobRow, batch: ChunkBatch): Promise<number> {
  const { rows } = await client.query<DocumentState>(
    'SELECT id, store, chunks FROM knowledge_documents WHERE document_id = $1',
    [job.document_id],
  );
  const document = rows[0]!;
  const isNew = batch.units ? await newUnits(client, job, batch.units) : () => true;
  const fresh = batch.chunks.map((chunk, index) => ({ chunk, index })).filter(({ index }) => isNew(index));
  if (fresh.length === 0) return 0;
  const added = fresh.map(({ chunk }) => chunk);
  const ids = await insertChunks(client, document, added);
  const stored: StoredChunk[] = fresh.map((one, place) => ({ ...one, id: ids[place]! }));
  const indexed = stored.map(({ id, chunk: { headings, text } }) => ({ chunk: id, headings, text }));
  const words = await insertPostings(client, job.store, indexed);
  if (batch.embedded) {
    const { vectors, dimensions } = batch.embedded;
    const vectorAt = (index: number) => vectors.subarray(index * dimensions, (index + 1) * dimensions);
    const found = stored.map(({ id, index }) => ({ chunk: id, vector: vectorAt(index) }));
    await insertVectors(client, job.store, found);
  }
  await client.query('UPDATE knowledge_documents SET chunks = chunks + $2, words = words + $3 WHERE id = $1', [
    ...[document.id, stored.length, words],
  ]);
  return stored.length;
}

/** Whether the unit at a place is new: the first one of several that are equal. */
async function newUnits(client: RowsClient, { job_id }: JobRow, units: Uint8Array[]) {
  const { rows } = await client.query<{ digest: Buffer }>(
    `INSERT INTO knowledge_units (job_id, digest) SELECT $1, * FROM unnest($2::bytea[])
      ON CONFLICT DO NOTHING RETURNING digest`,
    [job_id, units.map(bytes)],
  );
  const inserted = new Set(rows.map(({ digest }) => digest.toString('hex')));
  const firsts = new Set<number>();
  for (const [index, unit] of units.entries()) {
    if (inserted.delete(bytes(unit).toString('hex'))) firsts.add(index);
  }
  return (index: number) => firsts.has(index);
}

async function insertChunks(client: RowsClient, { id, store, chunks: before }: DocumentState, chunks: Chunk[]) {
  const { rows } = await client.query<{ id: number; seq: number }>(
    `INSERT INTO knowledge_chunks (document, store, seq, index_version, text, headings, page, "row", line, metadata, tested)
      SELECT $1, $2, $3 + place, $4, text, headings, page, "row", line, metadata, tested::jsonb
      FROM unnest($5::text[], $6::text[], $7::int[], $8::bigint[], $9::bigint[], $10::text[], $11::text[])
        WITH ORDINALITY AS u (text, headings, page, "row", line, metadata, tested, place)
      ORDER BY place RETURNING id, seq`,
    [
      ...[id, store, before - 1, INDEX_VERSION],
      chunks.map(({ text }) => text),
      chunks.map(({ headings }) => (headings.length === 0 ? null : JSON.stringify(headings))),
      chunks.map(({ place }) => place.page ?? null),
      chunks.map(({ place }) => place.row ?? null),
      chunks.map(({ place }) => place.line ?? null),
      chunks.map(({ metadata }) => (metadata === null ? null : JSON.stringify(metadata))),
      chunks.map(({ metadata }) => testedMetadata(metadata)),
    ],
  );
  return rows.toSorted((one, other) => one.seq - other.seq).map((row) => row.id);
}

/** The rest of the document keeps the counts by which words are weighed. */
async function removeChunks(client: RowsClient, { id, dimensions }: RemovedDocument, limit: number): Promise<number> {
  const { rows } = await client.query<{ id: number; words: number }>(
    `SELECT id, coalesce((SELECT max(of_words) FROM knowledge_postings WHERE chunk = chunks.id), 0) AS words
      FROM knowledge_chunks chunks WHERE document = $1 ORDER BY seq LIMIT $2`,
    [id, limit],
  );
  const chunks = rows.map((chunk) => chunk.id);
  await client.query('DELETE FROM knowledge_postings WHERE chunk = ANY ($1::bigint[])', [chunks]);
  if (dimensions !== null) {
    await client.query('DELETE FROM knowledge_vectors WHERE chunk = ANY ($1::bigint[])', [chunks]);
  }
  await client.query('DELETE FROM knowledge_chunks WHERE id = ANY ($1::bigint[])', [chunks]);
  const words = rows.reduce((sum, chunk) => sum + chunk.words, 0);
  await client.query('UPDATE knowledge_documents SET chunks = chunks - $2, words = words - $3 WHERE id = $1', [
    ...[id, chunks.length, words],
  ]);
  return chunks.length;
}

function bytes(unit: Uint8Array): Buffer {
  return Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength);
}
