import type { Point } from '../../../src/charts/card.ts';
import { PALETTES, type Palette } from '../../../src/charts/palette.ts';

/** Sets the custom properties that charts are drawn with: a theme changes without drawing again. */
export function setChartColours(): void {
  const { light, dark } = PALETTES;
  const set = (name: string, inLight: string, inDark: string) =>
    document.documentElement.style.setProperty(`--chart-${name}`, `light-dark(${inLight}, ${inDark})`);
  for (const name of Object.keys(light) as (keyof Palette)[]) {
    const [inLight, inDark] = [light[name], dark[name]];
    if (typeof inLight === 'string') set(name, inLight, inDark as string);
    else for (const [index, colour] of inLight.entries()) set(`${name}-${index + 1}`, colour, dark.series[index]!);
  }
}

/** How many points each arrow key moves. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The index of the point after a key; null for none (Escape). Undefined for keys without a meaning here. */
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
