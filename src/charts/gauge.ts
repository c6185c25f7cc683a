import { arc } from 'd3-shape';
import type { ValueData } from './answer.ts';
import { LABEL_SIZE, labelMark, labelWidth, type Sheet, type Sketch } from './drawing.ts';
import { type Mark, rounded, textMark } from './marks.ts';
import type { Palette } from './palette.ts';
import { cut, plain, widthOf } from './text.ts';
import { valueText } from './value.ts';

/** Radians: a little more than half a circle. */
const SWEEP = Math.PI * 1.1;
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

interface Zone {
  from: number;
  to: number;
  color: string;
  label: string | null;
}

/**
 * An arc from min to max that is filled up to the value, in the colour of its zone; the zones are a
 * thin ring outside.
 */
export function drawGauge(data: ValueData, sheet: Sheet): Sketch {
  const { width, height, palette, values } = sheet;
  const { say } = sheet.numbers;
  const { value, target, thresholds = [] } = data;
  const [min, max] = scaleLimits(data);
  const shareOf = (at: number) => Math.min(1, Math.max(0, at / (max - min) - min / (max - min)));
  const angleOf = (at: number) => (shareOf(at) - 0.5) * SWEEP;

  const outside = thresholds.length > 0 || target !== undefined ? LABEL_SIZE + 12 : 4;
  const sides = outside > 4 ? Math.min(64, width * 0.16) : 4;
  const below = LABEL_SIZE + 10;
  const dip = Math.sin((SWEEP - Math.PI) / 2);
  const radius = Math.max(4, Math.min(width / 2 - sides, (height - outside - below) / (1 + dip), 260));
  const used = outside + radius * (1 + dip) + below;
  const center = { x: width / 2, y: Math.max(0, (height - used) / 2) + outside + radius };
  const at = (angle: number, distance: number) => ({
    x: center.x + Math.sin(angle) * distance,
    y: center.y - Math.cos(angle) * distance,
  });

  const zones = zonesOf(data, min, max, palette);
  const zone = value === null ? undefined : (zones.findLast(({ from }) => value >= from) ?? zones[0]);
  const thick = Math.max(2, radius * 0.17);
  const band = (from: number, to: number, inner: number, outer: number, fill: string): Mark => {
    const shape = arc().digits(1)({ innerRadius: inner, outerRadius: outer, startAngle: from, endAngle: to });
    return ['path', { d: shape ?? '', fill }];
  };
  const track = zones.length > 1 ? radius - 7 : radius;
  const marks: Mark[] = [
    [
      'g',
      { transform: `translate(${rounded(center.x)},${rounded(center.y)})` },
      ...(zones.length > 1
        ? zones.map(({ from, to, color }) => band(angleOf(from), angleOf(to), radius - 4, radius, color))
        : []),
      band(-SWEEP / 2, SWEEP / 2, track - thick, track, palette.grid),
      ...(value === null || shareOf(value) === 0
        ? []
        : [band(-SWEEP / 2, angleOf(value), track - thick, track, zone?.color ?? palette.series[0]!)]),
      ...(target === undefined ? [] : [targetMark(angleOf(target), track - thick - 3, radius + 3, palette)]),
    ],
  ];

  const middleOfBand = track - thick / 2;
  const limits = [min, max].map((limit, index) => {
    const { x, y } = at(SWEEP * (index - 0.5), middleOfBand);
    const text = cut(shortNumber(limit, sheet), Math.min(width / 2, 2 * middleOfBand - 16), LABEL_SIZE);
    const half = labelWidth(text) / 2;
    return { text, half, x: Math.max(half, Math.min(width - half, x)), y: Math.min(height - 3, y + LABEL_SIZE + 6) };
  });
  for (const { text, x, y } of limits) marks.push(labelMark(x, y, text, width, palette.muted, 'middle'));
  const between = 2 * Math.min(...limits.map(({ x, half }) => Math.abs(x - center.x) - half)) - 12;
  const inside = { radius: track - thick, noteRoom: Math.min(between, radius * 1.3) };
  marks.push(...insideMarks(data, zone?.label ?? null, center, inside, sheet));
  marks.push(...outsideMarks(data, angleOf, at, radius + 8, sheet));

  const label = [
    valueText(data, sheet),
    ...(zone?.label ? [zone.label] : []),
    say('from {from} to {to}', { from: values.full(min), to: values.full(max) }),
    ...(target === undefined ? [] : [say('target {value}', { value: values.full(target) })]),
  ].join(', ');
  const point = at(value === null ? -SWEEP / 2 : angleOf(value), middleOfBand);
  return { marks, points: () => [{ ...point, label }] };
}

/** Min and max, changed if their distance is not positive and finite. */
function scaleLimits({ value, min = 0, max }: ValueData): [number, number] {
  const end = max ?? Math.max(1, value ?? 0);
  return end - min > 0 && end - min < Number.POSITIVE_INFINITY
    ? [min, end]
    : [Math.max(-8e307, min), Math.min(8e307, Math.max(end, min + 1))];
}

