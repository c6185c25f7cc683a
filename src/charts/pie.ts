import { arc, pie } from 'd3-shape';
import type { GroupsData } from './answer.ts';
import { drawBars } from './bars.ts';
import { isAdditive, LABEL_SIZE, labelMark, restOf, rowsIn, type Sheet, type Sketch, widestLabel } from './drawing.ts';
import { type Attributes, type Mark, rectMark, rounded, textMark } from './marks.ts';
import { paintOf } from './series.ts';
import { cut, groupNameOf, isolated, widthOf } from './text.ts';

const LARGEST_TOTAL = 1e300;
const GAP = 12;
/** Diameter in pixels. */
const LARGEST = 360;
const SQUARE = 10;
const MOST_ROW = 28;

interface Slice {
  name: string;
  value: number;
  color: string;
  points: { name: string; value: number }[];
}

/** Values that are not parts of a whole, such as averages, are drawn as bars. */
export function drawPie(data: GroupsData, sheet: Sheet): Sketch {
  const { basis, palette, numbers, values: written, width, height } = sheet;
  const values = data.groups.map(({ value }) => value ?? 0);
  const total = values.reduce((sum, value) => sum + value, 0);
  const isWhole = total > 0 && total < LARGEST_TOTAL && values.every((value) => value >= 0);
  if (!isWhole || !isAdditive(basis) || basis.matchedEvents === 0) return drawBars(data, sheet);

  const slices = slicesOf(data, sheet);
  const isNarrow = width < height * 1.15;
  const diameter = Math.max(2, isNarrow ? diameterAbove(slices, sheet) : diameterBeside(slices, total, sheet));
  const radius = diameter / 2;
  const legendHeight = Math.min(height - diameter - GAP, slices.length * MOST_ROW);
  const top = isNarrow ? Math.max(0, (height - diameter - GAP - legendHeight) / 2) : 0;
  const center = isNarrow ? { x: width / 2, y: top + radius } : { x: radius, y: height / 2 };
  const ring = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(radius * 0.64)
    .outerRadius(radius)
    .digits(1);
  const angles = pie<Slice>()
    .value(({ value }) => value / total)
    .sort(null)(slices);
  const paths = angles.map((slice): Mark => {
    // A line in the background's colour separates slices.
    const apart: Attributes = slices.length > 1 ? { stroke: palette.surface, 'stroke-width': radius < 60 ? 1 : 2 } : {};
    return ['path', { d: ring(slice)!, fill: slice.data.color, ...apart }];
  });
  const marks: Mark[] = [
    ['g', { transform: `translate(${rounded(center.x)},${rounded(center.y)})` }, ...paths],
    ...totalMarks(total, radius * 1.1, center, sheet),
    ...(isNarrow
      ? legendMarks(slices, total, { x: 0, y: top + diameter + GAP, width, height: legendHeight }, sheet)
      : legendMarks(slices, total, { x: diameter + GAP * 2, y: 0, width: width - diameter - GAP * 2, height }, sheet)),
  ];
  const points = () =>
    angles.flatMap((slice) => {
      const angle = (slice.startAngle + slice.endAngle) / 2 - Math.PI / 2;
      const [x, y] = [center.x + Math.cos(angle) * radius * 0.82, center.y + Math.sin(angle) * radius * 0.82];
      return slice.data.points.map(({ name, value }) => {
        const label = `${isolated(name)}: ${written.full(value)} (${numbers.percent(value / total)})`;
        return { x, y, label };
      });
    });
  return { marks, points };
}

/** Pixels, with the legend below the pie: as large as the legend's rows allow. */
function diameterAbove({ length }: Slice[], { width, height }: Sheet): number {
  return Math.min(Math.max(height * 0.55, height - GAP - length * MOST_ROW), width * 0.9, LARGEST);
}

/** Pixels, with the legend at the right: up to a quarter smaller if the legend needs the room. */
function diameterBeside(slices: Slice[], total: number, { width, height, numbers }: Sheet): number {
  const largest = Math.min(height, width * 0.42, LARGEST);
  const shares = widestLabel(slices.map(({ value }) => numbers.percent(value / total)));
  const legend = SQUARE + 8 + widestLabel(slices.map(({ name }) => name)) + GAP + shares;
  return Math.max(largest * 0.75, Math.min(largest, width - GAP * 2 - legend));
}

