import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitKpi, MAX_ANSWER_BYTES } from '../../../../../src/core/analytics/events/questions/fit.ts';

test('Answers: no more of a series is measured than fits', () => {
  let measured = 0;
  const point = { bucket: '2026-03-01T00:00:00+00:00', value: 1 };
  const series = Array.from({ length: 20_000 }, () => ({
    toJSON: () => {
      measured += 1;
      return point;
    },
  }));
  const answer = fitKpi({ value: 1, series, basis: {}, notes: [] } as unknown as Parameters<typeof fitKpi>[0]);
  const kept = answer.series!.length;
  assert.ok(kept > 300 && kept < 1_000, `${kept} points`);
  assert.ok(Buffer.byteLength(JSON.stringify({ ...answer, series: Array(kept).fill(point) })) <= MAX_ANSWER_BYTES);
  // Once to learn that not all fit, once beside the sentence that says so.
  assert.ok(measured <= 2 * kept + 50, `${measured} of 20,000 points were measured for ${kept}`);
});
