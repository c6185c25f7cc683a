import { drawAnnotations, listBelow, MARKER_STRIP } from './annotations.ts';
import { LABEL_SIZE, labelMark, labelWidth, type Point, type Sheet } from './drawing.ts';
import { type Legend, legendOf } from './legend.ts';
import { type Mark, rounded, textMark } from './marks.ts';
import { type Scale, scaleOf } from './scale.ts';
import { paintOf, type Series } from './series.ts';
import { cut } from './text.ts';
import { timeLabels } from './time-labels.ts';

/** Axes of values over time, and the positions of buckets and values. */
export interface Plot {
  marks: Mark[];
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Pixels from one bucket to the next. */
  pitch: number;
  /** The middle of a bucket, in pixels. */
  xOf(index: number): number;
  y: Scale;
  /** The marker of annotations that begins at a bucket. */
  annotationsAt(index: number): Point[];
}

const BOTTOM = 24;
/** Half a marker of annotations. */
const SIDE = 9;
const TOP = 8;
const GAP = 10;
/** The height of the unit above the axis. */
const UNIT = 18;
/** The least height of the plot; the parts above and below must leave it so much. */
const LEAST_PLOT = 48;

/** `least` and `most` of all values. Bars are inset by half a bucket; a line begins at the axis. */
export function plotOf(series: Series, least: number, most: number, sheet: Sheet, { isBars = false } = {}): Plot {
  const { width, height, palette, values } = sheet;
  const legend = legendOfSeries(series, sheet);
  const { annotated, unit } = series;
  const room = height - legend.height - TOP - BOTTOM - LEAST_PLOT;
  const unitText = room >= UNIT ? values.axisUnit : '';
  const strip = legend.height + (unitText === '' ? 0 : UNIT);
  const hasMarkers = annotated.length > 0 && room >= UNIT + MARKER_STRIP;
  const top = strip + TOP + (hasMarkers ? MARKER_STRIP : 0);
  const list = listBelow(annotated, hasMarkers ? room - UNIT - MARKER_STRIP : 0, sheet);
  const end = height - list.height;
  const bottom = Math.max(top + 1, end - BOTTOM);
  const y = scaleOf(least, most, [bottom, top], Math.max(1, Math.min(5, Math.round((bottom - top) / 44))));
  const isLarge = Math.max(-least, most) >= 10_000;
  const ticks = y.ticks.map((value) => ({ value, text: values.tick(value, isLarge) }));
  const left = Math.min(width / 3, Math.max(...ticks.map(({ text }) => labelWidth(text))) + GAP);
  const count = series.times.length;
  const right = width - (isBars ? 0 : Math.min(12, width / 20));
  const inset = isBars || count === 1 ? 0.5 : 0;
  const pitch = (right - left) / (isBars || count === 1 ? count : count - 1);
  const plot = { left, right, top, bottom, pitch, y, xOf: (index: number) => left + (index + inset) * pitch };
  const grid = ticks.map(({ value }) => `M${rounded(left)} ${rounded(y.at(value))}H${rounded(width)}`).join('');
  const area = { left: SIDE, right: width - SIDE, top: hasMarkers ? strip + 1 : top, bottom, xOf: plot.xOf };
  const drawn = drawAnnotations(annotated, { unit, area, hasMarkers, list }, sheet);
  const zero = rounded(y.at(0));
  return {
    ...plot,
    annotationsAt: drawn.pointsAt,
    marks: [
      ...legend.marks,
      ...(unitText === '' ? [] : [labelMark(0, legend.height + LABEL_SIZE, unitText, width, palette.muted)]),
      ['path', { d: grid, stroke: palette.grid }],
      ['path', { d: `M${rounded(left)} ${zero}H${rounded(width)}`, stroke: palette.muted, 'stroke-opacity': 0.6 }],
      ...drawn.marks,
      [
        'g',
        { 'font-size': LABEL_SIZE, fill: palette.muted, 'text-anchor': 'end' },
        ...ticks.map(({ value, text }) =>
          textMark(left - GAP, y.at(value) + LABEL_SIZE * 0.35, cut(text, left - GAP, LABEL_SIZE), {}),
        ),
      ],
      [
        'g',
        { 'font-size': LABEL_SIZE, fill: palette.muted, 'text-anchor': 'middle' },
        ...timeMarks(series, plot, end, sheet),
      ],
    ],
  };
}

/** Labels near the edges move inwards; those that would touch the one before are left out. */
function timeMarks(
  series: Series,
  { left, right, xOf }: Pick<Plot, 'left' | 'right' | 'xOf'>,
  bottom: number,
  sheet: Sheet,
): Mark[] {
  let end = Number.NEGATIVE_INFINITY;
  return timeLabels(series, sheet.dates, right - left, labelWidth).flatMap(({ index, text }) => {
    const half = labelWidth(text) / 2;
    const x = Math.max(half, Math.min(sheet.width - half, xOf(index)));
    if (x - half < end + GAP || half * 2 > sheet.width) return [];
    end = x + half;
    return [textMark(x, bottom - 4, text, {})];
  });
}

function legendOfSeries({ lines }: Series, sheet: Sheet): Legend {
  if (lines.length === 1 && lines[0]!.name === null) return { marks: [], height: 0 };
  const entries = lines.map(({ name }, index) => {
    const { color, isRepeated } = paintOf(index, name, sheet.palette);
    return { name: name ?? '', square: { fill: color, ...(isRepeated ? { 'fill-opacity': REPEATED } : {}) } };
  });
  return legendOf(entries, sheet);
}

/** The opacity of a series that has the colour of an earlier one. */
export const REPEATED = 0.55;
