import type { Chunk } from '../../../core/knowledge/reader.ts';
import type { ChunkBatch, Lease } from '../../../core/knowledge/store.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import { leasedJob, type NumberedJobRow } from './jobs.ts';
import { testedMetadata } from './metadata.ts';
import { INDEX_VERSION, insertPostings } from './postings.ts';
import { insertVectors, settleDimensions } from './vectors.ts';

interface DocumentState {
  id: number;
  chunks: number;
}

/** A chunk that is stored, with its place in the batch. */
interface StoredChunk {
  chunk: Chunk;
  index: number;
  id: number;
}

export class Batches {
  private readonly pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.pool = pool;
  }

  commit(lease: Lease, batch: ChunkBatch): Promise<number | null> {
    return this.pool.transaction(async (client) => {
      const job = await leasedJob(client, lease);
      if (!job) return null;
      if (batch.embedded) await settleDimensions(client, job.store, batch.embedded.dimensions);
      const stored = await this.store(client, job, batch);
      const processed = job.processed_chunks + stored;
      const total = batch.progress > 0 ? Math.max(processed, Math.round(processed / batch.progress)) : processed;
      await client.query(
        `UPDATE knowledge_jobs SET processed_chunks = $2, total_chunks = $3, progress = $4, checkpoint = $5,
          lease_until = clock_timestamp() + $6 * interval '1 millisecond', attempts = 0, has_units = $7, notes = $8 WHERE number = $1`,
        [
          ...[job.number, processed, total, batch.progress, JSON.stringify(batch.checkpoint), batch.leaseMs],
          ...[batch.units ? 1 : 0, JSON.stringify(batch.notes)],
        ],
      );
      return stored;
    });
  }

  async knownUnits({ jobId }: Lease, units: Uint8Array[]): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ digest: Buffer }>(
      'SELECT digest FROM knowledge_units WHERE job_id = $1 AND digest = ANY ($2::bytea[])',
      [jobId, units.map(bytes)],
    );
    const known = new Set(rows.map(({ digest }) => digest.toString('hex')));
    return units.map((unit) => known.has(bytes(unit).toString('hex')));
  }

  private async store(client: PostgresClient, job: NumberedJobRow, batch: ChunkBatch): Promise<number> {
    const { rows } = await client.query<DocumentState>(
      'SELECT id, chunks FROM knowledge_documents WHERE document_id = $1',
      [job.document_id],
    );
    const document = rows[0]!;
    const isNew = batch.units ? await this.newUnits(client, job, batch.units) : () => true;
    const fresh = batch.chunks.map((chunk, index) => ({ chunk, index })).filter(({ index }) => isNew(index));
    if (fresh.length === 0) return 0;
    const ids = await this.insertChunks(
      client,
      job,
      document,
      fresh.map(({ chunk }) => chunk),
    );
    const stored: StoredChunk[] = fresh.map((one, place) => ({ ...one, id: ids[place]! }));
    const indexed = stored.map(({ id, chunk: { headings, text } }) => ({ chunk: id, headings, text }));
    const words = await insertPostings(client, job.store, indexed);
    if (batch.embedded) {
      const { vectors, dimensions } = batch.embedded;
      const vectorAt = (index: number) => vectors.subarray(index * dimensions, (index + 1) * dimensions);
      await insertVectors(
        client,
        job.store,
        stored.map(({ id, index }) => ({ chunk: id, vector: vectorAt(index) })),
      );
    }
    await client.query('UPDATE knowledge_documents SET chunks = chunks + $2, words = words + $3 WHERE id = $1', [
      document.id,
      stored.length,
      words,
    ]);
    return stored.length;
  }

  /** Whether the unit at a place is new: of equal ones the first. */
  private async newUnits(client: PostgresClient, { job_id }: NumberedJobRow, units: Uint8Array[]) {
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

  private async insertChunks(
    client: PostgresClient,
    { store }: NumberedJobRow,
    document: DocumentState,
    chunks: Chunk[],
  ): Promise<number[]> {
    const { rows } = await client.query<{ id: number; seq: number }>(
      `INSERT INTO knowledge_chunks (document, store, seq, index_version, text, headings, page, "row", line, metadata, tested)
        SELECT $1, $2, $3 + place, $4, text, headings, page, "row", line, metadata, tested::jsonb
        FROM unnest($5::text[], $6::text[], $7::int[], $8::bigint[], $9::bigint[], $10::text[], $11::text[])
          WITH ORDINALITY AS u (text, headings, page, "row", line, metadata, tested, place)
        ORDER BY place RETURNING id, seq`,
      [
        ...[document.id, store, document.chunks - 1, INDEX_VERSION],
        chunks.map(({ text }) => text),
        chunks.map(({ headings }) => (headings.length === 0 ? null : JSON.stringify(headings))),
        chunks.map(({ place }) => place.page ?? null),
        chunks.map(({ place }) => place.row ?? null),
        chunks.map(({ place }) => place.line ?? null),
        chunks.map(({ metadata }) => (metadata === null ? null : JSON.stringify(metadata))),
        chunks.map(({ metadata }) => testedMetadata(metadata)),
      ],
    );
    return rows.toSorted((one, other) => one.seq - other.seq).map(({ id }) => id);
  }
}

function bytes(unit: Uint8Array): Buffer {
  return Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength);
}
