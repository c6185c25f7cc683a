import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openCsv } from './csv.ts';
import type { ImportInput } from './input.ts';
import { readNdjson } from './ndjson.ts';
import type { EventFileOptions, Reading } from './reading.ts';

/** Throws `invalid` when the whole file cannot be read. */
export async function readRows(input: ImportInput, options: EventFileOptions): Promise<Reading> {
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
