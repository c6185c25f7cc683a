import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryEvent, retryDelayMs } from '../../../../src/core/watch/deliveries/attempt.ts';
import type { Delivery } from '../../../../src/core/watch/deliveries/store.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const delays = (random: number) =>
  Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, { random: () => random }));

test('retryDelayMs: nine attempts, with the delays of Standard Webhooks', () => {
  const recommended = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR];
  assert.deepEqual(delays(0), [...recommended, null]);
  assert.deepEqual(delays(1), [...recommended.map((ms) => Math.ceil(ms * 1.1)), null]);
});

test('retryDelayMs: a receiver may ask for a longer wait, up to a day', () => {
  const asked = (retryAfterMs: number | null, failed = 1) => retryDelayMs(failed, { retryAfterMs, random: () => 0 });
  assert.deepEqual(
    [asked(null), asked(0), asked(1_000), asked(7_000), asked(HOUR), asked(100 * HOUR)],
    [5_000, 5_000, 5_000, 7_000, HOUR, 24 * HOUR],
  );
  assert.equal(asked(HOUR, 9), null, 'not after the last attempt');
});

test('deliveryEvent: the event of a failure names no address of a person', () => {
  const delivery = { id: 'd', tenantId: 'one', source: { kind: 'alert', id: 'a' }, type: 'alert.ok', attempts: 1 };
  const error = 'The mail server refused ana@example.com (550 5.1.1), bo.b+x@example.org (550).';
  const { id, properties } = deliveryEvent(
    { ...delivery, targetType: 'email', createdAt: 1, attemptedAt: 2 } as Delivery,
    { kind: 'dead', error, ms: 1 },
  );
  assert.equal(id, 'runtime.delivery_failed:d:1');
  const { error: shown } = properties as { error: string };
  assert.equal(shown, 'The mail server refused an address (550 5.1.1), an address (550).');
});
