import { SIGNIFICANT_DIGITS } from '../decimals.ts';
import { type Breakdown, type Group, isTestable } from './breakdown.ts';
import { criticalZScore } from './evidence.ts';

export interface RankedProperty {
  property: string;
  /** The likeliest cause first, the rest last. */
  groups: Group[];
  /** A group stands out from chance. */
  standsOut: boolean;
}

export interface Ranking {
  properties: RankedProperty[];
  comparisons: number;
}

/**
 * Properties by how much more of the change a group carries than its share, among the groups that
 * stand out from chance. Among groups, those come first whose excess has the change's sign: with
 * two groups the excesses are equal and opposite, and only one of them changed the measure in its
 * direction.
 */
export function rankingOf({ before, now, properties }: Breakdown, names: readonly string[]): Ranking {
  const change = (now ?? 0) - (before ?? 0);
  const comparisons = properties.flat().filter(isTestable).length;
  const limit = criticalZScore(comparisons);
  const ranked = properties.map((groups, index) => {
    const sorted = groups.toSorted((one, other) => rankOf(other, change) - rankOf(one, change));
    const outstanding = sorted.filter((group) => isTestable(group) && Math.abs(group.zScore) > limit);
    const strength = Math.max(0, ...outstanding.map((group) => strengthOf(group, change)));
    const evidence = Math.max(0, ...groups.filter(isTestable).map(({ zScore }) => Math.abs(zScore)));
    return { property: names[index]!, groups: sorted, standsOut: outstanding.length > 0, strength, evidence };
  });
  ranked.sort((one, other) => other.strength - one.strength || other.evidence - one.evidence);
  return { properties: ranked.map(({ strength: _, evidence: __, ...one }) => one), comparisons };
}

/** Counts in full with the change's sign; against it, only as far as the change is smaller. */
function strengthOf({ excess, contribution }: Group, change: number): number {
  const isAlong = excess * change > 0;
  return isAlong ? Math.abs(excess) : Math.min(Math.abs(excess), Math.abs(contribution));
}

function rankOf(group: Group, change: number): number {
  if (group.isRest) return Number.NEGATIVE_INFINITY;
  return strengthOf(group, change);
}

/**
 * The numbers, rounded to so many decimal places that the largest has 15 significant digits, such
 * that in decimal arithmetic they add up to the total exactly. The last one takes the remainder of
 * the rounding.
 */
export function exactShares(numbers: readonly number[], total: number): number[] {
  if (numbers.length === 0) return [];
  const places = placesOf([total, ...numbers]);
  const scale = 10 ** places;
  const whole = numbers.map((number) => Math.round(number * scale));
  const remainder = Math.round(total * scale) - whole.reduce((sum, one) => sum + one, 0);
  whole[whole.length - 1]! += remainder;
  return whole.map((one) => Number((one / scale).toFixed(places)) + 0);
}

const MAX_PLACES = 20;

function placesOf(numbers: readonly number[]): number {
  const largest = Math.max(...numbers.map(Math.abs));
  if (largest === 0 || !Number.isFinite(largest)) return 0;
  const exponent = Number(largest.toExponential().split('e')[1]);
  return Math.min(MAX_PLACES, Math.max(0, SIGNIFICANT_DIGITS - 1 - exponent));
}
