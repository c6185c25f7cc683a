import fc from 'fast-check';
import type { ReadOptions } from '../../src/core/knowledge/reader.ts';
import type { ReadBytes } from '../../src/text/bytes.ts';
import type { Format, Section } from '../../src/workers/format.ts';
import { NO_HYGIENE } from '../support/upload-file.ts';

export function readOptions(options: Partial<ReadOptions>): ReadOptions {
  return { format: 'csv', hygiene: NO_HYGIENE, ...options };
}

/** Every section of a file, with its `next` and `done`. */
export async function sectionsOf(format: Format, path: string, options: ReadOptions): Promise<Section[]> {
  const prepared = await format.prepare(path, options);
  return Array.fromAsync(format.read(JSON.parse(JSON.stringify(prepared)), null, options));
}

/** Limits reads to so many bytes, as a disk may. */
export function sparingly(read: ReadBytes, most: number): ReadBytes {
  return (into, at, length, position) => read(into, at, Math.min(length, most), position);
}

/** Small windows and reads, so that borders fall everywhere. */
export const borders = fc.record({ window: fc.integer({ min: 1, max: 40 }), most: fc.integer({ min: 1, max: 40 }) });