/** The zone below the first threshold is bad if the last zone is good, and the reverse. */
export function zonesOf({ thresholds = [] }: ValueData, min: number, max: number, palette: Palette): Zone[] {
  const colors = thresholds.map(
    ({ color }, index) => colorOf(color, palette) ?? palette.series[(index + 1) % palette.series.length]!,
  );
  const last = colors.at(-1);
  const first = last === palette.good ? palette.bad : last === palette.bad ? palette.good : palette.series[0]!;
  const starts = [min, ...thresholds.map(({ value }) => value)];
  return starts.map((from, index) => ({
    from,
    to: starts[index + 1] ?? max,
    color: index === 0 ? first : colors[index - 1]!,
    label: index === 0 ? null : plain(thresholds[index - 1]!.label ?? '') || null,
  }));
}

function colorOf(name: string | undefined, palette: Palette): string | null {
  const text = name?.trim().toLowerCase() ?? '';
  if (text === 'green') return palette.good;
  if (text === 'red') return palette.bad;
  if (text === 'amber' || text === 'yellow' || text === 'orange') return palette.warning;
  return HEX.test(text) ? text : null;
}

function targetMark(angle: number, from: number, to: number, palette: Palette): Mark {
  const [sine, cosine] = [Math.sin(angle), -Math.cos(angle)];
  const place = (distance: number) => `${rounded(sine * distance)} ${rounded(cosine * distance)}`;
  return [
    'path',
    { d: `M${place(from)}L${place(to)}`, stroke: palette.text, 'stroke-width': 2.5, 'stroke-linecap': 'round' },
  ];
}

/** The value, and the name of its zone. */
function insideMarks(
  data: ValueData,
  zone: string | null,
  { x, y }: { x: number; y: number },
  { radius, noteRoom }: { radius: number; noteRoom: number },
  sheet: Sheet,
): Mark[] {
  const { palette, values } = sheet;
  const room = radius * 1.35;
  const full = valueText(data, sheet);
  const text = data.value !== null && widthOf(full, 18, 600) > room ? values.compact(data.value) : full;
  const size = Math.max(
    10,
    Math.floor(Math.min(56, radius * 0.5, (100 * room) / Math.max(1, widthOf(text, 100, 600)))),
  );
  const fill = data.value === null ? palette.muted : palette.text;
  const attributes = { 'font-size': size, 'font-weight': 600, fill, 'text-anchor': 'middle' };
  const note = zone ?? (data.value === null ? sheet.numbers.say('no value') : null);
  return [
    textMark(x, y, cut(text, room, size, 600), attributes),
    ...(note === null || radius < 40
      ? []
      : [labelMark(x, y + LABEL_SIZE + 10, note, noteRoom, palette.muted, 'middle')]),
  ];
}

/**
 * Labels of the target and the thresholds around the arc; a label that would touch an earlier one
 * is left out.
 */
function outsideMarks(
  { thresholds = [], target }: ValueData,
  angleOf: (value: number) => number,
  at: (angle: number, distance: number) => { x: number; y: number },
  distance: number,
  sheet: Sheet,
): Mark[] {
  const wanted = [
    ...(target === undefined ? [] : [{ value: target, name: sheet.numbers.say('target') }]),
    ...thresholds
      .filter(({ value }) => value !== target)
      .map(({ value, label = '' }) => ({ value, name: plain(label) })),
  ];
  const taken: { left: number; right: number; y: number }[] = [];
  return wanted.flatMap(({ value, name }): Mark[] => {
    const angle = angleOf(value);
    if (Math.abs(angle) > SWEEP * 0.46 && value !== target) return [];
    const { x, y } = at(angle, distance);
    const side = Math.sin(angle);
    const anchor = side < -0.25 ? 'end' : side > 0.25 ? 'start' : 'middle';
    const room = anchor === 'end' ? x : anchor === 'start' ? sheet.width - x : 2 * Math.min(x, sheet.width - x);
    const number = shortNumber(value, sheet);
    const text = `${name} ${number}`.trim();
    // If name and number do not fit, the number is more useful.
    const shown = cut(labelWidth(text) > room ? number : text, room, LABEL_SIZE);
    const width = labelWidth(shown);
    const left = anchor === 'end' ? x - width : anchor === 'start' ? x : x - width / 2;
    const box = { left, right: left + width, y: Math.max(LABEL_SIZE * 0.8, y + LABEL_SIZE * 0.1) };
    const touches = taken.some(
      (one) => Math.abs(one.y - box.y) < LABEL_SIZE + 3 && one.left < box.right + 8 && box.left < one.right + 8,
    );
    if (touches || shown === '') return [];
    taken.push(box);
    return [labelMark(x, box.y, shown, room, sheet.palette.muted, anchor)];
  });
}

function shortNumber(value: number, { values }: Sheet): string {
  return values.tick(value, Math.abs(value) >= 10_000);
}
