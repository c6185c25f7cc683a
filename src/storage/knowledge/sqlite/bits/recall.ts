import type { Statements } from '../../../state/sqlite/prepared.ts';
import {
  CANDIDATES_TRIED,
  decided,
  type MeasuredRecall,
  MOST_CANDIDATES,
  NEAREST,
  recallOf,
  SAMPLED,
  WANTED_RECALL,
} from '../../rows/recall.ts';
import { type IndexedStore, vectorsAfter } from './blocks.ts';
import type { BitsIndex } from './index.ts';

/** Vectors that are compared in one portion: some 20 ms. */
const PORTION = 512;

interface Sample {
  chunk: number;
  /** A vector of length 1. */
  vector: Float32Array;
  nearest: { chunk: number; similarity: number }[];
}

/**
 * Looks for vectors of a store among all others, exactly and by their bits, in portions. The last
 * one returns how many candidates are needed.
 */
export function* measureBits(
  statements: Statements,
  index: BitsIndex,
  store: IndexedStore,
): Generator<void, MeasuredRecall, void> {
  const { last, vectors } = statements
    .of('SELECT max(last) AS last, sum(vectors) AS vectors FROM bits WHERE store = ?')
    .get(store.id) as { last: number; vectors: number };
  const samples = sampled(statements, store);
  for (let after = 0; after < last; ) {
    const rows = vectorsAfter(statements, store, after, PORTION);
    for (const { chunk, vector } of rows) compare(samples, chunk, vector);
    after = rows.at(-1)?.chunk ?? last;
    yield;
  }
  const exact = samples.map(({ nearest }) => nearest.map(({ chunk }) => chunk));
  const found: number[][] = [];
  for (const { chunk, vector } of samples) {
    found.push(index.nearest(store, vector, MOST_CANDIDATES, null).filter((one) => one !== chunk));
    yield;
  }
  const recallAt = (candidates: number) =>
    recallOf(
      exact,
      found.map((ids) => ids.slice(0, candidates)),
    );
  const candidates = CANDIDATES_TRIED.find((one) => recallAt(one) >= WANTED_RECALL) ?? MOST_CANDIDATES;
  return decided(candidates, recallAt(candidates), vectors);
}

/** Spread over the store. */
function sampled(statements: Statements, store: IndexedStore): Sample[] {
  const blocks = statements.of('SELECT first, last FROM bits WHERE store = ? ORDER BY last').all(store.id) as {
    first: number;
    last: number;
  }[];
  return Array.from({ length: SAMPLED }, (_, index) => {
    const place = (index / SAMPLED) * blocks.length;
    const { first, last } = blocks[Math.floor(place)]!;
    const from = first + Math.floor((place % 1) * (last - first));
    const [row] = vectorsAfter(statements, store, from - 1, 1);
    return { chunk: row!.chunk, vector: row!.vector.map((value) => value / lengthOf(row!.vector)), nearest: [] };
  });
}

function compare(samples: Sample[], chunk: number, vector: Float32Array): void {
  const length = lengthOf(vector);
  for (const sample of samples) {
    const { nearest } = sample;
    let product = 0;
    for (let index = 0; index < vector.length; index++) product += vector[index]! * sample.vector[index]!;
    const similarity = product / length;
    const isNear = nearest.length < NEAREST || similarity > nearest.at(-1)!.similarity;
    if (!isNear || chunk === sample.chunk) continue;
    // An equally near one that is earlier stays first.
    const place = nearest.findIndex((one) => one.similarity < similarity);
    nearest.splice(place === -1 ? nearest.length : place, 0, { chunk, similarity });
    nearest.length = Math.min(nearest.length, NEAREST);
  }
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
