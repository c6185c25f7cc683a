/*
 * Agreement beyond chance: kappa = (observed - expected) / (1 - expected).
 *
 * Cohen's, where the same two assessors answer all items (Educational and Psychological Measurement
 * 20, 1960), weighted for ordered categories (Psychological Bulletin 70, 1968). Fleiss' for any
 * others (Psychological Bulletin 76, 1971), for different numbers of answers and with weights as in
 * Gwet, Handbook of Inter-Rater Reliability (4th edition, 2014), chapters 2 and 3: each item counts
 * once. Items with one answer are left out.
 */

/** How far two categories, by their index, agree: 1 for the same one. */
export type Weight = (one: number, other: number) => number;

export const nominal: Weight = (one, other) => (one === other ? 1 : 0);

/** For `categories` in an order: less by the square of their distance. */
export function quadratic(categories: number): Weight {
  return (one, other) => 1 - ((one - other) / (categories - 1)) ** 2;
}

/** Items that have the same answers. */
export interface AnswerPattern {
  times: number;
  /** The category of each answer; Cohen's kappa has those of its two assessors in their order. */
  categories: readonly number[];
  /** The share of pairs of answers that are equal. */
  equal: number;
  /** The average weight of pairs of answers. */
  agreed: number;
}

export interface Tallied {
  patterns: AnswerPattern[];
  coefficient: 'cohen' | 'fleiss';
  items: number;
  assessors: number;
  /** The share of pairs of answers that are equal, averaged over the items; null without items. */
  raw: number | null;
  /** Categories that were chosen. */
  chosen: number;
}

/** Takes one item after the other, and keeps no more than the different ones. */
export class Tally {
  private readonly weight: Weight;
  private readonly patterns = new Map<string, AnswerPattern>();
  /** Null as soon as an item has other assessors than the one before. */
  private ofPair: Map<string, AnswerPattern> | null = new Map();
  private pair: readonly [string, string] | undefined;
  private readonly assessors = new Set<string>();
  private items = 0;

  constructor(weight: Weight) {
    this.weight = weight;
  }

  /** The category that each assessor chose for an item. */
  add(answers: ReadonlyMap<string, number>): void {
    if (answers.size < 2) return;
    this.items += 1;
    for (const assessor of answers.keys()) this.assessors.add(assessor);
    this.count(
      this.patterns,
      [...answers.values()].sort((one, other) => one - other),
    );
    this.addToPair(answers);
  }

  result(): Tallied {
    const { items, assessors, ofPair } = this;
    const patterns = [...(ofPair ?? this.patterns).values()];
    const equal = patterns.reduce((sum, pattern) => sum + pattern.times * pattern.equal, 0);
    return {
      patterns,
      coefficient: ofPair === null ? 'fleiss' : 'cohen',
      items,
      assessors: assessors.size,
      raw: items === 0 ? null : equal / items,
      chosen: new Set(patterns.flatMap(({ categories }) => categories)).size,
    };
  }

  private addToPair(answers: ReadonlyMap<string, number>): void {
    if (this.ofPair === null) return;
    this.pair ??= [...answers.keys()] as [string, string];
    const categories = this.pair.flatMap((assessor) => answers.get(assessor) ?? []);
    if (answers.size === 2 && categories.length === 2) this.count(this.ofPair, categories);
    else this.ofPair = null;
  }

  private count(patterns: Map<string, AnswerPattern>, categories: readonly number[]): void {
    const key = categories.join();
    const known = patterns.get(key);
    if (known) {
      known.times += 1;
      return;
    }
    const [equal, agreed] = [averageOfPairs(categories, nominal), averageOfPairs(categories, this.weight)];
    patterns.set(key, { times: 1, categories, equal, agreed });
  }
}

function averageOfPairs(categories: readonly number[], weight: Weight): number {
  let sum = 0;
  for (let one = 1; one < categories.length; one++) {
    for (let other = 0; other < one; other++) sum += weight(categories[one]!, categories[other]!);
  }
  return sum / ((categories.length * (categories.length - 1)) / 2);
}

interface Weighed extends Pick<Tallied, 'patterns' | 'coefficient'> {
  categories: number;
  weight: Weight;
}

/** Each pattern counts as often as `times` says, which need not be whole. NaN for one category. */
export function kappaOf({ patterns, coefficient, categories, weight }: Weighed, times: ArrayLike<number>): number {
  const shares = [new Float64Array(categories), new Float64Array(categories)] as const;
  const [first, second] = coefficient === 'cohen' ? shares : [shares[0], shares[0]];
  let [total, observed] = [0, 0];
  for (const [index, pattern] of patterns.entries()) {
    const often = times[index]!;
    total += often;
    observed += often * pattern.agreed;
    if (coefficient === 'cohen') {
      first[pattern.categories[0]!]! += often;
      second[pattern.categories[1]!]! += often;
    } else {
      const share = often / pattern.categories.length;
      for (const category of pattern.categories) first[category]! += share;
    }
  }
  let expected = 0;
  for (const [one, share] of first.entries()) {
    for (const [other, beside] of second.entries()) expected += weight(one, other) * share * beside;
  }
  expected /= total * total;
  return (observed / total - expected) / (1 - expected);
}
