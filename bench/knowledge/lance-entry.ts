import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { embeddingText } from '../../src/core/knowledge/chunking.ts';
import type { Chunk, Position } from '../../src/core/knowledge/reader.ts';
import { WorkerPool } from '../../src/workers/pool.ts';
import { CSV_OPTIONS, HASH_DIMENSIONS } from './bench.ts';
import { lanceTable } from './lance-table.ts';

/*
 * LanceDB, fed as our own store is: the same reader and the same embedder, in as many threads, which read and embed ahead
 * while it writes.
 */

export interface LanceTask {
  engines: string;
  directory: string;
  csv: string;
  /** Slices of 500 rows that are written at once. */
  slicesAWrite: number;
}

export interface LanceDone {
  rows: number;
  seconds: number;
}

const THREADS = 2;
const AHEAD = 3;
const NO_SIGNAL = new AbortController().signal;
interface Piece {
  chunks: Chunk[];
  vectors: Float32Array;
}

const pool = new WorkerPool({ threads: THREADS });
const embedder = pool.hashEmbedder('hash', HASH_DIMENSIONS);
let count = 0;

process.on('message', async (task: LanceTask) => {
  process.send?.(await ingest(task));
});

async function ingest({ engines, directory, csv, slicesAWrite }: LanceTask): Promise<LanceDone> {
  const load = createRequire(join(engines, 'package.json'));
  const lance = load('@lancedb/lancedb');
  const arrow = load('apache-arrow');
  count += 1;
  const path = join(directory, `lance-${count}`);
  const database = await lance.connect(path);
  const started = performance.now();
  // biome-ignore lint/suspicious/noExplicitAny: installed by the bench alone, and without types here
  let table: any = null;
  let rows = 0;
  const write = async (pieces: Piece[]) => {
    const batch = tableOf(arrow, pieces);
    if (table === null) table = await database.createTable('chunks', batch);
    else await table.add(batch);
    rows += batch.numRows;
  };
  await inBatches(csv, slicesAWrite, write);
  await table.createIndex('text', { config: lance.Index.fts() });
  const seconds = (performance.now() - started) / 1_000;
  database.close();
  rmSync(path, { recursive: true, force: true });
  return { rows, seconds };
}

/** One batch is written while the next one is read and embedded. */
async function inBatches(csv: string, slicesAWrite: number, write: (pieces: Piece[]) => Promise<void>): Promise<void> {
  const waiting: Promise<Piece>[] = [];
  let batch: Piece[] = [];
  let writing = Promise.resolve();
  const take = async (piece: Promise<Piece>) => {
    batch.push(await piece);
    if (batch.length < slicesAWrite) return;
    await writing;
    writing = write(batch);
    batch = [];
  };
  for await (const chunks of slices(csv)) {
    waiting.push(embedded(chunks));
    if (waiting.length >= AHEAD) await take(waiting.shift()!);
  }
  for (const piece of waiting) await take(piece);
  await writing;
  if (batch.length > 0) await write(batch);
}

const TASK = { tenantId: 'bench', options: CSV_OPTIONS, signal: NO_SIGNAL };

async function* slices(csv: string): AsyncGenerator<Chunk[]> {
  const prepared = await pool.prepare(csv, TASK);
  let from: Position | null = null;
  do {
    const slice = await pool.read(prepared, from, TASK);
    yield slice.chunks;
    from = slice.next;
  } while (from !== null);
}

async function embedded(chunks: Chunk[]): Promise<Piece> {
  const { vectors } = await embedder.embed(chunks.map(embeddingText), 'document', NO_SIGNAL);
  return { chunks, vectors };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function tableOf(arrow: any, pieces: Piece[]) {
  const chunks = pieces.flatMap((piece) => piece.chunks);
  const vectors = new Float32Array(chunks.length * HASH_DIMENSIONS);
  let at = 0;
  for (const piece of pieces) {
    vectors.set(piece.vectors, at);
    at += piece.vectors.length;
  }
  const columns = { row: chunks.map(({ place }) => place.row!), text: chunks.map(({ text }) => text) };
  return lanceTable(arrow, columns, vectors, HASH_DIMENSIONS);
}
