import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { buffersOf, type ReadBytes, type RecordPosition } from './bytes.ts';
import { type CsvDialect, CsvReader } from './csv-reader.ts';

/** The delimiter of a single column is `NO_DELIMITER`. */
export interface CsvLayout extends CsvDialect {
  header: string[];
  /** The header has a quote that is not closed, or text after a closing quote. */
  hasStrayQuote: boolean;
  /** Records above the header. */
  titles: number;
  rows: RecordPosition;
}

export const NO_DELIMITER = '\0';

const DELIMITERS = [',', ';', '\t', '|'];
const [LINE_FEED, CARRIAGE_RETURN, QUOTE] = [10, 13, 34];
const SAMPLE_RECORDS = 200;
const SAMPLE_BYTES = 1024 * 1024;
/** Records that may precede the header as titles. */
const TITLES = 20;

interface Sampled {
  values: string[];
  hasTextAfterQuote: boolean;
  line: number;
  position: RecordPosition;
}

interface Reading {
  delimiter: string;
  header: Sampled;
  titles: number;
  /** Higher for more equal widths and more columns. */
  score: number;
}

/** The delimiter that divides the first records most evenly. Skips `sep=;` and titles. */
export function sniffCsv(read: ReadBytes, begin: number, delimiter?: string): CsvLayout {
  let from: RecordPosition = { byte: begin, row: 0, line: 1 };
  let given = delimiter;
  const endsAtCr = hasOnlyCrs(read, begin);
  const readerOf = (one: string) => new CsvReader(read, from, { delimiter: one, endsAtCr });
  const first = nextOf(readerOf(NO_DELIMITER));
  if (!first)
    return { delimiter: given ?? NO_DELIMITER, endsAtCr, header: [], hasStrayQuote: false, titles: 0, rows: from };
  const separator = /^sep=(.)$/i.exec(first.values[0]!)?.[1];
  if (separator !== undefined) {
    from = first.position;
    if (isDelimiter(separator)) given ??= separator;
  }
  const readings = (given === undefined ? DELIMITERS : [given])
    .map((one) => readingOf(one, sample(readerOf(one))))
    .filter((one) => one !== null);
  const best = readings.sort((one, other) => other.score - one.score)[0];
  const used = best?.delimiter ?? given ?? NO_DELIMITER;
  const {
    values: header,
    position: rows,
    hasTextAfterQuote,
  } = best?.header ?? nextOf(readerOf(used)) ?? { ...first, values: [] };
  // With its delimiter, a header could not be read to its end.
  const isOpen = used === NO_DELIMITER && header.some((name) => /[,;\t|]"/.test(name));
  const hasStrayQuote = hasTextAfterQuote || isOpen;
  return { delimiter: used, endsAtCr, header, hasStrayQuote, titles: best?.titles ?? 0, rows: { ...rows, row: 0 } };
}

/** Old spreadsheets end lines with a CR alone. */
function hasOnlyCrs(read: ReadBytes, begin: number): boolean {
  let isQuoted = false;
  let found = false;
  for (const { bytes, position } of buffersOf(read, begin)) {
    for (const byte of bytes) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) return false;
      else if (byte === CARRIAGE_RETURN && !isQuoted) found = true;
    }
    if (position + bytes.length - begin >= SAMPLE_BYTES) break;
  }
  return found;
}

export function isDelimiter(text: string): boolean {
  return /^[\t\x20-\x7e]$/.test(text) && text !== '"';
}

/** Up to a record that cannot be read; the error appears when it is reached. */
function sample(reader: CsvReader): Sampled[] {
  const from = reader.position;
  const records: Sampled[] = [];
  try {
    while (records.length < SAMPLE_RECORDS && reader.position.byte - from.byte < SAMPLE_BYTES) {
      const record = nextOf(reader);
      if (!record) break;
      records.push(record);
    }
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
  }
  return records;
}

function nextOf(reader: CsvReader): Sampled | null {
  const values = reader.read();
  const { line, position, hasTextAfterQuote } = reader;
  return values && { values, hasTextAfterQuote, line, position };
}

/**
 * Outweighs any number of columns: commas in texts may be equally many by chance. Those of decimals
 * often are, so that a semicolon or tab counts more.
 */
const ALL_ALIKE = 100;

/** Null if it does not divide these records. */
function readingOf(delimiter: string, records: Sampled[]): Reading | null {
  const width = usualWidth(records);
  if (width < 2) return null;
  const titles = titlesAbove(records, width);
  const header = records[titles]!;
  if (header.values.length < 2 || (titles > 0 && isProse(delimiter, records.slice(titles)))) return null;
  const share = records.filter(({ values }) => values.length === width).length / records.length;
  const isTelling = /[;\t]/.test(delimiter) && records.every(({ hasTextAfterQuote }) => !hasTextAfterQuote);
  const alike = share === 1 ? (isTelling ? 2 * ALL_ALIKE : ALL_ALIKE) : 0;
  return { delimiter, header, titles, score: share * Math.log2(width + 1) + alike };
}

/** The most frequent width; 0 for a delimiter in the header only. */
function usualWidth(records: Sampled[]): number {
  const counts = new Map<number, number>();
  const divided = records.filter(({ values }) => values.length > 1);
  if (divided.length === 1 && records.length > 2) return 0;
  for (const { values } of divided) counts.set(values.length, (counts.get(values.length) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}

/** Titles fill less than half of the columns or precede a blank line; the rest is equally wide. */
function titlesAbove(records: Sampled[], width: number): number {
  let titles = 0;
  for (const [index, { values, position }] of records.slice(0, TITLES).entries()) {
    if (values.length === width && filled(values) * 2 > width) {
      const rest = records.slice(titles);
      const alike = rest.filter((record) => record.values.length === width).length;
      return rest[0]?.values.length === width && alike >= rest.length * 0.9 ? titles : 0;
    }
    const below = records[index + 1];
    const blankLineBelow = below !== undefined && below.line > position.line;
    if (blankLineBelow || (titles === index && filled(values) * 2 < width)) titles = index + 1;
  }
  return 0;
}

function filled(values: string[]): number {
  return values.filter((value) => value.trim() !== '').length;
}

/** Commas in sentences are followed by a space. */
function isProse(delimiter: string, records: Sampled[]): boolean {
  return delimiter === ',' && records.every(({ values }) => values.slice(1).every((value) => value.startsWith(' ')));
}
