import type { Database } from 'better-sqlite3';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { Chunk } from '../../../core/knowledge/reader.ts';
import type { ChunkBatch, Lease } from '../../../core/knowledge/store.ts';
import { searchable } from '../../../core/knowledge/terms.ts';
import type { JobRow } from '../../state/sql/knowledge-rows.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { createVectors, vectorsTable, wordsTable } from './index-tables.ts';
import type { Jobs } from './jobs.ts';

export class Batches {
  private readonly database: Database;
  private readonly statements: Statements;
  private readonly jobs: Jobs;
  private readonly clock: () => number;

  constructor(database: Database, statements: Statements, jobs: Jobs, clock: () => number) {
    this.database = database;
    this.statements = statements;
    this.jobs = jobs;
    this.clock = clock;
  }

  commit(lease: Lease, batch: ChunkBatch): number | null {
    // After a power failure text and checkpoint are those of an earlier batch.
    return this.statements.atomicallyUnsynced(() => {
      const job = this.jobs.leased(lease);
      if (!job) return null;
      if (batch.embedded) this.settleDimensions(job.store, batch.embedded.dimensions);
      const stored = this.store(job, batch);
      const processed = job.processed_chunks + stored;
      const total = batch.progress > 0 ? Math.max(processed, Math.round(processed / batch.progress)) : processed;
      this.statements
        .of(
          `UPDATE jobs SET processed_chunks = ?, total_chunks = ?, progress = ?, checkpoint = ?, notes = ?, lease_until = ?,
            attempts = 0, has_units = ? WHERE job_id = ?`,
        )
        .run(
          processed,
          total,
          batch.progress,
          JSON.stringify(batch.checkpoint),
          JSON.stringify(batch.notes),
          this.clock() + batch.leaseMs,
          batch.units ? 1 : 0,
          job.job_id,
        );
      return stored;
    });
  }

  knownUnits({ jobId }: Lease, units: Uint8Array[]): boolean[] {
    const known = this.statements.of('SELECT 1 FROM units WHERE job_id = ? AND digest = ?');
    return units.map((digest) => known.get(jobId, digest) !== undefined);
  }

  private store(job: JobRow, { chunks, embedded, units }: ChunkBatch): number {
    const { id, chunks: before } = this.statements
      .of('SELECT id, chunks FROM documents WHERE document_id = ?')
      .get(job.document_id) as { id: number; chunks: number };
    const unit = this.statements.of('INSERT OR IGNORE INTO units (job_id, digest) VALUES (?, ?)');
    const words = this.statements.of(`INSERT INTO ${wordsTable(job.store)} (rowid, headings, text) VALUES (?, ?, ?)`);
    const vector = embedded
      ? this.statements.of(`INSERT INTO ${vectorsTable(job.store)} (rowid, embedding, document) VALUES (?, ?, ?)`)
      : null;
    let seq = before;
    chunks.forEach((chunk, index) => {
      if (units && unit.run(job.job_id, units[index]).changes === 0) return;
      const chunkId = this.insertChunk(id, seq, chunk);
      seq += 1;
      words.run(chunkId, searchable(chunk.headings.join(' ')), searchable(chunk.text));
      // The vector extension accepts integers as BigInt only.
      if (embedded) vector!.run(BigInt(chunkId), vectorAt(embedded.vectors, embedded.dimensions, index), BigInt(id));
    });
    this.statements.of('UPDATE documents SET chunks = ? WHERE id = ?').run(seq, id);
    return seq - before;
  }

  private insertChunk(document: number, seq: number, { text, headings, place, metadata }: Chunk): number {
    const { lastInsertRowid } = this.statements
      .of(
        `INSERT INTO chunks (document, seq, text, headings, page, "row", line, metadata)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        document,
        seq,
        text,
        headings.length === 0 ? null : JSON.stringify(headings),
        place.page ?? null,
        place.row ?? null,
        place.line ?? null,
        metadata === null ? null : JSON.stringify(metadata),
      );
    return Number(lastInsertRowid);
  }

  private settleDimensions(store: number, dimensions: number): void {
    const { dimensions: known, embedder } = this.statements
      .of('SELECT dimensions, embedder FROM stores WHERE id = ?')
      .get(store) as { dimensions: number | null; embedder: string };
    if (known === dimensions) return;
    if (known !== null) {
      const message = `${embedder} made vectors of ${dimensions} dimensions for a store of ${known}. Use the model that the store was made with, or another store.`;
      throw new RuntimeError('upstream', message);
    }
    createVectors(this.database, store, dimensions);
    this.statements.of('UPDATE stores SET dimensions = ? WHERE id = ?').run(dimensions, store);
  }
}

function vectorAt(vectors: Float32Array, dimensions: number, index: number): Buffer {
  const bytes = Float32Array.BYTES_PER_ELEMENT;
  return Buffer.from(vectors.buffer, vectors.byteOffset + index * dimensions * bytes, dimensions * bytes);
}
