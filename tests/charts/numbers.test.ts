import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { bucketsOf, Dates } from '../../src/charts/dates.ts';
import { knownLocale } from '../../src/charts/locale.ts';
import { numbersOf } from '../../src/charts/numbers.ts';
import { CUSTOM_PROPERTIES, PALETTES } from '../../src/charts/palette.ts';
import { added, exactScaleOf, scaleOf } from '../../src/charts/scale.ts';
import { cut, groupNameOf, plain, widthOf } from '../../src/charts/text.ts';
import { timeLabels } from '../../src/charts/time-labels.ts';
import { formatNumber, formatRate } from '../../src/core/analytics/dashboards/format.ts';

test('numbersOf: huge and tiny numbers stay short', () => {
  const { full, compact } = numbersOf('en');
  const values = [0, 0.00042, 1234.567, 1e308, -5e-324, null];
  assert.deepEqual(values.map(full), ['0', '0.00042', '1,234.57', '1E308', '-5E-324', '–']);
  assert.deepEqual([1_234, 15_500_000, -2e9].map(compact), ['1.23K', '15.5M', '-2B']);
});

test('numbersOf: a language without a short form of thousands keeps all their digits', () => {
  const { compact } = numbersOf('de');
  assert.deepEqual([12.345, 2_097, -12_345.6, 1_234_567].map(compact), ['12,3', '2.097', '-12.346', '1,23\u00a0Mio.']);
  assert.deepEqual([2_097, 12_345].map(numbersOf('ja').compact), ['2,097', '1.23万']);
});

test('numbersOf: prefix, suffix and decimals survive in other languages', () => {
  const { formatted, rate, percent } = numbersOf('de');
  assert.equal(formatted(-1234.5, { prefix: '€', suffix: ' netto', decimals: 2 }), '-€1.234,50 netto');
  assert.equal(rate(0.70242, {}), '70,2\u00a0%');
  assert.equal(rate(0.5, { suffix: ' %', decimals: 0 }), '50 %');
  assert.equal(percent(0.1234), '12,3\u00a0%');
  assert.equal(percent(2_500), '2.500×');
});

test('numbersOf: what exists is never 0%, and a part never 100%', () => {
  for (const ratio of [0.0004, 0.9997, 0.99996, 1 - 3 / 30_000_000, 2e-9, -0.99996, 1.00001]) {
    assert.equal(numbersOf('en').percent(ratio), formatRate(ratio), String(ratio));
    assert.equal(numbersOf('en').rate(ratio, {}), formatRate(ratio), String(ratio));
  }
  assert.deepEqual([0, 0.5, 1].map(numbersOf('en').percent), ['0%', '50%', '100%']);
  assert.equal(numbersOf('de').percent(0.9997), '99,97\u00a0%');
});

test('numbersOf: a percent sign has the place of the language', () => {
  for (const locale of ['en', 'en-DE', 'en-IN', 'pt-BR', 'ja', 'hi', 'tr', 'eu', 'fr', 'ar-EG', 'he']) {
    const { rate, percent } = numbersOf(locale);
    assert.equal(rate(0.702, {}), percent(0.702), locale);
  }
  assert.equal(numbersOf('tr').rate(-0.5, { decimals: 0 }), '-%50');
});

test("numbersOf: matchesServer only where the server's texts are those of the language", () => {
  const matching = ['en', 'en-US', 'en-GB', 'en-DE', 'en-ZA', 'en-IN', 'de'].filter(
    (locale) => numbersOf(locale).matchesServer,
  );
  assert.deepEqual(matching, ['en', 'en-US', 'en-GB']);
});

function inGerman(text: string): string {
  return text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')).replace('%', '\u00a0%');
}

test('numbersOf: a KPI has the same digits in German as in the answer', () => {
  const { formatted, rate } = numbersOf('de');
  const check = (value: number, decimals: number | undefined) => {
    assert.equal(formatted(value, { prefix: '$', decimals }), inGerman(formatNumber(value, { prefix: '$', decimals })));
    assert.equal(rate(value, { decimals }), inGerman(formatRate(value, { decimals })));
  };
  for (const value of [0.285, 0.145, 0.0705, -0.001, -0.285, 1e-7, 1_234_567_890_123_456, -10_020_148_238_393.842, 0]) {
    for (const decimals of [0, 1, 2, undefined]) check(value, decimals);
  }
  const values = fc.oneof(
    fc.integer({ min: -1e6, max: 1e6 }).map((parts) => parts / 1e4),
    fc.double({ min: -1e18, max: 1e18, noNaN: true }),
  );
  fc.assert(fc.property(values, fc.option(fc.nat(10), { nil: undefined }), check));
});

