import { isAdditive, messageSketch, type Point, type Sheet, type Sketch, whyNothing } from './drawing.ts';
import { drawLines, extentOf } from './line.ts';
import { type Mark, rounded } from './marks.ts';
import { plotOf, REPEATED } from './plot.ts';
import { added, type Scale } from './scale.ts';
import { paintOf, pointNames, type Series } from './series.ts';

const WIDEST = 48;
/** The share of a bucket that bars fill. */
const FILLED = 0.72;

/** Both ends of a bar, in the unit of the value; null for a bucket without a value. */
type Span = { from: number; to: number } | null;

/** Narrower bars side by side, in pixels, could not be told apart. */
const NARROWEST = 3;

/**
 * Bars over time: stacked where the groups add up, else side by side, or lines if there are too
 * many for that.
 */
export function drawColumns(series: Series, sheet: Sheet): Sketch {
  const { lines, times } = series;
  const isStacked = lines.length > 1 && isAdditive(sheet.basis);
  const spans = isStacked ? stackedSpans(series) : lines.map(({ values }) => values.map(fromZero));
  const ends = spans.flatMap((line) => line.flatMap((span) => (span === null ? [] : [span.to])));
  if (ends.length === 0 || sheet.basis.matchedEvents === 0) return messageSketch(whyNothing(sheet), sheet);
  const [least, most] = extentOf(ends);
  const plot = plotOf(series, least, most, sheet, { isBars: true });
  const perBucket = isStacked ? 1 : lines.length;
  if (perBucket > 1 && plot.pitch * FILLED < NARROWEST * perBucket) return drawLines(series, sheet);
  const columns = columnsOf(spans, times.length, (plot.right - plot.left) / perBucket);
  const pitch = plot.pitch * columns.size;
  const all = Math.min(pitch * (pitch < 4 ? 1 : FILLED), WIDEST * perBucket);
  const width = all / perBucket;
  const startOf = (column: number, line: number) => {
    const middle = plot.left + (column + 0.5) * pitch;
    return Math.min(plot.right - all, middle - all / 2) + (isStacked ? 0 : line * width);
  };
  const shape = { y: plot.y, width, isStacked };
  const marks = spans.map((line, index): Mark => {
    const { color, isRepeated } = paintOf(index, lines[index]!.name, sheet.palette);
    const bars = columns.buckets.map((bucket, column) => barPath(line[bucket]!, startOf(column, index), shape));
    return ['path', { d: bars.join(''), fill: color, ...(isRepeated ? { 'fill-opacity': REPEATED } : {}) }];
  });
  const points = () => {
    const nameAt = pointNames(series, sheet.dates);
    return times.flatMap((_, bucket) => [
      ...plot.annotationsAt(bucket),
      ...lines.flatMap((line, index): Point[] => {
        const span = spans[index]![bucket];
        if (!span) return [];
        const label = nameAt(bucket, line) + sheet.values.full(line.values[bucket]!);
        return [{ x: startOf(Math.floor(bucket / columns.size), index) + width / 2, y: plot.y.at(span.to), label }];
      }),
    ]);
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

/** Where several buckets share a pixel, only the one that reaches farthest from zero is drawn. */
function columnsOf(spans: Span[][], count: number, pixels: number): { size: number; buckets: number[] } {
  const size = Math.ceil(count / Math.max(1, pixels));
  const reachOf = (bucket: number) => Math.max(...spans.map((line) => Math.abs(line[bucket]?.to ?? 0)));
  const buckets = Array.from({ length: Math.ceil(count / size) }, (_, column) => {
    let farthest = column * size;
    for (let bucket = farthest + 1; bucket < Math.min(count, (column + 1) * size); bucket++) {
      if (reachOf(bucket) > reachOf(farthest)) farthest = bucket;
    }
    return farthest;
  });
  return { size, buckets };
}

/** A bar with a rounded far end; stacked bars have a gap of one pixel instead. */
function barPath(
  span: Span,
  x: number,
  { y, width, isStacked }: { y: Scale; width: number; isStacked: boolean },
): string {
  if (span === null || span.from === span.to) return '';
  const near = y.at(span.from);
  const end = y.at(span.to);
  const isApart = isStacked && width >= 8 && span.from !== 0 && Math.abs(end - near) > 2;
  const start = near + (isApart ? Math.sign(end - near) : 0);
  const radius = isStacked || width < 6 ? 0 : Math.min(3, width / 4, Math.abs(end - start));
  const [left, right, from, to] = [x, x + width, start, end].map(rounded);
  if (radius < 1) return `M${left} ${from}V${to}H${right}V${from}z`;
  const turn = rounded(end < start ? end + radius : end - radius);
  const corner = `A${rounded(radius)} ${rounded(radius)} 0 0 ${end < start ? 1 : 0}`;
  return `M${left} ${from}V${turn}${corner} ${rounded(x + radius)} ${to}H${rounded(x + width - radius)}${corner} ${right} ${turn}V${from}z`;
}
