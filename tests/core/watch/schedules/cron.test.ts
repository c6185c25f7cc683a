import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchedule, nextRun } from '../../../../src/core/watch/schedules/cron.ts';

function next(every: string, timezone: string, after: string): string | undefined {
  const time = nextRun(every, timezone, Date.parse(after));
  return time === null ? undefined : new Date(time).toISOString();
}

test('nextRun: follows the zone, also where clocks change', () => {
  assert.equal(next('0 8 * * 1-5', 'America/Sao_Paulo', '2026-03-06T12:00:00Z'), '2026-03-09T11:00:00.000Z');
  // 01:30 does not exist in Lisbon that night.
  assert.equal(next('30 1 * * *', 'Europe/Lisbon', '2024-03-30T12:00:00Z'), '2024-03-31T01:00:00.000Z');
  // 01:30 comes twice, and runs once.
  assert.equal(next('30 1 * * *', 'Europe/Lisbon', '2024-10-26T12:00:00Z'), '2024-10-27T00:30:00.000Z');
  assert.equal(next('30 1 * * *', 'Europe/Lisbon', '2024-10-27T00:30:00Z'), '2024-10-28T01:30:00.000Z');
  // Every quarter of an hour has no gap.
  assert.equal(next('*/15 * * * *', 'Europe/Lisbon', '2024-10-27T00:46:00Z'), '2024-10-27T01:00:00.000Z');
  // Midnight does not exist in São Paulo that day.
  assert.equal(next('0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z'), '2018-11-04T03:00:00.000Z');
});

test('checkSchedule: names the member and a remedy', () => {
  const cases: [string, RegExp][] = [
    ['61 * * * *', /^every: "61 \* \* \* \*" is not a cron expression/],
    ['a b c d e', /is not a cron expression such as/],
    ['* * * *', /must have 5 fields: minute, hour, day, month, weekday/],
    ['* * * * * *', /must have 5 fields/],
    ['@daily', /must have 5 fields/],
    ['0 0 31 2 *', /never comes/],
  ];
  for (const [every, expected] of cases) assert.throws(() => checkSchedule(every, 'UTC'), { message: expected }, every);
  checkSchedule('*/5 * * * *', 'UTC');
});
