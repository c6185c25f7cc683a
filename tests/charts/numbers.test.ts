import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { knownLocale } from '../../src/charts/locale.ts';
import { numbersOf } from '../../src/charts/numbers.ts';
import { added, exactScaleOf, scaleOf } from '../../src/charts/scale.ts';
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

/** The server's English text in German notation. */
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
