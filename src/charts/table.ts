import type { TableData } from './answer.ts';
import {
  LABEL_SIZE,
  labelMark,
  labelWidth,
  messageSketch,
  NO_EVENTS,
  type Point,
  type Sheet,
  type Sketch,
} from './drawing.ts';
import { type Mark, rounded, textMark } from './marks.ts';
import { NOTHING } from './numbers.ts';
import { cut, isolated, plain, widthOf } from './text.ts';

const LEAST_ROW = 22;
const MOST_ROW = 30;
const GAP = 16;
const NARROWEST = 44;
/** The share of the width that one column may take where others need it. */
const WIDEST = 0.4;

interface Column {
  key: string;
  label: string;
  isNumber: boolean;
  width: number;
}

export function drawTable(data: TableData, sheet: Sheet): Sketch {
  const { width, height, palette } = sheet;
  if (data.rows.length === 0 || data.columns.length === 0) return messageSketch(NO_EVENTS, sheet);
  const fitting = Math.max(1, Math.floor(height / LEAST_ROW) - 1);
  const isWhole = data.rows.length === data.total && data.rows.length <= fitting;
  const shown = isWhole ? data.rows.length : Math.max(0, Math.min(data.rows.length, fitting - 1));
  const pitch = Math.min(MOST_ROW, height / (shown + (isWhole ? 1 : 2)));
  const cells = data.rows
    .slice(0, shown)
    .map((row) => data.columns.map(({ key }) => cellText(ownValue(row, key), key, data, sheet)));
  const columns = columnsOf(data, cells, width);
  const baselineOf = (row: number) => (row + 0.5) * pitch + LABEL_SIZE * 0.35;

  const starts: number[] = [];
  let x = 0;
  for (const column of columns) {
    starts.push(x);
    x += column.width + GAP;
  }
  const lines = Array.from({ length: shown }, (_, row) => `M0 ${rounded((row + 1) * pitch)}H${width}`).join('');
  const marks: Mark[] = [
    ['path', { d: lines, stroke: palette.grid }],
    [
      'g',
      { 'font-size': LABEL_SIZE, 'font-weight': 600, fill: palette.muted },
      ...columns.map(({ label, isNumber, width: room }, index) =>
        cellMark(label, isNumber, starts[index]!, room, baselineOf(0), 600),
      ),
    ],
    [
      'g',
      { 'font-size': LABEL_SIZE, fill: palette.text },
      ...cells.flatMap((row, index) =>
        columns.map(({ isNumber, width: room }, column) =>
          cellMark(row[column]!, isNumber, starts[column]!, room, baselineOf(index + 1), 400),
        ),
      ),
    ],
  ];
  const rest = leftOut(data.total - shown, data.columns.length - columns.length);
  if (rest !== '') marks.push(labelMark(0, Math.min(height - 4, baselineOf(shown + 1)), rest, width, palette.muted));
  return { marks, points: () => pointsOf(data, sheet, pitch, shown) };
}

/** "… and 12 more rows, 3 more columns" */
function leftOut(rows: number, columns: number): string {
  const texts = [
    ...(rows > 0 ? [rows === 1 ? '1 more row' : `${rows} more rows`] : []),
    ...(columns > 0 ? [columns === 1 ? '1 more column' : `${columns} more columns`] : []),
  ];
  return texts.length > 0 ? `… and ${texts.join(', ')}` : '';
}

function cellMark(text: string, isNumber: boolean, x: number, room: number, y: number, weight: number): Mark {
  const shown = cut(text, room, LABEL_SIZE, weight);
  return isNumber ? textMark(x + room, y, shown, { 'text-anchor': 'end' }) : textMark(x, y, shown, {});
}

/** As wide as what they hold where that fits; else the widest shrink, and the last are left out. */
function columnsOf({ columns }: TableData, cells: string[][], width: number): Column[] {
  const most = Math.max(1, Math.floor((width + GAP) / (NARROWEST + GAP)));
  const shown = columns.slice(0, most).map(({ key, type }, index) => {
    const label = plain(key);
    const needed = Math.max(widthOf(label, LABEL_SIZE, 600), ...cells.map((row) => labelWidth(row[index]!)));
    return { key, label, isNumber: type === 'number', width: Math.ceil(needed) };
  });
  const room = width - GAP * (shown.length - 1);
  const total = () => shown.reduce((sum, column) => sum + column.width, 0);
  if (total() > room)
    for (const column of shown) column.width = Math.min(column.width, Math.max(NARROWEST, width * WIDEST));
  for (let excess = total() - room; excess > 0.5; excess = total() - room) {
    const widest = Math.max(...shown.map((column) => column.width));
    const next = Math.max(0, ...shown.map((column) => column.width).filter((one) => one < widest));
    const those = shown.filter((column) => column.width === widest);
    const less = Math.min(widest - next, excess / those.length);
    for (const column of those) column.width -= less;
  }
  const spare = Math.max(0, room - total());
  for (const column of shown) column.width += spare / shown.length;
  return shown;
}

/** A cell as text. */
export function cellText(
  value: unknown,
  key: string,
  { columns }: TableData,
  { numbers, dates }: Pick<Sheet, 'numbers' | 'dates'>,
): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === 'number') return numbers.full(value);
  if (typeof value !== 'string') return plain(JSON.stringify(value));
  const type = columns.find((column) => column.key === key)?.type;
  return (type === 'datetime' ? dates.moment(value) : null) ?? plain(value);
}

export function ownValue(row: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(row, key) ? row[key] : null;
}

function pointsOf(data: TableData, sheet: Sheet, pitch: number, shown: number): Point[] {
  return data.rows.map((row, index) => ({
    x: 0,
    y: Math.min(sheet.height, (Math.min(index, shown) + 1.5) * pitch),
    label: data.columns
      .map(({ key }) => `${plain(key)} ${isolated(cellText(ownValue(row, key), key, data, sheet))}`)
      .join(', '),
  }));
}
