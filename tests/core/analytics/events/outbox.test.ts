import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventOutbox } from '../../../../src/core/analytics/events/outbox.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { storedEvent } from '../../../contracts/event-store.ts';

/** An outbox with an event store that rejects appends of some tenants. */
function outbox() {
  const refused = new Set<string>();
  const shut = new Set<string>();
  const batches: { tenantId: string; events: number }[] = [];
  const append = async (tenantId: string, events: unknown[]) => {
    if (refused.has(tenantId)) throw new RuntimeError('unavailable', 'Too much waits.');
    batches.push({ tenantId, events: events.length });
    return { duplicates: 0, receipt: '' };
  };
  return {
    box: new EventOutbox({ events: { append }, tenants: { isBlocked: (id) => shut.has(id) } }),
    refused,
    shut,
    batches,
  };
}

test('EventOutbox: a tenant whose append fails does not delay others and is retried', async () => {
  const { box, refused, batches } = outbox();
  refused.add('one');
  for (const tenantId of ['one', 'two', 'one']) box.add(tenantId, storedEvent());
  await assert.rejects(box.write(), /Too much waits/);
  assert.deepEqual(batches, [{ tenantId: 'two', events: 1 }]);
  assert.ok(box.size > 0 && !box.isEmpty);
  refused.clear();
  await box.write();
  assert.deepEqual(batches[1], { tenantId: 'one', events: 2 });
  assert.ok(box.size === 0 && box.isEmpty);
});

test('EventOutbox: a long backlog is appended in batches as large as an ingest', async () => {
  const { box, batches } = outbox();
  for (let count = 0; count < 12_000; count++) box.add('one', storedEvent());
  await box.write();
  assert.deepEqual(
    batches.map(({ events }) => events),
    [5_000, 5_000, 2_000],
  );
  assert.equal(box.size, 0);
});

test('EventOutbox: events of a tenant erased in the meantime are dropped', async () => {
  const { box, shut, batches } = outbox();
  box.add('one', storedEvent());
  shut.add('one');
  await box.write();
  assert.deepEqual([batches, box.isEmpty, box.size], [[], true, 0]);
});
