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

/** Of the change's sign in full; against it, only as far as the change is smaller. */
function strengthOf({ excess, contribution }: Group, change: number): number {
  const isAlong = excess * change > 0;
  return isAlong ? Math.abs(excess) : Math.min(Math.abs(excess), Math.abs(contribution));
}

function rankOf(group: Group, change: number): number {
  if (group.isRest) return Number.NEGATIVE_INFINITY;
  return strengthOf(group, change);
}
