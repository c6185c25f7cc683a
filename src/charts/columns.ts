import { messageSketch, type Point, type Sheet, type Sketch, whyNothing } from './drawing.ts';
import { extentOf } from './line.ts';
import { type Mark, rounded } from './marks.ts';
import { plotOf, REPEATED } from './plot.ts';
import { added } from './scale.ts';
import { paintOf, pointNames, type Series } from './series.ts';

const WIDEST = 48;
/** Counts and sums of groups add up to that of all. */
const ADDITIVE = new Set(['count', 'sum']);

/** From where to where a value is drawn, in its own units; null where there is none. */
type Span = { from: number; to: number } | null;

/** Bars over time: on top of each other where they add up, else side by side. */
export function drawColumns(series: Series, sheet: Sheet): Sketch {
  const { lines, times } = series;
  const isStacked = lines.length > 1 && ADDITIVE.has(sheet.basis.aggregation ?? 'count');
  const spans = isStacked ? stackedSpans(series) : lines.map(({ values }) => values.map(fromZero));
  const ends = spans.flatMap((line) => line.flatMap((span) => (span === null ? [] : [span.to])));
  if (ends.length === 0 || sheet.basis.matchedEvents === 0) return messageSketch(whyNothing(sheet.basis), sheet);
  const [least, most] = extentOf(ends);
  const plot = plotOf(series, least, most, sheet, { isBars: true });
  const { y, xOf, pitch } = plot;
  const perBucket = isStacked ? 1 : lines.length;
  const all = Math.min(pitch * (pitch < 4 ? 1 : 0.72), WIDEST * perBucket);
  const width = all / perBucket;
  const startOf = (bucket: number, line: number) => xOf(bucket) - all / 2 + (isStacked ? 0 : line * width);
  const seen = seenBuckets(spans, times.length, (plot.right - plot.left) / perBucket);
  const gap = width >= 8 ? 1 : 0;
  const marks = spans.map((line, index): Mark => {
    const { color, isRepeated } = paintOf(index, lines[index]!.name, sheet.palette);
    const radius = isStacked || width < 6 ? 0 : Math.min(3, width / 4);
    const bars = seen.map((bucket) => {
      const span = line[bucket];
      if (!span || span.from === span.to) return '';
      const [from, to] = [y.at(span.from), y.at(span.to)];
      // A line of the background between what lies on each other.
      const apart = isStacked && span.from !== 0 && Math.abs(to - from) > 2 * gap ? gap * Math.sign(to - from) : 0;
      const least = (plot.right - plot.left) / times.length < 1 ? 1 : 0;
      return barPath(
        startOf(bucket, index),
        Math.max(least, width - (perBucket > 1 ? gap : 0)),
        from + apart,
        to,
        radius,
      );
    });
    return ['path', { d: bars.join(''), fill: color, ...(isRepeated ? { 'fill-opacity': REPEATED } : {}) }];
  });
  const points = () => {
    const nameAt = pointNames(series, sheet.dates);
    return times.flatMap((_, bucket) =>
      lines.flatMap((line, index): Point[] => {
        const span = spans[index]![bucket];
        if (!span) return [];
        const label = nameAt(bucket, line) + sheet.numbers.full(line.values[bucket]!);
        return [{ x: startOf(bucket, index) + width / 2, y: y.at(span.to), label }];
      }),
    );
  };
  return { marks: [...plot.marks, ...marks], points };
}

function fromZero(value: number | null): Span {
  return value === null ? null : { from: 0, to: value };
}

/** Negative values are stacked below zero. */
function stackedSpans({ lines, times }: Series): Span[][] {
  const above = times.map(() => 0);
  const below = times.map(() => 0);
  return lines.map(({ values }) =>
    values.map((value, bucket) => {
      if (value === null) return null;
      const sums = value < 0 ? below : above;
      const from = sums[bucket]!;
      sums[bucket] = added(from, value);
      return { from, to: sums[bucket] };
    }),
  );
}

/** Of many buckets to a pixel the one that reaches farthest. */
function seenBuckets(spans: Span[][], count: number, most: number): number[] {
  const size = Math.ceil(count / Math.max(1, most));
  const reach = (bucket: number) => Math.max(...spans.map((line) => Math.abs(line[bucket]?.to ?? 0)));
  return Array.from({ length: Math.ceil(count / size) }, (_, column) => {
    let farthest = column * size;
    for (let bucket = farthest + 1; bucket < Math.min(count, (column + 1) * size); bucket++) {
      if (reach(bucket) > reach(farthest)) farthest = bucket;
    }
    return farthest;
  });
}

/** A bar from one height to another, whose far end is rounded. */
function barPath(x: number, width: number, from: number, to: number, radius: number): string {
  const r = Math.min(radius, Math.abs(to - from));
  const [left, right, start, end] = [x, x + width, from, to].map(rounded);
  if (r < 1) return `M${left} ${start}V${end}H${right}V${start}z`;
  const turn = rounded(to < from ? to + r : to - r);
  const sweep = to < from ? 1 : 0;
  const corner = rounded(r);
  return `M${left} ${start}V${turn}A${corner} ${corner} 0 0 ${sweep} ${rounded(x + r)} ${end}H${rounded(x + width - r)}A${corner} ${corner} 0 0 ${sweep} ${right} ${turn}V${start}z`;
}
