import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ColumnDecision, ColumnType } from './columns.ts';
import { openCsv } from './csv.ts';
import type { ImportInput } from './input.ts';
import { readNdjson } from './ndjson.ts';

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
  /** One ASCII character; by the file when it is missing. */
  delimiter?: string | undefined;
  /** By column; the other columns' types are decided by their values. */
  types?: ReadonlyMap<string, ColumnType> | undefined;
}

/** Their sum is the number of lines. A row of a CSV that has line breaks in quotes counts once, its others as continued. */
export interface LineCounts {
  header: number;
  rows: number;
  continued: number;
  blank: number;
}

export interface Reading {
  rows: AsyncIterable<ImportRow>;
  /** Grow while the rows are read. */
  lines: LineCounts;
  /** Of a CSV. */
  delimiter?: string;
  columns?: ColumnDecision[];
  notes: string[];
}

/** Throws `invalid` when the whole file cannot be read. */
export async function readRows(input: ImportInput, options: ReadOptions): Promise<Reading> {
  if (options.format === 'csv') return openCsv(input, options);
  const lines = { header: 0, rows: 0, continued: 0, blank: 0 };
  return { rows: readNdjson(input, lines), lines, notes: [] };
}

/** A hash of the file, so that a repeated import adds no duplicates; random for standard input. */
export async function idPrefix(path: string): Promise<string> {
  if (path === '-') return `import-${randomUUID()}`;
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `import-${digest.digest('hex').slice(0, 32)}`;
}
