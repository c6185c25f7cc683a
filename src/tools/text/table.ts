import { alignedTable, oneLine } from '../../core/base/shared/text.ts';

export type Align = 'left' | 'right';

interface Table {
  header: string[];
  rows: string[][];
  align?: Align[];
  /** The list in structured content that the rows stand for. */
  shown: unknown;
  /** Characters that it may always have. */
  least?: number;
  /** The rows where the aligned form is too long: each names its values. */
  plain(): string[];
}

const LEAST_CELL = 3;

/**
 * Aligned columns, unless padding makes them longer than the JSON of what they show: a few long
 * cells, or sparse rows of many columns. So a text is never longer than its structured content.
 */
export function tableLines({ header, rows, align, shown, least = 0, plain }: Table): string[] {
  const most = Math.max(JSON.stringify(shown).length, least);
  // Formatting and discarding hundreds of rows of a thousand columns would take seconds.
  if (rows.length * header.length * LEAST_CELL > most) return plain();
  const lines = alignedTable(header, rows, align);
  return lines.reduce((sum, line) => sum + line.length + 1, 0) <= most ? lines : plain();
}

/** Rows of records as a table, whose columns are `keys`: by default those of the rows. */
export function recordLines(
  records: readonly Record<string, unknown>[],
  { keys = [...new Set(records.flatMap(Object.keys))], least }: { keys?: readonly string[]; least?: number } = {},
): string[] {
  const own = (record: Record<string, unknown>, key: string) => (Object.hasOwn(record, key) ? record[key] : null);
  const isNumber = (key: string) =>
    records.every((record) => ['number', 'undefined'].includes(typeof (own(record, key) ?? undefined)));
  return tableLines({
    header: keys.map(cell),
    rows: records.map((record) => keys.map((key) => cell(own(record, key)))),
    align: keys.map((key) => (isNumber(key) ? 'right' : 'left')),
    shown: records,
    ...(least === undefined ? {} : { least }),
    plain: () => records.map(inOneLine),
  });
}

/** The members of a record: `plan=pro | amount=10`. */
export function inOneLine(record: Record<string, unknown>): string {
  return Object.entries(record)
    .map(([key, value]) => `${cell(key)}=${cell(value)}`)
    .join(' | ');
}

/** A value on one line, so that a text from events cannot look like a line of the answer. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value) && value.length > 0 && value.every(isPlainWord)) return value.map(cell).join(', ');
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Needs no quotes in a list. */
function isPlainWord(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' && !/[,"]/.test(value) : typeof value !== 'object';
}
