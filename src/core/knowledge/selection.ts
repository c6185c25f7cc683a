import type { SearchPlan, SearchResult } from './store.ts';
import type { Term } from './terms.ts';

/* Decisions that all stores share, so that engines answer alike. */

/** Hits of each ranking that are fused. */
export const CANDIDATES = 100;
/** In larger stores words in more than half of the chunks are ignored. */
const FEW_CHUNKS = 100;
/** The rarest words: common ones cost time and select little. */
const MAX_TERMS = 64;
/** A query with more unknown words is not in the language of the store. */
export const MAX_CORRECTED = 16;

interface FoundTerm {
  term: Term;
  /** Chunks that have it; 1 where they were not counted. */
  chunks: number;
}

/** The words of a store. */
export interface TermVocabulary {
  chunksWith(word: string): number;
  /** Words that are spelled nearly like an unknown one. */
  repairs(word: string): string[];
}

/** The terms to search with; `all`: chunks of the store. Unknown words give way to known ones. */
export function selectTerms(
  terms: readonly Term[],
  all: number,
  vocabulary: TermVocabulary,
): { terms: Term[]; repaired: SearchResult['repaired'] } {
  const repaired: SearchResult['repaired'] = [];
  const found: FoundTerm[] = [];
  let unknown = 0;
  for (const term of terms) {
    const chunks = term.isPrefix ? 1 : vocabulary.chunksWith(term.word);
    if (chunks > 0) found.push({ term, chunks });
    else if (++unknown <= MAX_CORRECTED) {
      const by = vocabulary.repairs(term.word).filter((word) => vocabulary.chunksWith(word) > 0);
      if (by.length > 0) repaired.push({ word: term.word, by });
      for (const word of by) found.push({ term: { word, isPrefix: false }, chunks: 1 });
    }
  }
  return { terms: rarest(found, all), repaired };
}

function rarest(found: FoundTerm[], all: number): Term[] {
  const selective = found.filter(({ chunks }) => all < FEW_CHUNKS || chunks * 2 <= all);
  const kept = (selective.length > 0 ? selective : found).sort((one, other) => one.chunks - other.chunks);
  return kept.slice(0, MAX_TERMS).map(({ term }) => term);
}

interface Ranking {
  ids: readonly number[];
  /** 0: only fills up the other rankings. */
  weight: number;
}

export interface Ranked {
  id: number;
  /** 0 to 1: first in all rankings. */
  score: number;
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

/** Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009). */
const SMOOTHING = 60;

/** Reciprocal rank fusion. Ties keep the order of the first ranking that has them. */
export function fuse(rankings: readonly Ranking[], limit: number): Ranked[] {
  const scores = new Map<number, number>();
  for (const { ids, weight } of rankings) {
    for (const [index, id] of ids.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (SMOOTHING + index + 1));
    }
  }
  const best = rankings.reduce((sum, { weight }) => sum + weight / (SMOOTHING + 1), 0);
  return [...scores]
    .map(([id, score]) => ({ id, score: best === 0 ? 0 : score / best }))
    .sort((one, other) => other.score - one.score)
    .slice(0, limit);
}
