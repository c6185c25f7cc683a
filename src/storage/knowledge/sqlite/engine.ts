import type { Database } from 'better-sqlite3';
import type { Chunk } from '../../../core/knowledge/reader.ts';
import type { ChunkBatch } from '../../../core/knowledge/store.ts';
import { searchable } from '../../../core/knowledge/terms.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import type { RemovedDocument, RowsDialect, RowsEngine } from '../rows/engine.ts';
import type { JobRow, StoredChunkRow } from '../rows/records.ts';
import { removeFromBlocks } from './bits/blocks.ts';
import type { SqliteClient } from './client.ts';
import { createVectors, createWords, dropIndexes, vectorsTable, wordsTable } from './schema.ts';

const NOW = "CAST(unixepoch('subsec') * 1000 AS integer)";
const SERVED_AT = 'served_at';

const dialect: RowsDialect = {
  number: 'rowid',
  now: NOW,
  past: '0',
  after: (parameter) => `${NOW} + ${parameter}`,
  notAfterNow: (parameter) => parameter,
  texts: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  servedAt: (tenant) => `${SERVED_AT}(${tenant})`,
  setServed: '',
  forUpdate: '',
  skipLocked: () => '',
};

/**
 * Its statements beside those of the rows run within a transaction of the client, or read. After
 * vectors are added to a store, `onGrown` is called with it.
 */
export function sqliteEngine(database: Database, client: SqliteClient, onGrown: (store: number) => void): RowsEngine {
  const { statements } = client;
  const served = new Map<string, number>();
  database.function(SERVED_AT, (tenant) => served.get(tenant as string) ?? 0);
  return {
    database: client,
    sql: dialect,
    served: (tenantId, now) => served.set(tenantId, now),
    createIndexes: (store) => createWords(database, store),
    createVectors: (store, dimensions) => createVectors(database, store, dimensions),
    dropIndexes: (store) => dropIndexes(database, store),
    addChunks: async (_client, job, batch) => {
      if (batch.embedded) onGrown(job.store);
      return addChunks(statements, job, batch);
    },
    knownUnits: async ({ jobId }, units) => {
      const known = statements.of('SELECT 1 FROM units WHERE job_id = ? AND digest = ?');
      return units.map((digest) => known.get(jobId, digest) !== undefined);
    },
    removeChunks: async (_client, document, limit) => removeChunks(statements, document, limit),
    vectorsOf: async (store, chunks, dimensions) => readVectors(statements, { store, chunks, dimensions }),
  };
}

function addChunks(statements: Statements, job: JobRow, { chunks, embedded, units }: ChunkBatch): number {
  const { id, chunks: before } = statements
    .of('SELECT id, chunks FROM documents WHERE document_id = ?')
    .get(job.document_id) as { id: number; chunks: number };
  const unit = statements.of('INSERT OR IGNORE INTO units (job_id, digest) VALUES (?, ?)');
  const words = statements.of(`INSERT INTO ${wordsTable(job.store)} (rowid, headings, text) VALUES (?, ?, ?)`);
  const vector = embedded
    ? statements.of(`INSERT INTO ${vectorsTable(job.store)} (rowid, embedding, document) VALUES (?, ?, ?)`)
    : null;
  let seq = before;
  chunks.forEach((chunk, index) => {
    if (units && unit.run(job.job_id, units[index]).changes === 0) return;
    const chunkId = insertChunk(statements, { document: id, seq, chunk });
    seq += 1;
    words.run(chunkId, searchable(chunk.headings.join(' ')), searchable(chunk.text));
    // The vector extension accepts integers as BigInt only.
    if (embedded) vector!.run(BigInt(chunkId), vectorAt(embedded.vectors, embedded.dimensions, index), BigInt(id));
  });
  statements.of('UPDATE documents SET chunks = ? WHERE id = ?').run(seq, id);
  return seq - before;
}

function insertChunk(statements: Statements, row: { document: number; seq: number; chunk: Chunk }): number {
  const { text, headings, place, metadata } = row.chunk;
  const { lastInsertRowid } = statements
    .of(
      `INSERT INTO chunks (document, seq, text, headings, page, "row", line, metadata)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.document,
      row.seq,
      text,
      headings.length === 0 ? null : JSON.stringify(headings),
      place.page ?? null,
      place.row ?? null,
      place.line ?? null,
      metadata === null ? null : JSON.stringify(metadata),
    );
  return Number(lastInsertRowid);
}

function vectorAt(vectors: Float32Array, dimensions: number, index: number): Buffer {
  const bytes = Float32Array.BYTES_PER_ELEMENT;
  return Buffer.from(vectors.buffer, vectors.byteOffset + index * dimensions * bytes, dimensions * bytes);
}

function removeChunks(statements: Statements, { id, store, dimensions }: RemovedDocument, limit: number): number {
  const chunks = statements.of('SELECT id FROM chunks WHERE document = ? LIMIT ?').all(id, limit) as { id: number }[];
  const chunk = statements.of('DELETE FROM chunks WHERE id = ?');
  const word = statements.of(`DELETE FROM ${wordsTable(store)} WHERE rowid = ?`);
  const vector = dimensions !== null && statements.of(`DELETE FROM ${vectorsTable(store)} WHERE rowid = ?`);
  removeFromBlocks(
    statements,
    store,
    chunks.map((one) => one.id),
  );
  for (const { id: chunkId } of chunks) {
    chunk.run(chunkId);
    word.run(chunkId);
    if (vector) vector.run(BigInt(chunkId));
  }
  return chunks.length;
}

interface StoredVectors {
  store: number;
  chunks: StoredChunkRow[];
  dimensions: number;
}

function readVectors(statements: Statements, { store, chunks, dimensions }: StoredVectors) {
  const vector = statements.of(`SELECT embedding FROM ${vectorsTable(store)} WHERE rowid = ?`);
  const vectors = new Float32Array(chunks.length * dimensions);
  for (const [index, { id }] of chunks.entries()) {
    const { embedding } = vector.get(BigInt(id)) as { embedding: Buffer };
    vectors.set(new Float32Array(Uint8Array.from(embedding).buffer), index * dimensions);
  }
  return { vectors, dimensions };
}
