import type { Statements } from '../../../state/sqlite/prepared.ts';
import { rowIdsTable, vectorsTable } from '../schema.ts';
import { BLOCK_VECTORS } from './hamming.ts';
import { signBits } from './rotation.ts';

/** A store whose vectors are in blocks of bits, except the latest ones. */
export interface IndexedStore {
  id: number;
  dimensions: number;
  /** The number of bits of each vector. */
  bits: number;
}

/** Fewer vectors wait for others, and are compared one by one. */
const LEAST_ADDED = 256;

/** The bits of consecutive vectors of a store, with the chunks and documents that these are of. */
export interface Block {
  chunks: Uint32Array;
  documents: Uint32Array;
  bits: Uint8Array;
}

export function readBlock(statements: Statements, id: number): Block {
  const row = statements.of('SELECT chunks, documents, bits FROM bits WHERE id = ?').get(id) as Record<string, Buffer>;
  const numbers = (column: Buffer) => new Uint32Array(Uint8Array.from(column).buffer);
  return { chunks: numbers(row.chunks!), documents: numbers(row.documents!), bits: row.bits! };
}

/** Vectors of a store in the order of their chunks. */
export function vectorsAfter(statements: Statements, { id }: Pick<IndexedStore, 'id'>, after: number, limit: number) {
  const rows = statements
    .of(
      `SELECT listed.rowid AS chunk, chunks.document, embedding FROM ${rowIdsTable(id)} listed
        CROSS JOIN chunks ON chunks.id = listed.rowid CROSS JOIN ${vectorsTable(id)} vectors ON vectors.rowid = listed.rowid
        WHERE listed.rowid > ? ORDER BY listed.rowid LIMIT ?`,
    )
    .all(after, limit) as { chunk: number; document: number; embedding: Buffer }[];
  return rows.map(({ chunk, document, embedding }) => ({
    ...{ chunk, document, vector: new Float32Array(Uint8Array.from(embedding).buffer) },
  }));
}

/**
 * Makes a block of the vectors after the last one, or fills up the last one with them. False: they
 * are too few.
 */
export function addBlock(statements: Statements, store: IndexedStore): boolean {
  const last = statements
    .of('SELECT id, first, last, vectors FROM bits WHERE store = ? ORDER BY last DESC LIMIT 1')
    .get(store.id) as { id: number; first: number; last: number; vectors: number } | undefined;
  const filled = last && last.vectors + LEAST_ADDED <= BLOCK_VECTORS ? last : null;
  const rows = vectorsAfter(statements, store, filled ? filled.first - 1 : (last?.last ?? 0), BLOCK_VECTORS);
  if (rows.length < (filled?.vectors ?? 0) + LEAST_ADDED) return false;
  if (filled) statements.of('DELETE FROM bits WHERE id = ?').run(filled.id);
  const words = new Uint32Array((rows.length * store.bits) / 32);
  const write = signBits(store.dimensions, store.bits);
  for (const [index, { vector }] of rows.entries()) write(vector, words, (index * store.bits) / 32);
  insert(statements, store.id, {
    chunks: Uint32Array.from(rows, ({ chunk }) => chunk),
    documents: Uint32Array.from(rows, ({ document }) => document),
    bits: new Uint8Array(words.buffer),
  });
  return true;
}

/** Removes chunks, in ascending order, from the blocks of their store. */
export function removeFromBlocks(statements: Statements, store: number, chunks: readonly number[]): void {
  if (chunks.length === 0) return;
  const removed = new Set(chunks);
  const ids = statements
    .of('SELECT id FROM bits WHERE store = ? AND last >= ? AND first <= ?')
    .all(store, chunks[0], chunks.at(-1)) as { id: number }[];
  for (const { id } of ids) {
    const block = readBlock(statements, id);
    const kept = [...block.chunks.keys()].filter((place) => !removed.has(block.chunks[place]!));
    if (kept.length === block.chunks.length) continue;
    statements.of('DELETE FROM bits WHERE id = ?').run(id);
    if (kept.length > 0) insert(statements, store, onlyOf(block, kept));
  }
}

function onlyOf({ chunks, documents, bits }: Block, places: number[]): Block {
  const bytes = bits.length / chunks.length;
  const kept = new Uint8Array(places.length * bytes);
  for (const [index, place] of places.entries()) {
    kept.set(bits.subarray(place * bytes, (place + 1) * bytes), index * bytes);
  }
  return {
    chunks: Uint32Array.from(places, (place) => chunks[place]!),
    documents: Uint32Array.from(places, (place) => documents[place]!),
    bits: kept,
  };
}

function insert(statements: Statements, store: number, { chunks, documents, bits }: Block): void {
  statements
    .of(`INSERT INTO bits (store, first, last, vectors, chunks, documents, bits) VALUES (?, ?, ?, ?, ?, ?, ?)`)
    .run(store, chunks[0], chunks.at(-1), chunks.length, ...[chunks, documents, bits].map(bytesOf));
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
