import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const DOCS = resolve(import.meta.dirname, '../../docs');

test('docs: prose is wrapped at 120 characters', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!api\/).*\.md$/.test(file),
  );
  const long = pages.flatMap((file) => {
    const prose = readFileSync(join(DOCS, file), 'utf8').replace(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, '');
    const lines = prose.split('\n').filter((line) => line.length > 120 && !/^\s*(\||#|<|!\[)/.test(line));
    // One word, code span or link that is too long may stand alone.
    return lines
      .filter((line) => /[^`\]] +\S/.test(line.replace(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '_').trim()))
      .map((line) => `${file}: ${line}`);
  });
  assert.deepEqual(long, []);
});