/** One slice per group as far as there are colours; further groups share one slice. */
function slicesOf({ groups }: GroupsData, { palette, numbers }: Sheet): Slice[] {
  const named = groups.map(({ group, value }) => ({ name: groupNameOf(group), value: value ?? 0 }));
  const most = palette.series.length;
  const single = named.length <= most + 1 ? named : named.slice(0, most);
  const rest = named.slice(single.length);
  const slices = single.map((one, index) => ({
    ...one,
    color: paintOf(index, one.name, palette).color,
    points: [one],
  }));
  if (rest.length === 0) return slices;
  const value = rest.reduce((sum, one) => sum + one.value, 0);
  return [
    ...slices,
    { name: numbers.say('{count} more', { count: rest.length }), value, color: palette.muted, points: rest },
  ];
}

function totalMarks(total: number, room: number, { x, y }: { x: number; y: number }, sheet: Sheet): Mark[] {
  const { values } = sheet;
  const size = Math.min(30, Math.floor(room / 3));
  const fits = (text: string) => widthOf(text, size, 600) <= room;
  const text = [values.full(total), values.compact(total)].find(fits);
  if (size < 12 || text === undefined) return [];
  const attributes = { 'font-size': size, 'font-weight': 600, fill: sheet.palette.text, 'text-anchor': 'middle' };
  const isRoomy = size >= 18;
  return [
    textMark(x, y + (isRoomy ? size * 0.2 : size * 0.35), text, attributes),
    ...(isRoomy
      ? [labelMark(x, y + size * 0.2 + 18, sheet.numbers.say('total'), room, sheet.palette.muted, 'middle')]
      : []),
  ];
}

/** Name, value and share, each in its column. */
function legendMarks(
  slices: Slice[],
  total: number,
  box: { x: number; y: number; width: number; height: number },
  { palette, numbers, values: written }: Sheet,
): Mark[] {
  const { shown, pitch } = rowsIn(box.height, slices.length, 18, MOST_ROW);
  const rows = slices.slice(0, shown).map(({ name, value, color }) => ({
    name,
    color,
    value: written.full(value),
    share: numbers.percent(value / total),
  }));
  const shares = widestLabel(rows.map(({ share }) => share));
  const values = widestLabel(rows.map(({ value }) => value));
  const longest = widestLabel(rows.map(({ name }) => name));
  const room = box.width - SQUARE - 8 - shares - GAP;
  const isWide = room - values - GAP >= Math.min(longest, 60);
  const names = Math.max(0, Math.min(longest, isWide ? room - values - GAP : room));
  // Moves the columns near the names, away from the far edge.
  const spare = Math.max(0, room - names - (isWide ? values + GAP : 0));
  const right = box.x + box.width - spare + Math.min(spare, 24);
  const used = shown * pitch + (shown < slices.length ? 18 : 0);
  const top = box.y + Math.max(0, (box.height - used) / 2);
  const marks = rows.flatMap(({ name, color, value, share }, index): Mark[] => {
    const y = top + (index + 0.5) * pitch;
    const baseline = y + LABEL_SIZE * 0.35;
    return [
      rectMark(box.x, y - SQUARE / 2, SQUARE, SQUARE, { rx: 2, fill: color }),
      labelMark(box.x + SQUARE + 8, baseline, name, names, palette.text),
      ...(isWide ? [labelMark(right - shares - GAP, baseline, value, values, palette.text, 'end')] : []),
      labelMark(right, baseline, share, shares, palette.muted, 'end'),
    ];
  });
  const rest = slices.length - shown;
  if (rest > 0 && box.height >= 18) {
    const text = cut(restOf(rest, numbers), box.width - SQUARE - 8, LABEL_SIZE);
    marks.push(labelMark(box.x + SQUARE + 8, top + shown * pitch + LABEL_SIZE + 2, text, box.width, palette.muted));
  }
  return marks;
}
