import { scaleLinear } from 'd3-scale';

export interface Scale {
  /** Pixels. */
  at(value: number): number;
  ticks: number[];
}

/** Sums and differences within it are finite. */
const LARGEST = 4e307;
/** Steps below it are not. */
const SMALLEST = 1e-300;

/** A round scale that includes zero and every value. */
export function scaleOf(least: number, most: number, [start, end]: [number, number], ticks: number): Scale {
  const low = withinLimits(Math.min(0, least));
  const high = withinLimits(Math.max(0, most));
  const scale = scaleLinear([low, high === low ? low + 1 : high], [start, end]).nice(ticks);
  return { at: (value) => scale(withinLimits(value)), ticks: scale.ticks(ticks) };
}

/** The sum of values of the same sign, which stays finite. */
export function added(one: number, other: number): number {
  return withinLimits(withinLimits(one) + withinLimits(other));
}

function withinLimits(value: number): number {
  if (Math.abs(value) < SMALLEST) return 0;
  return Math.max(-LARGEST, Math.min(LARGEST, value));
}
