import type { Contribution } from './contributions.ts';

/**
 * How far a group's contribution differs from its weight's share of a change that all groups have
 * alike.
 */
export interface Evidence {
  /** In units of the measure; of the change's sign where the group carries more than its share. */
  excess: number;
  /** The excess in standard deviations of what chance makes of it. */
  zScore: number;
}

/**
 * Under the null hypothesis each event falls into its group whatever the period. The excess is then
 * a difference of two sums over independent events, whose variance is the sum of their squared
 * deviations: (1 - w)² of each event of the group and w² of each other one, where w is the group's
 * weight. `clusters.ts` corrects it for events that come together.
 */
export function evidenceOf(
  { contribution, weight, sumOfSquares }: Contribution,
  common: number,
  all: Contribution['sumOfSquares'],
): Evidence {
  const excess = contribution - weight * common;
  const own = sumOfSquares.before + sumOfSquares.now;
  const others = Math.max(0, all.before + all.now - own);
  return { excess, zScore: zScoreOf(excess, own * (1 - weight) ** 2 + others * weight ** 2) };
}

export function zScoreOf(excess: number, variance: number): number {
  return variance > 0 ? excess / Math.sqrt(variance) : 0;
}

/**
 * The chance that any comparison stands out by chance alone; docs/explain.md promises less than 5
 * %.
 */
const FAMILY_WISE_ERROR_RATE = 0.02;

/**
 * The z-score from which one of so many comparisons stands out from chance: two-sided, corrected by
 * Bonferroni.
 */
export function criticalZScore(comparisons: number): number {
  return normalQuantile(1 - FAMILY_WISE_ERROR_RATE / (2 * Math.max(1, comparisons)));
}

/**
 * The quantile of the standard normal distribution, for 0.5 to 1: Abramowitz and Stegun 26.2.23,
 * wrong by less than 0.00045.
 */
function normalQuantile(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(1 - probability));
  return (
    t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  );
}
