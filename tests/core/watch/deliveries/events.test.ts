import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { DeliveryEvents } from '../../../../src/core/watch/deliveries/events.ts';
import type { Delivery } from '../../../../src/core/watch/deliveries/store.ts';

test('DeliveryEvents: the event of a failure names no address of a person', async () => {
  const recorded: StoredEvent[] = [];
  const events = new DeliveryEvents({
    events: {
      append: async (_tenant, appended) => {
        recorded.push(...appended);
        return { receipt: '', accepted: appended.length, duplicates: 0 } as never;
      },
    },
    tenants: { isBlocked: () => false },
    onError: (error) => assert.fail(String(error)),
  });
  const delivery = { id: 'd', tenantId: 'one', source: { kind: 'alert', id: 'a' }, type: 'alert.ok', attempts: 1 };
  const error = 'The mail server refused ana@example.com (550 5.1.1), bo.b+x@example.org (550).';
  events.record({ ...delivery, targetType: 'email', createdAt: 1, attemptedAt: 2 } as Delivery, {
    ...{ kind: 'dead', error, ms: 1 },
  });
  await events.settled();
  const { error: shown } = JSON.parse(recorded[0]!.properties) as { error: string };
  assert.equal(shown, 'The mail server refused an address (550 5.1.1), an address (550).');
});
