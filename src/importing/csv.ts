import { EVENT_FIELDS } from '../core/analytics/events/fields.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { type CsvLayout, sniffCsv } from '../text/csv-sniff.ts';
import { ColumnJudge } from './column-judge.ts';
import { type ColumnDecision, type ColumnType, cellValue } from './columns.ts';
import { csvRecords, LookAhead } from './csv-records.ts';
import { type ImportInput, readable } from './input.ts';
import { notIn, parseObject } from './ndjson.ts';
import type { EventFileOptions, ImportRow, LineCounts, Reading } from './reading.ts';

/** The part of standard input that decides the types of its columns. Files are read twice. */
const SAMPLE_BYTES = 1024 * 1024;

/** Columns named as event fields fill these; other columns become properties, each of one type. */
export async function openCsv(input: ImportInput, { eventName, delimiter, types }: EventFileOptions): Promise<Reading> {
  const bytes = new LookAhead(input.open());
  await bytes.fill(0);
  const layout = readable(input.name, () => sniffCsv(bytes.read, 0, delimiter));
  const names = columnsOf(layout, input);
  const judges = names.map((name) => (isProperty(name) ? new ColumnJudge(name) : null));
  const lines = { header: layout.rows.line - 1, rows: 0, continued: 0, blank: 0 };
  for await (const batch of csvRecords(bytes, layout, input, input.isFile ? undefined : SAMPLE_BYTES)) {
    for (const { values } of batch) if (values) judge(values, judges);
  }
  const columns = decided(names, judges, types);
  const source = input.isFile ? new LookAhead(input.open()) : bytes;
  return {
    rows: rowsOf(source, layout, input, lines, { eventName, columns, names }),
    lines,
    delimiter: layout.delimiter,
    columns: columns.filter((one) => one !== null),
    notes: notesOf(layout, names, input),
  };
}

function judge(values: string[], judges: (ColumnJudge | null)[]): void {
  for (let index = 0; index < values.length; index += 1) judges[index]?.see(values[index]!);
}

function columnsOf(
  { header, hasStrayQuote, titles, rows }: CsvLayout,
  { name: file, encoding }: ImportInput,
): string[] {
  if (header.length === 0) throw invalid(`${file} is empty: its first line has to name the columns`);
  if (header.some((name) => /[\0\ufffd]/.test(name)))
    throw invalid(`${file}: the line of the columns ${notIn(encoding)}`);
  if (hasStrayQuote) throw invalid(`${file}: the names of the columns have a stray quote. Close it, or double it ("")`);
  if (titles > 0) {
    throw invalid(
      `${file}: the names of the columns seem to be in line ${rows.line - 1}, below a title. Delete the lines above them`,
    );
  }
  const names = header.map((name, index) => name.trim() || `column ${index + 1}`);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length === 0) return names;
  throw invalid(`${file}: more than one column is named ${twice.join(', ')}. Give each a name of its own`);
}

function isField(name: string): boolean {
  return EVENT_FIELDS.some((field) => field === name);
}

function isProperty(name: string): boolean {
  return !isField(name) && name !== 'properties';
}

/** Null for columns of fields. */
function decided(
  names: string[],
  judges: (ColumnJudge | null)[],
  types: EventFileOptions['types'] = new Map(),
): (ColumnDecision | null)[] {
  const properties = names.filter(isProperty);
  const unknown = [...types.keys()].find((name) => !properties.includes(name));
  if (unknown !== undefined) {
    throw invalid(`--types: "${unknown}" is not a column of properties; these are: ${properties.join(', ')}`);
  }
  return judges.map((judge) => {
    const type = judge && types.get(judge.column);
    return type ? { column: judge.column, type: setType(judge, type), isSet: true } : (judge?.decide() ?? null);
  });
}

function setType(judge: ColumnJudge, type: ColumnType): ColumnType {
  const set = type === 'number' ? judge.numberType() : type;
  if (set !== null) return set;
  throw invalid(`--types: ${judge.column} can be read in two ways; set it to number-point or number-comma`);
}

function notesOf({ endsAtCr }: CsvLayout, names: string[], { isFile }: ImportInput): string[] {
  const notes = endsAtCr ? ['Its lines end with CR alone.'] : [];
  for (const name of names.filter(isProperty)) {
    const field = EVENT_FIELDS.find((one) => one.toLowerCase() === name.toLowerCase());
    if (field) notes.push(`The column ${name} is a property; the field is spelled ${field}.`);
  }
  if (!isFile) notes.push('Types are decided by the first megabyte; rows that contradict them are rejected.');
  return notes;
}

interface Columns {
  names: string[];
  columns: (ColumnDecision | null)[];
  eventName: string | undefined;
}

async function* rowsOf(
  bytes: LookAhead,
  layout: CsvLayout,
  input: ImportInput,
  lines: LineCounts,
  columns: Columns,
): AsyncGenerator<ImportRow> {
  for await (const batch of csvRecords(bytes, layout, input)) {
    for (const { line, count, values, problem } of batch) {
      if (values === null && problem === undefined) lines.blank += count;
      else {
        lines.rows += 1;
        lines.continued += count - 1;
        yield { line, ...(values ? eventOf(values, columns) : { problem: problem! }) };
      }
    }
  }
}

function eventOf(values: string[], { names, columns, eventName }: Columns): Omit<ImportRow, 'line'> {
  const event: Record<string, unknown> = eventName === undefined ? {} : { eventName };
  // Without a prototype, `__proto__` is a name as any other.
  const properties: Record<string, unknown> = Object.create(null);
  for (let index = 0; index < values.length; index += 1) {
    const text = values[index]!;
    if (text === '') continue;
    const column = columns[index];
    const name = names[index]!;
    if (column) {
      const value = cellValue(text, column);
      if (value === null) return { problem: contradiction(text, column) };
      if (value !== undefined) properties[name] = value;
    } else if (name === 'properties') {
      const parsed = parseObject(text);
      if (!parsed.event) return { problem: `properties ${parsed.problem}` };
      const twice = Object.keys(parsed.event).find((key) => names.includes(key));
      if (twice !== undefined) return { problem: `properties has ${twice}, which is a column as well` };
      Object.assign(properties, parsed.event);
    } else event[name] = text;
  }
  return { event: { ...event, properties } };
}

function contradiction(text: string, { column, type, isSet }: ColumnDecision): string {
  const short = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const kind = type === 'boolean' ? 'true or false' : 'a number';
  const why = isSet ? `, as --types ${column}=${type} says` : ' as the values before it; set its type with --types';
  return `${column}: ${short} is not ${kind}${why}`;
}
