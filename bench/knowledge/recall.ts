import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { HASH_DIMENSIONS, hashEmbedding } from '../../src/core/knowledge/hash-embedding.ts';
import { KNOWLEDGE_FILE } from '../../src/storage/installation/names.ts';
import { quantile } from '../events/measure.ts';
import type { Line } from '../events/report.ts';
import type { Bench } from './bench.ts';
import { fillVectors, openVectors, type VectorStore, type Vectors } from './vector-store.ts';

const DIMENSIONS = 384;
const NEAREST = 10;
const QUERIES = 40;
const WARM_UP = 4;
const POLL_MS = 500;
const MAX_POLLS = 1_200;
const SEED = 11;

interface Corpus extends Vectors {
  name: string;
  /** Another vector of the same kind, which the store does not have. */
  query(): Float32Array;
}

/**
 * Search by bits against the exact one of the same store, each question asked of both: a tenth of
 * --rows clustered vectors, and a fiftieth of hashed ones.
 */
export async function benchRecall({ options, report, directory }: Bench): Promise<void> {
  const at = mkdtempSync(join(directory, 'recall-'));
  try {
    for (const corpus of [clustered(Math.ceil(options.rows / 10)), hashed(Math.ceil(options.rows / 50))]) {
      const files = join(at, corpus.name);
      report.progress(`filling a store with ${corpus.rows} ${corpus.name} vectors`);
      await fillVectors(files, corpus);
      const title = `the ${NEAREST} nearest of ${corpus.rows} ${corpus.name} vectors of ${corpus.dimensions}`;
      report.table('recall', title, await compared(files, corpus));
      rmSync(files, { recursive: true });
    }
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

async function compared(files: string, corpus: Corpus): Promise<Line[]> {
  const started = performance.now();
  const bits = openVectors(files, NEAREST);
  // Opens the store, whose upkeep then makes the bits.
  await bits.search(corpus.query());
  const measured = await indexed(files);
  const built = (performance.now() - started) / 1_000;
  const exact = openVectors(files, NEAREST, Number.POSITIVE_INFINITY);
  const queries = Array.from({ length: WARM_UP + QUERIES }, () => corpus.query());
  const found = await answered(bits, queries);
  const all = await answered(exact, queries);
  const same = found.flatMap(({ rows }, index) => rows.filter((row) => all[index]!.rows.includes(row))).length;
  await Promise.all([bits.close(), exact.close()]);
  const shown = (answers: Answered[]) => {
    const times = answers.map(({ ms }) => ms);
    return { 'p50 ms': quantile(times, 0.5), 'p95 ms': quantile(times, 0.95) };
  };
  const recall = same / (QUERIES * NEAREST);
  const note = `${measured.bits} bits, ${measured.candidates} candidates, recall ${measured.recall} at build, made in ${built.toFixed(0)} s`;
  return [
    { what: 'by bits', values: shown(found), demanded: { of: 'p50 ms', atMost: 30 }, note },
    { what: 'exact', values: shown(all) },
    { what: 'found', values: { 'recall@10': recall }, demanded: { of: 'recall@10', atLeast: 0.95 } },
  ];
}

interface Measured {
  bits: number;
  candidates: number | null;
  recall: number | null;
}

/** Waits until the store knows how much its bits find. */
async function indexed(files: string): Promise<Measured> {
  const database = new BetterSqlite3(join(files, KNOWLEDGE_FILE), { readonly: true });
  try {
    for (let poll = 0; poll < MAX_POLLS; poll++) {
      const store = database.prepare<[], Measured>('SELECT bits, candidates, recall FROM stores').get();
      if (store && store.recall !== null) return store;
      await sleep(POLL_MS);
    }
    throw new Error('The bits are not made in time. Are there enough vectors?');
  } finally {
    database.close();
  }
}

interface Answered {
  rows: number[];
  ms: number;
}

async function answered(store: VectorStore, queries: Float32Array[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const query of queries) {
    const started = performance.now();
    const rows = await store.search(query);
    answers.push({ rows, ms: performance.now() - started });
  }
  return answers.slice(WARM_UP);
}

/** Around 2,000 centres, with some 500 nearly equal neighbours each of a million: a hard case. */
function clustered(rows: number): Corpus {
  const random = numbers(SEED);
  const gauss = () => (random() + random() + random() - 1.5) * 2;
  const centres = Array.from({ length: 2_000 }, () => Float32Array.from({ length: DIMENSIONS }, gauss));
  const vector = () => unit(centres[Math.floor(random() * centres.length)]!.map((value) => value + gauss() * 0.8));
  return { name: 'clustered', rows, dimensions: DIMENSIONS, of: drawn(vector, DIMENSIONS), query: vector };
}

/** What the built-in embedder makes of texts about 500 topics. */
function hashed(rows: number): Corpus {
  const random = numbers(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const letters = 'bcdfglmnprstaeiou';
  const words = Array.from({ length: 4_000 }, () =>
    Array.from({ length: 4 + below(6) }, () => letters[below(letters.length)]).join(''),
  );
  // As in texts of people: few common words, many rare ones.
  const word = () => words[Math.floor(words.length ** random()) - 1]!;
  const topics = Array.from({ length: 500 }, () => Array.from({ length: 25 }, word));
  const vector = () => {
    const topic = topics[below(topics.length)]!;
    const text = Array.from({ length: 12 + below(20) }, () => (random() < 0.6 ? topic[below(topic.length)] : word()));
    const made = new Float32Array(HASH_DIMENSIONS);
    hashEmbedding(text.join(' '), made);
    return made;
  };
  return { name: 'hashed', rows, dimensions: HASH_DIMENSIONS, of: drawn(vector, HASH_DIMENSIONS), query: vector };
}

function drawn(vector: () => Float32Array, dimensions: number): Vectors['of'] {
  return (rows) => {
    const vectors = new Float32Array(rows.length * dimensions);
    for (const index of rows.keys()) vectors.set(vector(), index * dimensions);
    return vectors;
  };
}

/** The generator mulberry32: from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
