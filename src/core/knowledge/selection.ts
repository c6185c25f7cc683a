import { fuse, type Ranked } from './fusion.ts';
import type { SearchPlan } from './store.ts';
import type { Term } from './terms.ts';

/* What every store decides alike, so that engines answer alike. */

/** Hits of each ranking that are fused. */
export const CANDIDATES = 100;
/** In larger stores words in more than half of the chunks are ignored. */
const FEW_CHUNKS = 100;
/** The rarest words: common ones cost time and select little. */
const MAX_TERMS = 64;
/** A query with more unknown words is not in the language of the store. */
export const MAX_CORRECTED = 16;

export interface FoundTerm {
  term: Term;
  /** That have it; 1 where it was not counted. */
  chunks: number;
}

/** The terms to search with, of a store with so many chunks. */
export function selectTerms(found: readonly FoundTerm[], all: number): Term[] {
  const selective = found.filter(({ chunks }) => all < FEW_CHUNKS || chunks * 2 <= all);
  const kept = (selective.length > 0 ? selective : [...found]).sort((one, other) => one.chunks - other.chunks);
  return kept.slice(0, MAX_TERMS).map(({ term }) => term);
}

export function fuseRankings(lexical: Ranked[], vectors: Ranked[], { vectorWeight, limit }: SearchPlan): Ranked[] {
  const idsOf = (ranked: Ranked[]) => ranked.slice(0, Math.max(limit, CANDIDATES)).map(({ id }) => id);
  return fuse(
    [
      { ids: idsOf(lexical), weight: 1 },
      { ids: idsOf(vectors), weight: vectorWeight },
    ],
    limit,
  );
}
