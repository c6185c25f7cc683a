import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UPDATES_GOLDEN } from '../support/golden.ts';

const OUTPUT = join(import.meta.dirname, 'output');

/** Asserts that the SVG is the reviewed `tests/charts/output/<name>.svg`, which has one element per line. */
export function assertGoldenSvg(name: string, svg: string): void {
  const path = join(OUTPUT, `${name}.svg`);
  const shown = `${svg.replaceAll('><', '>\n<')}\n`;
  if (UPDATES_GOLDEN) {
    mkdirSync(OUTPUT, { recursive: true });
    writeFileSync(path, shown);
  }
  assert.ok(existsSync(path), `${name} has no golden picture; UPDATE_GOLDEN=1 writes it`);
  assert.equal(shown, readFileSync(path, 'utf8'), name);
}