test('knownLocale: an unknown or malformed tag becomes English', () => {
  assert.deepEqual(['de-AT', 'tlh', 'not a locale', '', 'en-GB'].map(knownLocale), [
    'de-AT',
    'en',
    'en',
    'en',
    'en-GB',
  ]);
});

test('scaleOf: ticks are round, include zero, and never negative zero', () => {
  assert.deepEqual(scaleOf(3, 47, [100, 0], 5).ticks, [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(scaleOf(-843, 1_400, [100, 0], 5).ticks, [-1_000, -500, 0, 500, 1_000, 1_500]);
  assert.deepEqual(scaleOf(0, 0, [100, 0], 2).ticks, [0, 0.5, 1]);
  assert.ok(scaleOf(5, 9, [100, 0], 4).ticks.every((tick) => !Object.is(tick, -0)));
});

test('scaleOf: a scale always has two ticks', () => {
  for (const count of [1, 2, 3, 5]) {
    for (const [least, most] of [
      [-120, 130],
      [-30, 40],
      [0, 7],
      [0, 66],
      [-9, 0],
    ] as const) {
      assert.ok(scaleOf(least, most, [100, 0], count).ticks.length >= 2, `${least} to ${most}, about ${count}`);
    }
  }
});

test('scaleOf: any finite numbers have finite positions, and ticks apart', () => {
  const values = [-Number.MAX_VALUE, -1, -1e-300, -5e-324, 0, 5e-324, 1e-300, 1, Number.MAX_VALUE];
  for (const least of values) {
    for (const most of values.filter((value) => value >= least)) {
      const { at, ticks } = scaleOf(least, most, [100, 0], 5);
      assert.ok(ticks.length > 1 && ticks.length < 12, `${least} to ${most}: ${ticks}`);
      const gaps = ticks.slice(1).map((tick, index) => at(ticks[index]!) - at(tick));
      assert.ok(
        gaps.every((gap) => gap > 5),
        `${least} to ${most}: ticks ${gaps} apart`,
      );
      const exact = exactScaleOf(least, most, [100, 0]);
      for (const value of [least, most, 0, ...ticks]) {
        assert.ok(at(value) >= -0.001 && at(value) <= 100.001, `${value} in ${least} to ${most}: ${at(value)}`);
        assert.ok(Number.isFinite(exact(value)));
      }
    }
  }
  assert.ok(Number.isFinite(added(Number.MAX_VALUE, Number.MAX_VALUE)));
});

const english = new Dates('en', 'Europe/Berlin');
const GLYPH = 6;

test('bucketsOf: the unit follows from the spacing, across a change of the clock', () => {
  const units = {
    hour: ['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00', '2026-03-29T04:00:00+02:00'],
    day: ['2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    week: ['2026-03-23T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    month: ['2026-01-01T00:00:00+01:00', '2026-02-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00'],
    quarter: ['2026-01-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
    year: ['2025-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
  };
  for (const [unit, labels] of Object.entries(units)) assert.equal(bucketsOf(labels, null).unit, unit);
  assert.equal(bucketsOf(['2026-03-29T00:00:00+01:00'], null).unit, 'day');
  assert.equal(bucketsOf(['2026-03-29T07:00:00+01:00'], null).unit, 'hour');
});

test('Dates: a bucket has its local date, in the language', () => {
  const { times } = bucketsOf(['2026-03-01T00:00:00+14:00'], null);
  assert.equal(english.full(times[0]!, 'day'), 'Mar 1, 2026');
  assert.equal(english.full(times[0]!, 'month'), 'March 2026');
  assert.equal(english.full(times[0]!, 'quarter'), 'Q1 2026');
  assert.equal(new Dates('de', 'UTC').full(times[0]!, 'day'), '1. März 2026');
});

test('Dates: a range ends with its last day in the zone; a short one has hours', () => {
  const range = (from: string | null, to: string | null) => english.range({ from, to }).replaceAll(/\s/g, ' ');
  assert.equal(range('2026-02-25T23:00:00.000Z', '2026-03-11T23:00:00.000Z'), 'Feb 26 – Mar 11, 2026');
  assert.equal(range('2026-03-10T23:00:00.000Z', '2026-03-11T23:00:00.000Z'), 'Mar 11, 2026');
  assert.equal(range('2026-03-11T08:00:00.000Z', '2026-03-11T10:00:00.000Z'), 'Mar 11, 2026, 9:00 – 10:59 AM');
  assert.equal(range(null, '2026-03-11T23:00:00.000Z'), 'until Mar 11, 2026');
  assert.equal(range(null, null), 'all time');
  assert.equal(new Dates('en', 'No/Where').range({ from: null, to: '2026-03-11T00:00:00Z' }), 'until Mar 10, 2026');
});

test('timeLabels: are at round times, and fewer on a narrow axis', () => {
  const labels = (count: number, step: number, width: number) => {
    const start = Date.parse('2026-01-29T00:00:00Z');
    const texts = Array.from({ length: count }, (_, index) =>
      new Date(start + index * step).toISOString().slice(0, 19),
    );
    return timeLabels(bucketsOf(texts, null), english, width, (text) => text.length * GLYPH).map(({ text }) =>
      text.replaceAll(/\s/g, ' '),
    );
  };
  const [hour, day] = [3_600_000, 86_400_000];
  assert.deepEqual(labels(30, hour, 400), ['Jan 29', '6 AM', '12 PM', '6 PM', 'Jan 30']);
  assert.deepEqual(labels(5, day, 600), ['Jan 29', 'Jan 30', 'Jan 31', 'Feb 1', 'Feb 2']);
  assert.deepEqual(labels(14, day, 200), ['Jan 29', 'Feb 2', 'Feb 6', 'Feb 10']);
  assert.deepEqual(labels(120, day, 240), ['Feb', 'Mar', 'Apr', 'May']);
  assert.deepEqual(labels(3_660, day, 420).slice(0, 3), ['2027', '2028', '2029']);
});

test('Dates: a whole day is one in zones of half hours, too; part of a day has times', () => {
  const day = { from: '2026-10-31T18:30:00.000Z', to: '2026-11-01T18:30:00.000Z' };
  assert.equal(new Dates('en', 'Asia/Kolkata').range(day), 'Nov 1, 2026');
  assert.match(new Dates('en', 'UTC').range(day), /6:30.PM.*6:29.PM/);
});

const require = createRequire(import.meta.url);
const FONTS = {
  400: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  600: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

test('widthOf: is close to the width of Inter as resvg draws it', () => {
  for (const text of ['Conversations by channel', '1,234,567.50', 'WWW iii @ {}', 'é über Ñandú', 'Привет', 'Αθήνα']) {
    for (const [weight, file] of Object.entries(FONTS)) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"><text x="0" y="40" font-size="20" font-weight="${weight}" font-family="Inter">|${text}|</text></svg>`;
      const drawn = new Resvg(svg, { font: { fontFiles: [file], loadSystemFonts: false } }).innerBBox()!.width;
      const told = widthOf(`|${text}|`, 20, Number(weight));
      assert.ok(told > drawn * 0.97 && told < drawn * 1.2, `${text}, ${weight}: ${told}, drawn ${drawn}`);
    }
  }
});

test('cut: keeps whole graphemes, and the result fits', () => {
  const family = '👩‍👩‍👧‍👦';
  for (let width = 0; width < 400; width += 7) {
    const shown = cut(family.repeat(5), width, 12);
    assert.equal(shown.replaceAll(family, '').replace('…', ''), '');
    assert.ok(widthOf(shown, 12) <= width + 0.1, `${shown} in ${width}`);
  }
  assert.equal(cut('e\u0301e\u0301e\u0301', 20, 12), 'e\u0301…');
});

test('cut: a text that fits stays whole; without room for an ellipsis it is empty', () => {
  const text = 'customer asked for a person';
  assert.equal(cut(text, widthOf(text, 12), 12), text);
  assert.equal(cut(text, 60, 12), 'custom…');
  assert.equal(cut(text, 5, 12), '');
});

test('plain: one line without control characters, marks of direction or stacked marks', () => {
  assert.equal(plain(' a\n\tb\u0000\u202ec\u2066 '), 'a b c');
  assert.equal(plain('\ud800x'), '\ufffdx');
  assert.equal(plain(`Z${'\u0301'.repeat(60)}`), `Z${'\u0301'.repeat(3)}`);
});

test('groupNameOf: every kind of group has a name', () => {
  const names = [null, undefined, '', 'de', true, 42, { channel: 'web', plan: null }, ['a', 1], {}].map(groupNameOf);
  assert.deepEqual(names, ['(none)', '(none)', '(empty)', 'de', 'true', '42', 'web · (none)', 'a, 1', '(empty)']);
});

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
