import type { Point } from '../../../src/charts/card.ts';

/** Of arrow keys: how far each goes in the points. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The index that a key leads to from the reached one; null: none. Undefined for other keys. */
export function reachedByKey(key: string, reached: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return null;
  const step = STEPS[key];
  if (step === undefined || count === 0) return undefined;
  const next = reached === null ? (step > 0 ? 0 : count - 1) : reached + step;
  return Math.max(0, Math.min(count - 1, next));
}

/** The index of the point nearest to a place in the drawing, in pixels. Null without points. */
export function nearest(points: readonly Point[], x: number, y: number): number | null {
  let best: number | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, point] of points.entries()) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance >= shortest) continue;
    shortest = distance;
    best = index;
  }
  return best;
}
