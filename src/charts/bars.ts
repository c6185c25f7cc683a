import type { GroupsData } from './answer.ts';
import {
  LABEL_SIZE,
  labelMark,
  messageSketch,
  restOf,
  rowsIn,
  type Sheet,
  type Sketch,
  whyNothing,
  widestLabel,
} from './drawing.ts';
import { legendOf } from './legend.ts';
import { type Mark, rectMark, rounded } from './marks.ts';
import { exactScaleOf } from './scale.ts';
import { groupNameOf, isolated } from './text.ts';
import { changeInShort, judgementOf } from './value.ts';

const GAP = 10;
const LEAST_ROW = 20;
const MOST_ROW = 44;
/** The shares of the width that texts may take; the bars have the rest. */
const NAMES = 0.36;
const VALUES = 0.3;
const CHANGES = 0.25;

/** A row for each group: its name, its bar, its value, and the change from the previous period. */
export function drawBars({ groups }: GroupsData, sheet: Sheet): Sketch {
  const { width, height, palette, values: written } = sheet;
  if (
    groups.length === 0 ||
    groups.every(({ value, previous }) => value === null && !previous) ||
    sheet.basis.matchedEvents === 0
  ) {
    return messageSketch(whyNothing(sheet), sheet);
  }
  const isCompared = groups.some(({ previous }) => previous !== undefined);
  const color = palette.series[0]!;
  const before = { fill: color, 'fill-opacity': 0.3 };
  const periods = [
    { name: 'this period', square: { fill: color } },
    { name: 'previous period', square: before },
  ];
  const legend = legendOf(isCompared ? periods : [], sheet);
  const { shown, pitch } = rowsIn(height - legend.height, groups.length, LEAST_ROW * (isCompared ? 1.3 : 1), MOST_ROW);
  const rows = groups.slice(0, shown).map(({ group, value, previous }) => ({
    name: groupNameOf(group),
    value,
    previous: previous?.value ?? null,
    text: written.full(value),
    change: previous && width >= 400 ? changeInShort(previous, sheet) : '',
    judgement: judgementOf(previous?.change ?? null, sheet.goodDirection),
  }));
  const names = Math.min(width * NAMES, widestLabel(rows.map(({ name }) => name)));
  const values = Math.min(width * VALUES, widestLabel(rows.map(({ text }) => text)));
  const changes = Math.min(width * CHANGES, widestLabel(rows.map(({ change }) => change)));
  const valuesEnd = width - (changes > 0 ? changes + GAP : 0);
  const known = groups.flatMap(({ value, previous }) => [value ?? 0, previous?.value ?? 0]);
  const right = Math.max(names + GAP + 1, valuesEnd - values - GAP);
  const xOf = exactScaleOf(Math.min(...known), Math.max(...known), [names + GAP, right]);
  const thick = Math.min(24, pitch * 0.62) * (isCompared ? 0.62 : 1);
  const thin = isCompared ? thick * 0.5 : 0;
  const topOf = (row: number) => legend.height + row * pitch + (pitch - thick - thin) / 2;
  const bar = (value: number | null, y: number, size: number, attributes: Mark[1]): Mark[] => {
    if (value === null || xOf(value) === xOf(0)) return [];
    const [from, to] = [Math.min(xOf(0), xOf(value)), Math.max(xOf(0), xOf(value))];
    return [rectMark(from, y, Math.max(0.5, to - from), size, { rx: Math.min(3, rounded(size / 4)), ...attributes })];
  };
  const marks = rows.flatMap(({ name, value, previous, text, change, judgement }, row): Mark[] => {
    const middle = legend.height + (row + 0.5) * pitch + LABEL_SIZE * 0.35;
    return [
      labelMark(0, middle, name, names, palette.text),
      ...bar(value, topOf(row), thick, { fill: color }),
      ...bar(previous, topOf(row) + thick + 1, thin - 1, before),
      labelMark(valuesEnd, middle, text, values, palette.text, 'end'),
      ...(change === '' ? [] : [labelMark(width, middle, change, changes, palette[judgement ?? 'muted'], 'end')]),
    ];
  });
  const rest = groups.length - shown;
  if (rest > 0)
    marks.push(
      labelMark(0, legend.height + shown * pitch + LABEL_SIZE + 2, restOf(rest, sheet.numbers), width, palette.muted),
    );
  const points = () =>
    groups.map(({ group, value, previous }, row) => {
      const change = previous ? `, ${changeInShort(previous, sheet)}` : '';
      const label = `${isolated(groupNameOf(group))}: ${written.full(value)}${change}`;
      return { x: xOf(value ?? 0), y: topOf(Math.min(row, shown)) + thick / 2, label };
    });
  return { marks: [...legend.marks, ...marks], points };
}
