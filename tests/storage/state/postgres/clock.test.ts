import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { startClock } from '../../../../src/storage/state/postgres/clock.ts';

const HOUR = 3_600_000;

/** A database whose clock is an hour ahead, and which answers after some time. */
function database(answersAfter: () => Promise<unknown>) {
  const base = Date.now() + HOUR - performance.now();
  const query = async () => {
    await answersAfter();
    return { rows: [{ now: base + performance.now() }], rowCount: 1 };
  };
  return { query: query as never, ahead: () => base + performance.now() };
}

test('startClock: tells the time of the database, whatever this machine says', async (t) => {
  const { query, ahead } = database(async () => undefined);
  const asked = ahead();
  const clock = await startClock({ query });
  t.after(() => clock.stop());
  const before = ahead();
  const now = clock.now();
  const exactTo = 1 + (before - asked) / 2;
  assert.ok(now >= Math.floor(before) - exactTo && now <= ahead() + exactTo, `${now} is not the database's time`);
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  assert.ok(clock.now() >= now, 'a step of the own clock changes nothing');
});

test('startClock: an unreachable database does not start one', async () => {
  const query = async () => {
    throw new Error('away');
  };
  await assert.rejects(startClock({ query }), /away/);
});
