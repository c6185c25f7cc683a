import type { ColumnDecision, ColumnType } from './columns.ts';

export type ImportFormat = 'ndjson' | 'csv';

export interface ImportRow {
  line: number;
  event?: Record<string, unknown>;
  problem?: string;
}

export interface EventFileOptions {
  format: ImportFormat;
  /** For a CSV without this column. */
  eventName?: string | undefined;
  /** An ASCII character; decided by the file when it is missing. */
  delimiter?: string | undefined;
  /** By column; the other columns' types are decided by their values. */
  types?: ReadonlyMap<string, ColumnType> | undefined;
}

/**
 * Their sum is the number of lines. A row of a CSV that has line breaks in quotes counts once, its
 * others as continued.
 */
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
  /** The delimiter of a CSV. */
  delimiter?: string;
  columns?: ColumnDecision[];
  notes: string[];
}
