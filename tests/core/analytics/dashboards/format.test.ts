import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatNumber,
  formatRate,
  formatValue,
  presentationOf,
} from '../../../../src/core/analytics/dashboards/format.ts';

test('formatRate: the percentage is the decimal one', () => {
  // 0.145 * 100 is 14.499999999999998.
  assert.equal(formatRate(0.145, { decimals: 0 }), '15%');
  assert.equal(formatRate(0.0575, { decimals: 10 }), '5.7500000000%');
  assert.equal(formatRate(null), '–');
});

test('formatRate: what exists is never 0%, and a part never 100%', () => {
  const shown = [0, 0.0004, 0.9997, 0.99996, 1 - 3 / 30_000_000, 2e-9, 1, -0.99996, 1.00001].map((one) =>
    formatRate(one),
  );
  assert.deepEqual(shown, [
    ...['0.0%', '0.04%', '99.97%', '99.996%', '99.99999%', '0.0000002%', '100.0%', '-99.996%', '100.001%'],
  ]);
  assert.equal(formatRate(0.9997, { decimals: 0 }), '100%', 'the format says so');
});

test('formatNumber: a sum is written with all its decimals', () => {
  assert.equal(formatNumber(100531.48), '100,531.48');
  assert.equal(formatNumber(-0.25, { prefix: '€', decimals: 3 }), '-€0.250');
});

test('formatValue: in percent for a rate, unless the format says otherwise', () => {
  assert.equal(formatValue(0.25, {}, true), '25.0%');
  assert.equal(formatValue(0.25, { percent: false }, true), '0.25');
  assert.equal(formatValue(0.25, { percent: true, decimals: 0 }), '25%');
  assert.equal(formatValue(12.5, { suffix: ' minutes' }), '12.5 minutes');
  assert.equal(formatValue(null, { percent: true }), '–');
});

test('presentationOf: a card without a metric has its own format, as it was sent', () => {
  assert.deepEqual(presentationOf(undefined, true, undefined), {});
  assert.deepEqual(presentationOf({ decimals: 0 }, true, undefined), { format: { decimals: 0 } });
});

test("presentationOf: members of the card's format replace those of the metric's", () => {
  const shown = { format: { percent: true, decimals: 1 }, goodDirection: 'up' as const };
  assert.deepEqual(presentationOf({ decimals: 0 }, false, shown), {
    format: { percent: true, decimals: 0 },
    goodDirection: 'up',
  });
  assert.deepEqual(presentationOf({ percent: false }, false, shown).format, { percent: false, decimals: 1 });
});

test('presentationOf: a rate of a metric is in percent by default', () => {
  assert.deepEqual(presentationOf(undefined, true, { goodDirection: 'none' }), { format: { percent: true } });
  assert.deepEqual(presentationOf(undefined, false, { goodDirection: 'none' }), {});
});

test('presentationOf: a unit follows a number that has no other sign', () => {
  const minutes = { unit: 'minutes', goodDirection: 'down' as const };
  assert.deepEqual(presentationOf(undefined, false, minutes), {
    format: { suffix: ' minutes' },
    unit: 'minutes',
    goodDirection: 'down',
  });
  assert.deepEqual(presentationOf({ suffix: ' min' }, false, minutes).format, { suffix: ' min' });
  assert.deepEqual(presentationOf({ prefix: '~' }, false, minutes).format, { prefix: '~' });
  assert.deepEqual(presentationOf(undefined, true, minutes).format, { percent: true });
  assert.deepEqual(presentationOf(undefined, false, { unit: '%', goodDirection: 'none' }).format, { suffix: '%' });
});
