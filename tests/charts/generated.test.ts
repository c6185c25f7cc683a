import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RenderedCard } from '../../src/charts/answer.ts';
import { cardSvg, drawCard, summaryOf, tableOf } from '../../src/charts/card.ts';
import { PALETTES, type Theme } from '../../src/charts/palette.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { rareTest } from '../support/rare.ts';
import { cards, locales } from './generators.ts';
import { overlaps, parseXml, placesOf } from './support.ts';

const BROKEN = /NaN|undefined|Infinity|\[object/;

const drawing = fc.property(
  cards,
  locales,
  fc.integer({ min: 160, max: 1600 }),
  fc.integer({ min: 80, max: 1200 }),
  (rendered, locale, width, height) => {
    const { marks, points } = drawCard(rendered, {
      ...{ width, height, palette: PALETTES.light, locale },
      listsAnnotations: height % 2 === 0,
    });
    const places = placesOf(marks);
    for (const { x, y } of [...places.points, ...points]) {
      assert.ok(x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1, `${x}, ${y} in ${width} x ${height}`);
    }
    for (const { text, left, right, top, bottom } of places.texts) {
      assert.ok(left >= -1 && right <= width + 1, `${text}: ${left} to ${right} of ${width}`);
      assert.ok(top >= -1 && bottom <= height + 1, `${text}: ${top} to ${bottom} of ${height}`);
    }
    assert.deepEqual(overlaps(places.texts), []);

    const size = { width: Math.max(320, width), height: Math.max(200, height) };
    const svg = cardSvg(rendered, { ...size, palette: PALETTES.dark, locale });
    parseXml(svg);
    const { columns, rows } = tableOf(rendered, locale);
    assert.ok(rows.every((row) => row.length === columns.length));
    const written = JSON.stringify([svg, marks, points, summaryOf(rendered, locale), columns, rows]);
    // A group may be called so.
    if (!BROKEN.test(JSON.stringify(rendered))) assert.doesNotMatch(written, BROKEN);
  },
);

test('cardSvg: any card is well-formed, within its box and without overlaps', () => {
  fc.assert(drawing, { numRuns: 400 });
});

rareTest('cardSvg: 10,000 cards are well-formed, within their box and without overlaps', () => {
  fc.assert(drawing, { numRuns: 10_000 });
});

const INPUT = join(import.meta.dirname, 'input');

interface Input extends RenderedCard {
  picture: { width: number; height: number; theme: Theme; locale: string };
}

const names = readdirSync(INPUT).map((file) => file.replace(/\.json$/, ''));

for (const name of names) {
  test(`cardSvg: ${name}`, () => {
    const { picture, ...rendered } = JSON.parse(readFileSync(join(INPUT, `${name}.json`), 'utf8')) as Input;
    const { theme, ...options } = picture;
    const svg = cardSvg(rendered, { ...options, palette: PALETTES[theme] });
    parseXml(svg);
    assertGoldenSvg(name, svg);
  });
}

test('cardSvg: every golden picture has an input', () => {
  const drawn = readdirSync(join(import.meta.dirname, 'output')).map((file) => file.replace(/\.svg$/, ''));
  assert.deepEqual(drawn.filter((name) => !name.startsWith('demo-')).sort(), names.toSorted());
});

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
