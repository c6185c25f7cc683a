import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const INGEST = resolve(import.meta.dirname, '../ingest');

/** Where the files of a folder are that are read, and their names: `tests/ingest/input/pdf`. */
export function goldenInputs(folder: string, extension: string): { name: string; path: string }[] {
  const inputs = join(INGEST, 'input', folder);
  const names = readdirSync(inputs).filter((name) => name.endsWith(extension));
  return names.sort().map((name) => ({ name: `${folder}/${name}`, path: join(inputs, name) }));
}

/** What was read is what was reviewed: `tests/ingest/output/<name>.json`, written anew with UPDATE_GOLDEN=1. */
export function assertGolden(name: string, actual: unknown): void {
  const path = join(INGEST, 'output', `${name}.json`);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(actual, null, 2)}\n`);
  }
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), JSON.parse(readFileSync(path, 'utf8')), name);
}
