import { applied, gradientOf, type Linear } from './linear.ts';
import type { ChangeMeasure, Parts } from './measure.ts';

/** The parts in both periods, of a group or of all events. */
export interface Compared<Value = Parts> {
  before: Value;
  now: Value;
}

export interface Contribution {
  /** The part of the change that the group adds. */
  contribution: number;
  /**
   * For a ratio, how far the group's own ratio changed, and how far its weight did. They add up to
   * `contribution`.
   */
  rateEffect?: number;
  mixEffect?: number;
  /** The share of the change that the group would have if all groups changed alike, 0 to 1. */
  weight: number;
  /** Sum of squared deviations of the group's events, in units of the measure. */
  sumOfSquares: { before: number; now: number };
}

/**
 * Splits the change of a measure among disjoint groups that make up `all`. For sums and ratios the
 * contributions add up to the change exactly; for other formulas to its first-order part, at the
 * midpoint of the periods.
 *
 * A ratio N/D changes by the sum of n1/D1 - n0/D0 over the groups. Each group is credited with
 * that, less the mean ratio times the change of its weight d/D: weights add up to 1, so that the
 * sum stays, and a group that grows counts only so far as its ratio differs from the mean (the
 * midpoint form of Kitagawa's decomposition, 1955). What the group's own ratio changed, at its mean
 * weight, is the rate effect; the rest is the mix effect.
 */
export function contributionsOf(measure: ChangeMeasure, all: Compared, groups: readonly Compared[]): Contribution[] {
  switch (measure.form) {
    case 'sum':
      return weighed(measure, measure.numerator, all, groups);
    case 'ratio':
      return ofRatio(measure, all, groups);
    case 'other':
      return weighed(measure, { constant: 0, coefficients: slopesOf(measure, all) }, all, groups);
  }
}

/**
 * An event adds to a contribution as much as it adds to the parts, weighted so, divided by the
 * period's `divisors`.
 */
export interface Deviation {
  weights: readonly number[];
  divisors: Compared<number>;
}

/** From the mean ratio, for a ratio. */
export function deviationOf(measure: ChangeMeasure, all: Compared): Deviation {
  const { numerator, denominator } = measure;
  const divisors = { before: 1, now: 1 };
  if (measure.form === 'other') return { weights: slopesOf(measure, all), divisors };
  if (!denominator) return { weights: numerator.coefficients, divisors };
  const mean = meanRatio(measure, all);
  const size = Math.max(numerator.coefficients.length, denominator.coefficients.length);
  const weights = Array.from(
    { length: size },
    (_, index) => (numerator.coefficients[index] ?? 0) - mean * (denominator.coefficients[index] ?? 0),
  );
  return { weights, divisors: { before: applied(denominator, all.before), now: applied(denominator, all.now) } };
}

function meanRatio({ numerator, denominator }: ChangeMeasure, { before, now }: Compared): number {
  return (
    (applied(numerator, now) / applied(denominator!, now) +
      applied(numerator, before) / applied(denominator!, before)) /
    2
  );
}

function slopesOf(measure: ChangeMeasure, { before, now }: Compared): number[] {
  const middle = before.map((part, index) => (part + now[index]!) / 2);
  return gradientOf(measure.formula!, middle) ?? [];
}

function weighed(measure: ChangeMeasure, slope: Linear, all: Compared, groups: readonly Compared[]): Contribution[] {
  const linear = { ...slope, constant: 0 };
  const size = ({ before, now }: Compared) => sizeOf(linear, before) + sizeOf(linear, now);
  const total = size(all);
  return groups.map((group) => ({
    contribution: applied(linear, group.now) - applied(linear, group.before),
    weight: total === 0 ? 0 : size(group) / total,
    sumOfSquares: { before: measure.sumOfSquares(group.before, 0), now: measure.sumOfSquares(group.now, 0) },
  }));
}

/** The size of all additions and subtractions together. */
function sizeOf({ coefficients }: Linear, parts: Parts): number {
  return coefficients.reduce((sum, coefficient, index) => sum + Math.abs(coefficient * parts[index]!), 0);
}

function ofRatio(measure: ChangeMeasure, all: Compared, groups: readonly Compared[]): Contribution[] {
  const { numerator, denominator } = measure as ChangeMeasure & { denominator: Linear };
  const [whole, wholeBefore] = [applied(denominator, all.now), applied(denominator, all.before)];
  const mean = meanRatio(measure, all);
  return groups.map(({ before, now }) => {
    const [n0, n1] = [applied(numerator, before), applied(numerator, now)];
    const [d0, d1] = [applied(denominator, before), applied(denominator, now)];
    const [w0, w1] = [d0 / wholeBefore, d1 / whole];
    const contribution = n1 / whole - n0 / wholeBefore - mean * (w1 - w0);
    // A group of one period alone has no ratio to compare: all of it is mix.
    const rateEffect = d0 === 0 || d1 === 0 ? 0 : ((w0 + w1) / 2) * (n1 / d1 - n0 / d0);
    return {
      contribution,
      rateEffect,
      mixEffect: contribution - rateEffect,
      weight: (w0 + w1) / 2,
      sumOfSquares: {
        before: measure.sumOfSquares(before, mean) / wholeBefore ** 2,
        now: measure.sumOfSquares(now, mean) / whole ** 2,
      },
    };
  });
}
