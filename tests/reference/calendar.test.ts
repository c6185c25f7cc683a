import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DATE_GROUPINGS } from '../../src/core/analytics/events/fields.ts';
import { readDate } from '../../src/core/base/time/dates.ts';
import { bucketsBetween } from '../../src/core/base/time/time.ts';
import { meaningOf, bucketsBetween as referenceBuckets } from './calendar.ts';
import { CLOCK_CHANGES, near } from './datasets.ts';
import { writtenDate } from './generators.ts';

const options = { seed: Number(process.env.DIFFERENTIAL_SEED ?? 20_240_310), numRuns: 150 };

for (const [timezone, change] of CLOCK_CHANGES) {
  const instant = near(Date.parse(change));

  test(`bucketsBetween: as the reference at ${change} in ${timezone}`, () => {
    const asked = fc.record({ from: instant, to: instant, unit: fc.constantFrom('hour', ...DATE_GROUPINGS) });
    const sameBuckets = fc.property(asked, ({ from, to, unit }) => {
      assert.deepEqual(
        bucketsBetween(unit, { from, to, timezone }, 1_000).map(({ label }) => label),
        referenceBuckets(unit, timezone, from, to, 1_000).map(({ label }) => label),
      );
    });
    fc.assert(sameBuckets, options);
  });

  test(`readDate: as the reference at ${change} in ${timezone}`, () => {
    const asked = fc
      .tuple(instant, instant)
      .chain(([date, now]) => fc.record({ now: fc.constant(now), text: writtenDate(date, now, timezone) }));
    const sameInstants = fc.property(asked, ({ now, text }) => {
      const dates = { now, timezone };
      const { start, end, form } = meaningOf(text, dates);
      const kind = form === 'length' ? 'instant' : form;
      assert.deepEqual(readDate(text, 'dateFrom', dates), { from: start, to: end, kind });
    });
    fc.assert(sameInstants, options);
  });
}
