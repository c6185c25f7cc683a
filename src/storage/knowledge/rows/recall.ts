/**
 * A store, or what a filter leaves of it, is searched exactly up to so many vectors; beyond, by an
 * index, where that finds enough.
 */
export const EXACT_VECTORS = 20_000;

/** Vectors of a store that are looked for in it, and how many of the nearest are to be found. */
export const SAMPLED = 32;
export const NEAREST = 10;

/** Candidates among which the index looks for the nearest, from few to many. */
export const CANDIDATES_TRIED = [100, 200, 400, 800] as const;
export const MOST_CANDIDATES = 800;

/** The recall that decides how many candidates are enough, and the least that an index may have. */
export const WANTED_RECALL = 0.98;
const LEAST_RECALL = 0.95;

/** How much the index of a store finds. */
export interface MeasuredRecall {
  /** How many are enough; null: the index finds too little, so the store is searched exactly. */
  candidates: number | null;
  /** The share of the ten nearest that the index finds. */
  recall: number;
  /** How many vectors the store had then. */
  vectors: number;
}

/** How vectors of a large store are searched. */
export interface VectorSearch {
  tenant: string;
  store: string;
  vectors: number;
  /** `exact` also until the index of the store is made and measured. */
  search: 'exact' | 'bits' | 'hnsw';
  /** The number of bits of each vector; null without them. */
  bits: number | null;
  candidates: number | null;
  /** Null before the index is measured. */
  recall: number | null;
}

/** Decides by the recall of the most candidates that were tried. */
export function decided(candidates: number, recall: number, vectors: number): MeasuredRecall {
  return { candidates: recall >= LEAST_RECALL ? candidates : null, recall, vectors };
}

/** The share of the exact answers that is among those found. */
export function recallOf(exact: readonly number[][], found: readonly number[][]): number {
  const wanted = exact.reduce((sum, ids) => sum + ids.length, 0);
  const hits = exact.reduce((sum, ids, index) => sum + ids.filter((id) => found[index]!.includes(id)).length, 0);
  return wanted === 0 ? 1 : hits / wanted;
}
