import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayBefore, retryAfterOf } from '../../../../../src/core/agents/connectors/call/retries.ts';

const free = { retryAfterMs: null, remainingMs: 60_000 };

test('delayBefore: the backoff doubles up to five seconds', () => {
  const bounds = [2, 3, 4, 5, 6, 7, 8].map((attempt) => delayBefore(attempt, { ...free, random: () => 1 }));
  assert.deepEqual(bounds, [200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  assert.equal(delayBefore(4, { ...free, random: () => 0.25 }), 200);
  assert.equal(delayBefore(4, { ...free, random: () => 0 }), 0);
});

test('delayBefore: honours Retry-After up to ten seconds and the deadline', () => {
  const random = () => 0;
  assert.equal(delayBefore(2, { retryAfterMs: 3_000, remainingMs: 60_000, random }), 3_000);
  assert.equal(delayBefore(2, { retryAfterMs: 10_001, remainingMs: 60_000, random }), null);
  assert.equal(delayBefore(2, { retryAfterMs: 3_000, remainingMs: 3_000, random }), null);
  assert.equal(delayBefore(2, { retryAfterMs: null, remainingMs: 100, random: () => 1 }), null);
});

test('retryAfterOf: reads seconds and dates, ignores other text', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const read = (text: string) => retryAfterOf({ 'retry-after': text }, now);
  assert.equal(read('7'), 7_000);
  assert.equal(read(' 0 '), 0);
  assert.equal(read('Sun, 22 Nov 2026 12:00:09 GMT'), 9_000);
  assert.equal(read('Sun, 22 Nov 2020 12:00:09 GMT'), 0);
  for (const nonsense of ['', '-1', '1e9', '99999999999999', 'soon', 'Sun, never']) assert.equal(read(nonsense), null);
  assert.equal(retryAfterOf({}, now), null);
});
