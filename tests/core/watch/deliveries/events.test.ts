import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryEvent } from '../../../../src/core/watch/deliveries/events.ts';
import type { Delivery } from '../../../../src/core/watch/deliveries/store.ts';

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
