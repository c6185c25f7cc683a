import { area, line } from 'd3-shape';
import { LABEL_SIZE, labelMark, messageSketch, type Sheet, type Sketch, whyNothing } from './drawing.ts';
import { type Attributes, type Mark, rounded } from './marks.ts';
import { type Plot, plotOf } from './plot.ts';
import { type ChartLine, type Paint, paintOf, pointNames, type Series } from './series.ts';

/** A line with more points has no dots. */
const MOST_DOTS = 31;
/** More points per pixel would not be visible. */
const POINTS_PER_PIXEL = 2;

export function drawLines(series: Series, sheet: Sheet): Sketch {
  const { lines, times, limit } = series;
  const values = lines.flatMap((one) => one.values.filter((value) => value !== null));
  if (values.length === 0 || sheet.basis.matchedEvents === 0) return messageSketch(whyNothing(sheet), sheet);
  const [least, most] = extentOf(limit === undefined ? values : [...values, limit]);
  const plot = plotOf(series, least, most, sheet);
  const marks = lines.flatMap((one, index) => {
    const paint = paintOf(index, one.name, sheet.palette);
    return lineMarks(one, paint, plot, { isSingle: lines.length === 1 });
  });
  const points = () => {
    const nameAt = pointNames(series, sheet.dates);
    return times.flatMap((_, index) => [
      ...plot.annotationsAt(index),
      ...lines.flatMap((one) => {
        const value = one.values[index] ?? null;
        if (value === null) return [];
        return [{ x: plot.xOf(index), y: plot.y.at(value), label: nameAt(index, one) + sheet.values.full(value) }];
      }),
    ]);
  };
  return { marks: [...plot.marks, ...marks, ...limitMarks(limit, plot, sheet)], points };
}

/**
 * A dashed line with its value, below it where there is no room above; without it in a plot that is
 * too low.
 */
function limitMarks(limit: number | undefined, { left, right, top, bottom, y }: Plot, sheet: Sheet): Mark[] {
  if (limit === undefined) return [];
  const { values, numbers, palette } = sheet;
  const at = y.at(limit);
  const d = `M${rounded(left)} ${rounded(at)}H${rounded(right)}`;
  const dashed: Mark = ['path', { d, stroke: palette.bad, 'stroke-dasharray': '6 4' }];
  if (bottom - top < 3 * LABEL_SIZE) return [dashed];
  const baseline = at - LABEL_SIZE - 5 < top ? at + LABEL_SIZE + 2 : at - 5;
  return [
    dashed,
    labelMark(
      left + 4,
      baseline,
      numbers.say('limit {value}', { value: values.full(limit) }),
      right - left - 4,
      palette.bad,
    ),
  ];
}

/**
 * A single line has an area below it, and dots if its points are few. A value between gaps always
 * has a dot.
 */
function lineMarks(
  { values }: ChartLine,
  { color, isRepeated }: Paint,
  plot: Plot,
  { isSingle }: { isSingle: boolean },
): Mark[] {
  const seen = seenOf(values, (plot.right - plot.left) * POINTS_PER_PIXEL);
  const xOf = (bucket: number) => rounded(plot.xOf(bucket));
  const yOf = (bucket: number) => rounded(plot.y.at(values[bucket]!));
  const isKnown = (bucket: number) => values[bucket] !== null;
  const through = line(xOf, yOf).defined(isKnown);
  const stroke = { stroke: color, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none' };
  const dash: Attributes = isRepeated ? { 'stroke-dasharray': '5 4' } : {};
  const marks: Mark[] = [['path', { d: through(seen) ?? '', 'stroke-width': isSingle ? 2.5 : 2, ...stroke, ...dash }]];
  if (isSingle) {
    const below = area(xOf, rounded(plot.y.at(0)), yOf).defined(isKnown);
    marks.unshift(['path', { d: below(seen) ?? '', fill: color, 'fill-opacity': 0.12 }]);
  }
  const dotted = isSingle && values.length <= MOST_DOTS ? seen : seen.filter((bucket) => isLone(values, bucket));
  // A path of one point is drawn as a dot.
  const dots = dotted.map((bucket) => through([bucket]) ?? '').join('');
  if (dots === '') return marks;
  return [...marks, ['path', { d: dots, 'stroke-width': 7, ...stroke }]];
}

/** True for a value between two gaps: no line leads to it. */
function isLone(values: ChartLine['values'], bucket: number): boolean {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return !isGap(bucket) && isGap(bucket - 1) && isGap(bucket + 1);
}

/** Spreading hundreds of thousands of values into Math.max would exceed the stack. */
export function extentOf(values: number[]): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/**
 * The buckets to draw: of many per pixel the first, lowest, highest and last, so that the line
 * looks the same.
 */
function seenOf(values: ChartLine['values'], most: number): number[] {
  const all = values.map((_, index) => index);
  if (values.length <= most) return all;
  const size = Math.ceil((values.length * 4) / most);
  const seen: number[] = [];
  for (let start = 0; start < values.length; start += size) {
    const column = all.slice(start, start + size);
    const known = column.filter((index) => values[index] !== null);
    // A first or last bucket without a value keeps the gap.
    const [first, last] = [column[0]!, column.at(-1)!];
    const lowest = known.reduce((one, other) => (values[other]! < values[one]! ? other : one), known[0] ?? first);
    const highest = known.reduce((one, other) => (values[other]! > values[one]! ? other : one), known[0] ?? first);
    seen.push(...new Set([first, lowest, highest, last].sort((one, other) => one - other)));
  }
  return seen;
}
