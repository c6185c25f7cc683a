import type { Field } from '../../core/knowledge/hygiene.ts';
import { type ReadOptions, UnreadableDocument } from '../../core/knowledge/reader.ts';
import { bytesOf, openBytes, type RecordPosition } from '../../text/bytes.ts';
import { type CsvDialect, CsvReader } from '../../text/csv-reader.ts';
import { isDelimiter, sniffCsv } from '../../text/csv-sniff.ts';
import { toUtf8File, utf8Head } from '../../text/encoding.ts';
import type { Format, Section } from '../format.ts';

/** Characters. Every chunk of a row repeats its metadata. */
const MAX_METADATA = 16 * 1024;

interface PreparedCsv extends CsvDialect, Record<string, unknown> {
  path: string;
  size: number;
  columns: string[];
  begin: RecordPosition;
  notes: string[];
}

export const csv: Format = {
  prepare(path, options): PreparedCsv {
    const delimiter = delimiterOf(options);
    const text = toUtf8File(path);
    const file = openBytes(text.path);
    try {
      const layout = sniffCsv(file.read, text.begin, delimiter);
      const columns = named(layout.header);
      if (/^\s*<(?:!doctype html|html)\b/i.test(layout.header[0] ?? '')) throw aWebPage();
      checkChosen(columns, options);
      if (new CsvReader(file.read, layout.rows, layout).read() === null) throw noRows(columns);
      const { delimiter: found, endsAtCr, rows: begin } = layout;
      const { path, size, notes } = text;
      return { path, size, delimiter: found, endsAtCr, columns, begin, notes };
    } finally {
      file.close();
    }
  },

  *read(prepared, from, options) {
    const { path, size, columns, begin, ...dialect } = prepared as PreparedCsv;
    const file = openBytes(path);
    try {
      const reader = new CsvReader(file.read, (from as RecordPosition | null) ?? begin, dialect);
      const sectionOf = sections(columns, options);
      for (let values = reader.read(); values; values = reader.read()) {
        if (values.every((value) => value.trim() === '')) continue;
        const next = reader.position;
        const place = { row: next.row, line: reader.line };
        const row = sectionOf(values);
        if (lengthOf(row.metadata) > MAX_METADATA) throw tooMuchMetadata(next.row, reader.line);
        yield { ...row, place, next, done: next.byte / size };
      }
    } finally {
      file.close();
    }
  },
};

/** For checking options; writes nothing. */
export function csvColumns(path: string, options: ReadOptions): string[] {
  const { header } = sniffCsv(bytesOf(utf8Head(path)), 0, delimiterOf(options));
  return named(header);
}

type Row = Pick<Section, 'content' | 'headings' | 'isRecord' | 'metadata'>;

function sections(columns: string[], options: ReadOptions): (values: string[]) => Row {
  const { csvContentColumns = [], csvMetadataColumns = [] } = options;
  const chosen = csvContentColumns.map((name) => columns.indexOf(name));
  const described = csvMetadataColumns.map((name) => [name, columns.indexOf(name)] as const);
  const single = chosen.length === 1 ? chosen[0]! : null;
  const names = [...columns];
  const taken = new Map(columns.map((name) => [name, 1]));

  const fieldsOf = (values: string[]): Field[] => {
    const present = chosen.filter((index) => index < values.length);
    if (chosen.length > 0) return present.map((index) => [columns[index]!, values[index]!]);
    while (names.length < values.length) names.push(uniqueName('', names.length, taken));
    return values.map((value, index) => [names[index]!, value]);
  };

  return (values) => ({
    content: single === null ? fieldsOf(values) : (values[single] ?? ''),
    headings: [],
    isRecord: true,
    ...(described.length > 0 && {
      metadata: Object.fromEntries(described.map(([name, index]) => [name, values[index] ?? ''])),
    }),
  });
}

function lengthOf(metadata: Record<string, unknown> = {}): number {
  return Object.values(metadata).reduce<number>((sum, value) => sum + (value as string).length, 0);
}

function tooMuchMetadata(row: number, line: number): UnreadableDocument {
  return new UnreadableDocument(
    `Row ${row} (line ${line}) has more than ${MAX_METADATA} characters in its csvMetadataColumns. Take the long columns for csvContentColumns instead.`,
  );
}

function named(header: string[]): string[] {
  const taken = new Map<string, number>();
  return header.map((name, index) => uniqueName(name, index, taken));
}

/** `taken` counts requests per name, so that equal names do not cost quadratic time. */
function uniqueName(name: string, index: number, taken: Map<string, number>): string {
  const plain = onOneLine(name) || `column ${index + 1}`;
  let count = taken.get(plain) ?? 0;
  let unique = plain;
  while (taken.has(unique)) {
    count += 1;
    unique = `${plain} (${count})`;
  }
  taken.set(plain, Math.max(count, 1));
  taken.set(unique, taken.get(unique) ?? 1);
  return unique;
}

/** Every row repeats the name. */
const NAME_CHARACTERS = 200;

function onOneLine(name: string): string {
  const lines = name.slice(0, NAME_CHARACTERS).split(/[\r\n]+/);
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function delimiterOf({ csvDelimiter }: ReadOptions): string | undefined {
  if (csvDelimiter === undefined || isDelimiter(csvDelimiter)) return csvDelimiter;
  throw new UnreadableDocument('csvDelimiter must be one ASCII character, and neither a quote nor a line break.');
}

function checkChosen(columns: string[], { csvContentColumns = [], csvMetadataColumns = [] }: ReadOptions): void {
  for (const [option, names] of Object.entries({ csvContentColumns, csvMetadataColumns })) {
    const unknown = names.find((name) => !columns.includes(name));
    if (unknown === undefined) continue;
    throw new UnreadableDocument(
      `${option} names "${shortened(unknown)}". The file has the columns: ${listed(columns)}.`,
    );
  }
}

const LISTED = 30;
const LISTED_CHARACTERS = 60;

function listed(columns: string[]): string {
  const more = columns.length - LISTED;
  return columns.slice(0, LISTED).map(shortened).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function shortened(name: string): string {
  return name.length > LISTED_CHARACTERS ? `${name.slice(0, LISTED_CHARACTERS)}…` : name;
}

function aWebPage(): UnreadableDocument {
  return new UnreadableDocument(
    'The file is a web page (HTML) and no CSV: it may be the sign-in page of what you wanted to download. Export the table as CSV.',
  );
}

function noRows(columns: string[]): UnreadableDocument {
  return new UnreadableDocument(
    columns.length === 0
      ? 'The file is empty. Send a CSV with a header and rows.'
      : 'The file has a header and no rows. The first line is read as the header.',
  );
}
