import type { ReadOptions } from '../../src/core/knowledge/reader.ts';
import type { Options } from '../events/options.ts';
import type { Report } from '../events/report.ts';

/** What every part is given. */
export interface Bench {
  options: Options;
  report: Report;
  /** Where files and stores are made. */
  directory: string;
  /** Whether a part was asked for by its name, and not as one of all. */
  isNamed(part: string): boolean;
}

/** Of the vectors that the servers under test make. */
export const HASH_DIMENSIONS = 512;

/** LanceDB, and the version of Arrow that it works with. */
export const LANCE = { '@lancedb/lancedb': '0.39.0', 'apache-arrow': '18.1.0' };

/** How a CSV is read where nobody asks for anything. */
export const CSV_OPTIONS: ReadOptions = {
  format: 'csv',
  hygiene: {
    stripHtml: false,
    removeUrls: false,
    dropEmptyValues: false,
    normalizeWhitespace: false,
    dedupeUnits: false,
  },
};
