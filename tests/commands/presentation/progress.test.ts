import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../../../src/commands/presentation/progress.ts';

test('lineOf: the bar, its share, what is shown, the time', () => {
  const half = { done: 50, total: 100, shown: '3 of 6 files', seconds: 65 };
  assert.equal(lineOf(half), `${'█'.repeat(20)}${'░'.repeat(20)} 50% | 3 of 6 files | 1m5s`);
  assert.equal(lineOf({ ...half, done: 0, shown: '', seconds: 0 }), `${'░'.repeat(40)} 0% | 0s`);
  assert.equal(lineOf({ ...half, done: 200, shown: '', seconds: 3_725 }), `${'█'.repeat(40)} 100% | 1h2m`);
});
