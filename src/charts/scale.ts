export interface Scale {
  /** The position of a value, in pixels. */
  at(value: number): number;
  ticks: number[];
}

/** The positions of the lowest and the highest value, in pixels. */
export type Range = [start: number, end: number];

/** Sums and differences of numbers up to this are finite. */
const LARGEST = 4e307;
/** Smaller numbers count as 0: steps between them would underflow. */
const SMALLEST = 1e-300;

/** A scale that includes zero and every value, and ends at round values. */
export function scaleOf(least: number, most: number, range: Range, ticks: number): Scale {
  const [lowest, highest] = limitsOf(least, most);
  // With few ticks the next round value may be far away, so the ends have a finer step.
  const ending = stepOf(highest - lowest, Math.max(4, ticks));
  const low = Math.floor(lowest / ending) * ending;
  const high = Math.ceil(highest / ending) * ending;
  // The label 0 alone would say nothing of the scale.
  const step = Math.min(stepOf(high - low, ticks), Math.max(-low, high));
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return {
    at: between(low, high, range),
    ticks: Array.from({ length: count }, (_, index) => (first + index) * step),
  };
}

/** A scale that includes zero and every value, and ends at the outermost of them. */
export function exactScaleOf(least: number, most: number, range: Range): Scale['at'] {
  return between(...limitsOf(least, most), range);
}

function limitsOf(least: number, most: number): [number, number] {
  const low = withinLimits(Math.min(0, least));
  return [low, withinLimits(Math.max(0, most)) || (low === 0 ? 1 : 0)];
}

function between(low: number, high: number, [start, end]: Range): Scale['at'] {
  // Ticks may be smaller than `SMALLEST`.
  return (value) => start + ((finite(value) - low) / (high - low)) * (end - start);
}

/** 1, 2 or 5 times a power of ten, so that about `count` steps fit in the length. */
function stepOf(length: number, count: number): number {
  const wanted = length / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const times = wanted / power;
  if (times < Math.SQRT2) return power;
  if (times < Math.sqrt(10)) return 2 * power;
  return (times < Math.sqrt(50) ? 5 : 10) * power;
}

/** The sum of two values, kept finite. */
export function added(one: number, other: number): number {
  return withinLimits(withinLimits(one) + withinLimits(other));
}

function withinLimits(value: number): number {
  return Math.abs(value) < SMALLEST ? 0 : finite(value);
}

function finite(value: number): number {
  return Math.max(-LARGEST, Math.min(LARGEST, value));
}
