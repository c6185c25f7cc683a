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
import { HUGE, NOTHING, type Numbers } from './numbers.ts';
import { cut, isolated, plain, widthOf } from './text.ts';

const LEAST_ROW = 22;
const MOST_ROW = 30;
const GAP = 16;
/** Pixels. Columns of long texts are narrowed to this before other columns are left out. */
const WANTED = 136;

interface Column {
  label: string;
  isNumber: boolean;
  width: number;
}

export function drawTable(data: TableData, sheet: Sheet): Sketch {
  const { width, height, palette } = sheet;
  if (data.rows.length === 0 || data.columns.length === 0) return messageSketch(sheet.numbers.say(NO_EVENTS), sheet);
  const fitting = Math.max(1, Math.floor(height / LEAST_ROW) - 1);
  const texts = textsOf({ ...data, rows: data.rows.slice(0, fitting) }, sheet);
  const columns = columnsOf(data.columns, texts, width);
  const isWhole = texts.length === data.total && columns.length === data.columns.length;
  const shown = isWhole ? texts.length : Math.min(data.rows.length, fitting - 1);
  const pitch = Math.min(MOST_ROW, height / (shown + (isWhole ? 1 : 2)));
  const cells = texts.slice(0, shown);
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
  const rest = leftOut(data.total - shown, data.columns.length - columns.length, sheet.numbers);
  if (rest !== '') marks.push(labelMark(0, Math.min(height - 4, baselineOf(shown + 1)), rest, width, palette.muted));
  return { marks, points: () => pointsOf(data, sheet, pitch, shown) };
}

/** "… and 12 more rows, 3 more columns" */
function leftOut(rows: number, columns: number, { say }: Numbers): string {
  const texts = [
    ...(rows > 0 ? [say.count(rows, '{count} more row', '{count} more rows')] : []),
    ...(columns > 0 ? [say.count(columns, '{count} more column', '{count} more columns')] : []),
  ];
  return texts.length > 0 ? say('… and {rest}', { rest: texts.join(', ') }) : '';
}

function cellMark(text: string, isNumber: boolean, x: number, room: number, y: number, weight: number): Mark {
  const shown = cut(text, room, LABEL_SIZE, weight);
  return isNumber ? textMark(x + room, y, shown, { 'text-anchor': 'end' }) : textMark(x, y, shown, {});
}

/** Numbers of a column have equally many decimals, so that they align. */
function textsOf(data: TableData, sheet: Sheet): string[][] {
  const decimals = data.columns.map(({ key }) => decimalsOf(data.rows.map((row) => ownValue(row, key))));
  return data.rows.map((row) =>
    data.columns.map(({ key }, index) => {
      const value = ownValue(row, key);
      const digits = decimals[index];
      if (typeof value === 'number' && digits) return sheet.numbers.formatted(value, { decimals: digits });
      return cellText(value, key, data, sheet);
    }),
  );
}

/**
 * At most two decimals; undefined if small values need more, or huge ones would fill the column.
 */
function decimalsOf(values: unknown[]): number | undefined {
  const sizes = values.flatMap((value) => (typeof value === 'number' && value !== 0 ? [Math.abs(value)] : []));
  if (sizes.some((size) => size < 0.1 || size >= HUGE)) return undefined;
  return Math.max(0, ...sizes.map((size) => [0, 1].find((digits) => Number(size.toFixed(digits)) === size) ?? 2));
}

/**
 * The first columns that fit, each at most `WANTED` wide; the remaining width goes to those that
 * need more.
 */
function columnsOf(columns: TableData['columns'], cells: string[][], width: number): Column[] {
  const all = columns.map(({ key, type }, index) => {
    const label = plain(key);
    const needed = Math.max(widthOf(label, LABEL_SIZE, 600), ...cells.map((row) => labelWidth(row[index]!)));
    return { label, isNumber: type === 'number', needed, width: Math.min(needed, WANTED) };
  });
  const shown: typeof all = [];
  let left = width + GAP;
  for (const column of all) {
    if (shown.length > 0 && left < column.width + GAP) break;
    left -= column.width + GAP;
    shown.push(column);
  }
  const wanted = shown.reduce((sum, column) => sum + column.needed - column.width, 0);
  const given = wanted > 0 ? Math.min(1, Math.max(0, left) / wanted) : 0;
  for (const column of shown) column.width += (column.needed - column.width) * given;
  const spare = (left - wanted * given) / shown.length;
  return shown.map((column) => ({ ...column, width: column.width + spare }));
}

/** A cell as text: a datetime in the time zone of the basis, an object as JSON. */
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
