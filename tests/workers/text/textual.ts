import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { ReadOptions } from '../../../src/core/knowledge/reader.ts';
import type { Format, Section } from '../../../src/workers/format.ts';
import type { ReadBytes } from '../../../src/workers/text/bytes.ts';

const HYGIENE = {
  stripHtml: false,
  removeUrls: false,
  dropEmptyValues: false,
  normalizeWhitespace: false,
  dedupeUnits: false,
};

export function readOptions(options: Partial<ReadOptions>): ReadOptions {
  return { format: 'csv', hygiene: HYGIENE, ...options };
}

/** A file that goes with the test. */
export function fileOf(t: TestContext, content: string | Buffer): string {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-text-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'upload');
  writeFileSync(path, content);
  return path;
}

/** Every section of a file, its `next` and `done` included. */
export async function sectionsOf(format: Format, path: string, options: ReadOptions): Promise<Section[]> {
  const prepared = await format.prepare(path, options);
  return Array.fromAsync(format.read(JSON.parse(JSON.stringify(prepared)), null, options));
}

/** Gives at most so many bytes at once, as a disk may. */
export function sparingly(read: ReadBytes, most: number): ReadBytes {
  return (into, at, length, position) => read(into, at, Math.min(length, most), position);
}

/** How large the window is, and how much a read gives: small, so that every border falls everywhere. */
export const borders = fc.record({ window: fc.integer({ min: 1, max: 40 }), most: fc.integer({ min: 1, max: 40 }) });
