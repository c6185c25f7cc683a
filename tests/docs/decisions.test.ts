import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const DECISIONS = resolve(import.meta.dirname, '../../docs/decisions');

test('docs/decisions: the index has one row for each, and numbers are not used twice', () => {
  const index = readFileSync(join(DECISIONS, 'README.md'), 'utf8');
  const listed = [...index.matchAll(/^\| [^|]*\| \[(\d{4})\]\((\S+)\) [^|]+\| [^|]+\|$/gm)];
  const files = readdirSync(DECISIONS).filter((file) => file !== 'README.md');
  assert.deepEqual(listed.map(([, , file]) => file).sort(), files.sort());
  for (const [, number, file] of listed) assert.ok(file!.startsWith(`${number}-`), file);
  assert.equal(new Set(listed.map(([, number]) => number)).size, files.length);
});
