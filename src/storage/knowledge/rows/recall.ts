/**
 * A store, or what a filter leaves of it, is searched exactly up to so many vectors; beyond, by an
 * index, where that finds enough.
 */
export const EXACT_VECTORS = 20_000;

/** Vectors of a store that are looked for in it, and how many of the nearest are to be found. */
export const SAMPLED = 32;
export const NEAREST = 10;

/** Candidates among which the index looks for the nearest, from few to many. */
export const CANDIDATES_TRIED = [100, 200, 400, 800, 1_600] as const;
export const MOST_CANDIDATES = 1_600;

/** The recall that decides how many candidates are enough, and the least that an index may have. */
export const WANTED_RECALL = 0.98;
export const LEAST_RECALL = 0.95;

/** How a large store is searched. */
export interface MeasuredRecall {
  /** How many are enough; null: an index finds too little, so the store is searched exactly. */
  candidates: number | null;
  /** The share of the ten nearest that the index finds. */
  recall: number;
  /** How many vectors the store had then. */
  vectors: number;
}

/** The share of the exact answers that is among those found. */
export function recallOf(exact: readonly number[][], found: readonly number[][]): number {
  const wanted = exact.reduce((sum, ids) => sum + ids.length, 0);
  const hits = exact.reduce((sum, ids, index) => sum + ids.filter((id) => found[index]!.includes(id)).length, 0);
  return wanted === 0 ? 1 : hits / wanted;
}
