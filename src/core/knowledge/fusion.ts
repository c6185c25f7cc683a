export interface Ranking {
  ids: readonly number[];
  /** 0: only fills up the other rankings. */
  weight: number;
}

export interface Ranked {
  id: number;
  /** 0 to 1: first in all rankings. */
  score: number;
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
