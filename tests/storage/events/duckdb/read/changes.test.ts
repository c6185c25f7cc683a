import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventChanges } from '../../../../../src/storage/events/duckdb/read/changes.ts';

const DAY = 86_400_000;
const reach = fc.record({
  names: fc.option(fc.subarray(['a', 'b', 'runtime.x'], { minLength: 1 })),
  includesOwn: fc.boolean(),
  from: fc.option(fc.nat(100 * DAY)),
  to: fc.option(fc.nat(100 * DAY)),
});
const step = fc.record({
  tenant: fc.constantFrom('one', 'other'),
  isWhole: fc.boolean().map((one) => one),
  eventName: fc.constantFrom('a', 'b', 'runtime.x'),
  timestamp: fc.nat(100 * DAY),
});

test('EventChanges: every change within a reach is seen, at most too many', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 300 }),
      fc.array(reach, { minLength: 1, maxLength: 3 }),
      (steps, reaches) => {
        const changes = new EventChanges();
        let last = 0;
        for (const { tenant, isWhole, ...event } of steps) {
          if (isWhole) changes.changed(tenant);
          else changes.changed(tenant, [event]);
          const isWithin = reaches.some(
            ({ names, includesOwn, from, to }) =>
              (names?.includes(event.eventName) ?? (includesOwn || !event.eventName.startsWith('runtime.'))) &&
              event.timestamp >= (from ?? 0) &&
              event.timestamp < (to ?? Number.POSITIVE_INFINITY),
          );
          if (tenant === 'one' && (isWhole || isWithin)) last = changes.version;
          assert.ok(changes.lastOf('one', reaches) >= last);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('EventChanges: a change of another name, day or tenant is none', () => {
  const changes = new EventChanges();
  changes.changed('one', [{ eventName: 'a', timestamp: 3 * DAY }]);
  const of = (names: string[] | null, from: number, to: number) =>
    changes.lastOf('one', [{ names, includesOwn: false, from: from * DAY, to: to * DAY }]);
  assert.deepEqual(
    [of(['a'], 3, 4), of(['a'], 0, 3), of(['a'], 4, 9), of(['b'], 0, 9), of(null, 0, 9)],
    [1, 0, 0, 0, 1],
  );
  assert.equal(changes.lastOf('other', [{ names: null, includesOwn: true, from: null, to: null }]), 0);
});

test('EventChanges: beyond its limits a change counts for any day, name or tenant', () => {
  const changes = new EventChanges();
  const of = (tenant: string, name: string, day: number) =>
    changes.lastOf(tenant, [{ names: [name], includesOwn: true, from: day * DAY, to: (day + 1) * DAY }]);
  for (let day = 0; day < 65; day += 1) changes.changed('days', [{ eventName: 'a', timestamp: day * DAY }]);
  assert.deepEqual([of('days', 'a', 64), of('days', 'a', 700), of('days', 'b', 700)], [65, 1, 0]);
  for (let name = 0; name <= 1_000; name += 1) changes.changed('names', [{ eventName: `${name}`, timestamp: 0 }]);
  assert.equal(of('names', 'another', 9), changes.version);
  for (let tenant = 0; tenant < 10_000; tenant += 1) changes.changed(`${tenant}`, [{ eventName: 'a', timestamp: 0 }]);
  assert.ok(of('days', 'b', 700) > 0, 'a forgotten tenant may have changed');
  changes.changedAll();
  assert.equal(of('names', 'another', 9), changes.version);
});
