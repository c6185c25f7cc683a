import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RenderedCard } from '../../src/charts/answer.ts';
import { cardSvg } from '../../src/charts/card.ts';
import { PALETTES, type Theme } from '../../src/charts/palette.ts';
import { assertGoldenSvg } from './golden.ts';
import { parseXml } from './support.ts';

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
