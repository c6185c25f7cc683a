import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTOM_PROPERTIES, PALETTES } from '../../src/charts/palette.ts';

for (const [theme, palette] of Object.entries(PALETTES)) {
  const { surface, series, good, warning, bad, text, muted } = palette;

  test(`palette: in ${theme}, contrast to the surface is 4.5:1 for text, 3:1 for colours`, () => {
    for (const color of [text, muted]) assert.ok(contrast(color, surface) >= 4.5, color);
    for (const color of [...series, good, warning, bad]) assert.ok(contrast(color, surface) >= 3, color);
  });

  test(`palette: in ${theme}, colours of series differ from each other and from muted`, () => {
    const all = [...series, muted];
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) assert.ok(distance(one, other) >= 0.1, `${one} and ${other}`);
    }
  });
}

test('palette: the themes and the custom properties have the same colours', () => {
  for (const palette of [PALETTES.dark, CUSTOM_PROPERTIES]) {
    assert.deepEqual(Object.keys(palette), Object.keys(PALETTES.light));
    assert.equal(palette.series.length, PALETTES.light.series.length);
  }
});

/** Linear red, green and blue from 0 to 1. */
function linear(color: string): [number, number, number] {
  assert.match(color, /^#[0-9a-f]{6}$/);
  const parts = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as never;
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [one, other]
    .map(linear)
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((first, second) => first - second);
  return (more + 0.05) / (less + 0.05);
}

/** The distance in Oklab, where equal distances look equally different. */
function distance(one: string, other: string): number {
  const [first, second] = [one, other].map(oklab);
  return Math.hypot(...first!.map((part, index) => part - second![index]!));
}

function oklab(color: string): number[] {
  const [red, green, blue] = linear(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}
