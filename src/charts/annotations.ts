import type { Annotation } from './answer.ts';
import type { Dates, Unit } from './dates.ts';
import { LABEL_SIZE, labelMark, type Point, restOf, type Sheet } from './drawing.ts';
import { type Mark, rectMark, rounded, textMark } from './marks.ts';
import { cut, isolated, plain } from './text.ts';

/** The annotations of a bucket. */
export interface Annotated {
  bucket: number;
  annotations: Annotation[];
}

/**
 * In the order of the buckets. `labels`: of all buckets, ascending. What precedes the first one is
 * left out.
 */
export function byBucket(annotations: readonly Annotation[] = [], labels: readonly string[]): Annotated[] {
  if (annotations.length === 0) return [];
  const starts = labels.map((label) => Date.parse(label));
  const bucketOf = ({ at }: Annotation) => starts.findLastIndex((start) => start <= Date.parse(at));
  return [...Map.groupBy(annotations, bucketOf)]
    .filter(([bucket]) => bucket >= 0)
    .sort(([one], [other]) => one - other)
    .map(([bucket, some]) => ({ bucket, annotations: some }));
}

/** "Mar 5, 2026: Release 2.3; Price change" */
export function annotationText({ annotations }: Annotated, unit: Unit, dates: Dates): string {
  const byDate = Map.groupBy(annotations, ({ at }) => dates.instant(at, unit));
  const textOf = ({ text }: Annotation) => isolated(plain(text));
  return [...byDate].map(([date, some]) => `${date}: ${some.map(textOf).join('; ')}`).join('; ');
}

/** Several buckets share a marker where there is no room for two. */
interface Marker {
  x: number;
  annotated: Annotated[];
}

interface Area {
  left: number;
  right: number;
  /** The top of the strip of markers, or of the plot without them. */
  top: number;
  /** The bottom of the lines. */
  bottom: number;
  xOf(bucket: number): number;
}

/** The rows below a chart: one for each bucket with annotations, as far as there is room. */
export interface List {
  rows: number;
  /** Pixels from the top of the drawing. */
  top: number;
  /** Pixels with what is above it. */
  height: number;
}

interface Placement {
  unit: Unit;
  area: Area;
  hasMarkers: boolean;
  list: List;
}

const SIZE = 16;
const GAP = 4;
/** Pixels above the plot. */
export const MARKER_STRIP = SIZE + GAP;

export interface DrawnAnnotations {
  marks: Mark[];
  /** The marker whose first bucket is this one, for pointer and keys. */
  pointsAt(bucket: number): Point[];
}

/**
 * A dashed line at each bucket with annotations, and numbered markers above, which never overlap.
 */
export function drawAnnotations(
  annotated: readonly Annotated[],
  { unit, area, hasMarkers, list }: Placement,
  sheet: Sheet,
): DrawnAnnotations {
  if (annotated.length === 0) return { marks: [], pointsAt: () => [] };
  const markers = markersOf(annotated, area);
  const from = rounded(area.top + (hasMarkers ? SIZE : 0));
  const lines = annotated.map(({ bucket }) => `M${rounded(area.xOf(bucket))} ${from}V${rounded(area.bottom)}`).join('');
  const marks: Mark[] = [
    ['path', { d: lines, stroke: sheet.palette.muted, 'stroke-dasharray': '3 3', fill: 'none' }],
    ...(hasMarkers ? markers.flatMap(({ x }, index) => markerMarks(index + 1, x, area.top, sheet)) : []),
    ...listMarks(markers, unit, list, sheet),
  ];
  const points = new Map(
    markers.map(({ x, annotated: some }): [number, Point] => [
      some[0]!.bucket,
      {
        x,
        y: area.top + (hasMarkers ? SIZE / 2 : 0),
        ...(hasMarkers ? { radius: SIZE / 2 } : {}),
        label: some.map((one) => annotationText(one, unit, sheet.dates)).join('\n'),
      },
    ]),
  );
  return { marks, pointsAt: (bucket) => (points.has(bucket) ? [points.get(bucket)!] : []) };
}

function markersOf(annotated: readonly Annotated[], { left, right, xOf }: Area): Marker[] {
  const markers: Marker[] = [];
  for (const one of annotated) {
    const x = Math.min(right, Math.max(left, xOf(one.bucket)));
    const last = markers.at(-1);
    if (last && x - last.x < SIZE + GAP) last.annotated.push(one);
    else markers.push({ x, annotated: [one] });
  }
  return markers;
}

function markerMarks(number: number, x: number, top: number, { palette }: Sheet): Mark[] {
  const shape = { rx: SIZE / 2, fill: palette.surface, stroke: palette.muted };
  const text = { 'font-size': 10, 'font-weight': 600, fill: palette.text, 'text-anchor': 'middle' };
  return [rectMark(x - SIZE / 2, top, SIZE, SIZE, shape), textMark(x, top + SIZE / 2 + 3.6, String(number), text)];
}

const ROW = 20;
const ABOVE_ROWS = 10;
const MOST_ROWS = 5;
/** The share of the drawing's height. */
const MOST_SHARE = 0.35;

/** `room`: pixels that the list may take. */
export function listBelow(annotated: readonly Annotated[], room: number, { height, listsAnnotations }: Sheet): List {
  const most = Math.floor((Math.min(height * MOST_SHARE, room) - ABOVE_ROWS) / ROW);
  const rows = listsAnnotations ? Math.max(0, Math.min(annotated.length, MOST_ROWS, most)) : 0;
  const used = rows === 0 ? 0 : rows * ROW + ABOVE_ROWS;
  return { rows, top: height - used + ABOVE_ROWS, height: used };
}

/** The last row says how many are left out. */
function listMarks(markers: readonly Marker[], unit: Unit, { rows, top }: List, sheet: Sheet): Mark[] {
  if (rows === 0) return [];
  const { width, palette, dates, numbers } = sheet;
  const all = markers.flatMap(({ annotated }, marker) =>
    annotated.map((one, within) => ({ one, number: within === 0 ? marker + 1 : null })),
  );
  const shown = all.length > rows ? all.slice(0, rows - 1) : all;
  const rest = all.slice(shown.length).reduce((sum, { one }) => sum + one.annotations.length, 0);
  const left = SIZE + GAP * 2;
  const line = (row: number, text: string, fill: string) =>
    labelMark(left, top + row * ROW + LABEL_SIZE, cut(text, width - left, LABEL_SIZE), width, fill);
  return [
    ...shown.flatMap(({ one, number }, row): Mark[] => [
      ...(number === null ? [] : markerMarks(number, SIZE / 2 + 1, top + row * ROW, sheet)),
      line(row, annotationText(one, unit, dates), palette.text),
    ]),
    ...(rest > 0 ? [line(shown.length, restOf(rest, numbers), palette.muted)] : []),
  ];
}
