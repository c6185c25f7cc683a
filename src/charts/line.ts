import { area, line } from 'd3-shape';
import { messageSketch, type Sheet, type Sketch, whyNothing } from './drawing.ts';
import type { Attributes, Mark } from './marks.ts';
import { plotOf } from './plot.ts';
import { type Line, paintOf, pointNames, type Series } from './series.ts';

/** Up to as many points are marked by dots. */
const MOST_DOTS = 31;
/** More points to a pixel are not seen. */
const POINTS_PER_PIXEL = 2;

export function drawLines(series: Series, sheet: Sheet): Sketch {
  const { lines, times } = series;
  const values = lines.flatMap((one) => one.values.filter((value) => value !== null));
  if (values.length === 0 || sheet.basis.matchedEvents === 0) return messageSketch(whyNothing(sheet.basis), sheet);
  const [least, most] = extentOf(values);
  const plot = plotOf(series, least, most, sheet);
  const { xOf, y } = plot;
  const isSingle = lines.length === 1;
  const marks: Mark[] = lines.flatMap((one, index) => {
    const seen = seenOf(one, (plot.right - plot.left) * POINTS_PER_PIXEL);
    const yOf = (bucket: number) => y.at(one.values[bucket]!);
    const isKnown = (bucket: number) => one.values[bucket] !== null;
    const drawn = line<number>(xOf, yOf).defined(isKnown).digits(1)(seen);
    if (drawn === null) return [];
    const { color, isRepeated } = paintOf(index, one.name, sheet.palette);
    const stroke = { stroke: color, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', fill: 'none' };
    const dash: Attributes = isRepeated ? { 'stroke-dasharray': '5 4' } : {};
    const below = isSingle ? area<number>(xOf, y.at(0), yOf).defined(isKnown).digits(1)(seen) : null;
    const dots = isSingle && times.length <= MOST_DOTS ? line<number>(xOf, yOf).digits(1) : null;
    return [
      ...(below === null ? [] : [['path', { d: below, fill: color, 'fill-opacity': 0.12 }] as Mark]),
      ['path', { d: drawn, 'stroke-width': isSingle ? 2.5 : 2, ...stroke, ...dash }],
      ...(dots === null
        ? []
        : [
            [
              'path',
              {
                d: seen
                  .filter(isKnown)
                  .map((bucket) => dots([bucket]))
                  .join(''),
                'stroke-width': 7,
                ...stroke,
              },
            ] as Mark,
          ]),
    ];
  });
  const points = () => {
    const nameAt = pointNames(series, sheet.dates);
    return times.flatMap((_, index) =>
      lines.flatMap((one) => {
        const value = one.values[index] ?? null;
        if (value === null) return [];
        return [{ x: xOf(index), y: y.at(value), label: nameAt(index, one) + sheet.numbers.full(value) }];
      }),
    );
  };
  return { marks: [...plot.marks, ...marks], points };
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

/** Of many buckets to a pixel the first, lowest, highest and last: the line looks the same. */
function seenOf({ values }: Line, most: number): number[] {
  const all = values.map((_, index) => index);
  if (values.length <= most) return all;
  const size = Math.ceil((values.length * 4) / most);
  const seen: number[] = [];
  for (let start = 0; start < values.length; start += size) {
    const column = all.slice(start, start + size);
    const known = column.filter((index) => values[index] !== null);
    // One without a value keeps the gap.
    const [first, last] = [column[0]!, column.at(-1)!];
    const lowest = known.reduce((one, other) => (values[other]! < values[one]! ? other : one), known[0] ?? first);
    const highest = known.reduce((one, other) => (values[other]! > values[one]! ? other : one), known[0] ?? first);
    seen.push(...new Set([first, lowest, highest, last].sort((one, other) => one - other)));
  }
  return seen;
}
