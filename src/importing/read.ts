import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse as parseCsv } from 'csv-parse';
import { EVENT_FIELDS } from '../core/events/fields.ts';

export type ImportFormat = 'ndjson' | 'csv';

export interface ImportRow {
  line: number;
  event?: Record<string, unknown>;
  problem?: string;
}

export interface ReadOptions {
  format: ImportFormat;
  /** For a CSV without this column. */
  eventName?: string | undefined;
}

export function readRows(input: Readable, { format, eventName }: ReadOptions): AsyncIterable<ImportRow> {
  return format === 'csv' ? readCsv(input, eventName) : readNdjson(input);
}

async function* readNdjson(input: Readable): AsyncGenerator<ImportRow> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (json.trim() === '') continue;
    yield { line, ...parseObject(json) };
  }
}

function parseObject(json: string): Omit<ImportRow, 'line'> {
  try {
    const event: unknown = JSON.parse(json);
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) {
      return { event: event as Record<string, unknown> };
    }
    return { problem: 'is not a JSON object' };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}

/** Columns named as event fields fill these; other columns become properties. */
async function* readCsv(input: Readable, eventName: string | undefined): AsyncGenerator<ImportRow> {
  const skipped: ImportRow[] = [];
  const parser = parseCsv({
    columns: true,
    bom: true,
    skip_empty_lines: true,
    info: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      skipped.push({ line: Number(error?.lines ?? 0), problem: error?.message ?? 'is malformed' });
      return undefined;
    },
  });
  input.once('error', (error) => parser.destroy(error));
  input.pipe(parser);
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    yield* skipped.splice(0);
    yield { line: info.lines, ...eventOf(record, eventName) };
  }
  yield* skipped;
}

interface CsvRecord {
  record: Record<string, string>;
  info: { lines: number };
}

function eventOf(record: Record<string, string>, eventName: string | undefined): Omit<ImportRow, 'line'> {
  const event: Record<string, unknown> = eventName === undefined ? {} : { eventName };
  const properties: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(record)) {
    if (text === '') continue;
    if (EVENT_FIELDS.some((field) => field === column)) event[column] = text;
    else if (column === 'properties') {
      const parsed = parseObject(text);
      if (!parsed.event) return { problem: `properties ${parsed.problem}` };
      Object.assign(properties, parsed.event);
    } else properties[column] = cellValue(text);
  }
  return { event: { ...event, properties } };
}

/** Only in canonical form: `007` stays text. */
function cellValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}

/** A hash of the file, so that a repeated import adds no duplicates; random for standard input. */
export async function idPrefix(path: string): Promise<string> {
  if (path === '-') return `import-${randomUUID()}`;
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `import-${digest.digest('hex').slice(0, 32)}`;
}
