import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNumber, formatRate } from '../../../src/core/dashboards/format.ts';

test('formatRate: the percentage is the decimal one', () => {
  // 0.145 * 100 is 14.499999999999998.
  assert.equal(formatRate(0.145, { decimals: 0 }), '15%');
  assert.equal(formatRate(0.0575, { decimals: 10 }), '5.7500000000%');
  assert.equal(formatRate(null), '–');
});

test('formatNumber: a sum is written with all its decimals', () => {
  assert.equal(formatNumber(100531.48), '100,531.48');
  assert.equal(formatNumber(-0.25, { prefix: '€', decimals: 3 }), '-€0.250');
});
