export interface Ranking {
  /** Best first. */
  ids: readonly number[];
  /** What a place in it counts; 0: only to fill up what the others leave. */
  weight: number;
}

export interface Ranked {
  id: number;
  /** 0 to 1: that of what is first in all rankings. */
  score: number;
}

/** Of Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009). */
const SMOOTHING = 60;

/**
 * Joins rankings whose scores cannot be compared by the places in them: each counts weight / (60 + place). What is equal
 * stands in the order of the first ranking that has it.
 */
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
