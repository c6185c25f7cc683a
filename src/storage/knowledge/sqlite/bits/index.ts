import { LRUCache } from 'lru-cache';
import type { Statements } from '../../../state/sqlite/prepared.ts';
import { rowIdsTable } from '../schema.ts';
import { type Block, type IndexedStore, readBlock } from './blocks.ts';
import { Hamming } from './hamming.ts';
import { signBits } from './rotation.ts';

/** Chunks to be found. */
export interface Mask {
  /** Whether `ids` are of chunks or of documents. */
  of: 'chunks' | 'documents';
  ids: Uint8Array;
  /** Whether those with an id in `ids` are found, or all others. */
  finds: 'listed' | 'others';
}

/** A set of ids, with a bit for each. */
export function bitmapOf(ids: readonly number[]): Uint8Array {
  const bitmap = new Uint8Array(ids.reduce((most, id) => Math.max(most, id), 0) / 8 + 1);
  for (const id of ids) bitmap[id >> 3] = bitmap[id >> 3]! | (1 << (id & 7));
  return bitmap;
}

/**
 * Finds near vectors by their bits. Blocks do not change: another content has another id. So they
 * are kept by id, the most recently used ones.
 */
export class BitsIndex {
  private readonly statements: Statements;
  private readonly blocks: LRUCache<number, Block>;
  private readonly hamming = new Hamming();

  constructor(statements: Statements, keptBytes: number) {
    this.statements = statements;
    this.blocks = new LRUCache<number, Block>({
      maxSize: Math.max(keptBytes, 1),
      sizeCalculation: ({ chunks, documents, bits }) => chunks.byteLength + documents.byteLength + bits.byteLength,
    });
  }

  /**
   * Chunks whose bits are nearest to the vector's, `count` of them: nearest first, of equally near
   * ones the earliest.
   */
  nearest({ id, dimensions, bits }: IndexedStore, vector: Float32Array, count: number, mask: Mask | null): number[] {
    const query = new Uint32Array(bits / 32);
    signBits(dimensions, bits)(vector, query, 0);
    const words = new Uint8Array(query.buffer);
    const listed = this.statements.of('SELECT id, vectors FROM bits WHERE store = ? ORDER BY last').all(id) as {
      id: number;
      vectors: number;
    }[];
    const all = listed.reduce((sum, { vectors }) => sum + vectors, 0);
    const [distances, chunks, times] = [new Uint16Array(all), new Uint32Array(all), new Uint32Array(bits + 2)];
    let at = 0;
    for (const { id: blockId } of listed) {
      const block = this.blockOf(blockId);
      chunks.set(block.chunks, at);
      distances.set(this.hamming.distances(words, block.bits), at);
      if (mask) hide(block, mask, distances.subarray(at), bits + 1);
      const end = at + block.chunks.length;
      for (; at < end; at++) times[distances[at]!]!++;
    }
    return smallest(distances, times.subarray(0, bits + 1), count).map((place) => chunks[place]!);
  }

  /** The latest chunks, which are in no block; null if there are more than `most`. */
  latest({ id }: IndexedStore, mask: Mask | null, most: number): number[] | null {
    const rows = this.statements
      .of(
        `SELECT latest.rowid AS chunk, document FROM ${rowIdsTable(id)} latest CROSS JOIN chunks ON chunks.id = latest.rowid
          WHERE latest.rowid > (SELECT coalesce(max(last), 0) FROM bits WHERE store = ?) LIMIT ?`,
      )
      .all(id, most + 1) as { chunk: number; document: number }[];
    if (rows.length > most) return null;
    const found = mask ? rows.filter((row) => finds(mask, mask.of === 'chunks' ? row.chunk : row.document)) : rows;
    return found.map(({ chunk }) => chunk);
  }

  private blockOf(id: number): Block {
    const kept = this.blocks.get(id);
    if (kept) return kept;
    const block = readBlock(this.statements, id);
    this.blocks.set(id, block);
    return block;
  }
}

function finds({ ids, finds: found }: Mask, id: number): boolean {
  return (((ids[id >> 3] ?? 0) >> (id & 7)) & 1) === (found === 'listed' ? 1 : 0);
}

/** Gives chunks that are not to be found a distance that no other has. */
function hide(block: Block, mask: Mask, distances: Uint16Array, hidden: number): void {
  const ids = block[mask.of];
  for (let index = 0; index < ids.length; index++) {
    if (!finds(mask, ids[index]!)) distances[index] = hidden;
  }
}

/** Places of the smallest distances, in order. `times`: how many there are of each. */
function smallest(distances: Uint16Array, times: Uint32Array, count: number): number[] {
  const starts: number[] = [];
  let below = 0;
  for (let distance = 0; distance < times.length && below < count; distance++) {
    starts.push(below);
    below += times[distance]!;
  }
  const places = new Array<number>(Math.min(below, count));
  for (let place = 0; place < distances.length; place++) {
    const distance = distances[place]!;
    if (distance >= starts.length) continue;
    const rank = starts[distance]!++;
    if (rank < count) places[rank] = place;
  }
  return places;
}
