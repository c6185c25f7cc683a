import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import type { RuntimeEvent } from '../../../../src/core/base/audit/runtime-event.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { outboxBefore } from '../../../support/outbox.ts';
import { eventually } from '../../../support/process.ts';

const EVENT: RuntimeEvent = { eventName: 'runtime.tool_called', timestamp: 1, properties: { tool: 'x' } };

function outbox() {
  const [refused, shut] = [new Set<string>(), new Set<string>()];
  const batches: { tenantId: string; events: number }[] = [];
  const stored: StoredEvent[] = [];
  const problems: unknown[] = [];
  const box = outboxBefore(stored, {
    append: (tenantId, { length }) => {
      if (refused.has(tenantId)) throw new RuntimeError('unavailable', 'Too much waits.');
      batches.push({ tenantId, events: length });
    },
    isBlocked: (id) => shut.has(id),
    onError: (error) => problems.push(error),
  });
  return { box, refused, shut, batches, stored, problems };
}

test('EventOutbox: a tenant whose append fails does not delay others and is retried', async () => {
  const { box, refused, batches, problems } = outbox();
  refused.add('one');
  for (const tenantId of ['one', 'two', 'one']) box.add(tenantId, EVENT);
  assert.deepEqual([await box.flush(), box.isFailing, problems.length], [false, true, 1]);
  assert.deepEqual(batches, [{ tenantId: 'two', events: 1 }]);
  assert.ok(box.size > 0);
  refused.clear();
  await box.close();
  assert.deepEqual(batches[1], { tenantId: 'one', events: 2 });
  assert.deepEqual([box.size, box.isFailing], [0, false]);
});

test('EventOutbox: a long backlog is appended in batches as large as an ingest', async () => {
  const { box, batches } = outbox();
  for (let count = 0; count < 12_000; count++) box.add('one', EVENT);
  await box.flush();
  assert.deepEqual(
    batches.map(({ events }) => events),
    [5_000, 5_000, 2_000],
  );
  assert.equal(box.size, 0);
});

test('EventOutbox: events of a tenant erased in the meantime are dropped', async () => {
  const { box, shut, batches } = outbox();
  box.add('one', EVENT);
  shut.add('one');
  await box.flush();
  assert.deepEqual([batches, box.size], [[], 0]);
  const rows = ['one', 'two'].map((tenantId) => ({ ...EVENT, tenantId, id: 'row' }));
  assert.deepEqual(await box.store(rows), [rows[1]]);
  assert.deepEqual(batches, [{ tenantId: 'two', events: 1 }]);
});

test('EventOutbox: what is stored from a row keeps its id, and fails as the store does', async () => {
  const { box, refused, stored } = outbox();
  const [row] = await box.store([{ ...EVENT, tenantId: 'one', id: 'runtime.tool_called:7' }]);
  const [made] = await box.store([{ ...EVENT, tenantId: 'one' }]);
  assert.deepEqual(
    stored.map(({ id, idFromCaller }) => [id, idFromCaller]),
    [
      [row!.id, true],
      [made!.id, false],
    ],
  );
  refused.add('one');
  await assert.rejects(box.store([{ ...EVENT, tenantId: 'one' }]), /Too much waits/);
});

test("EventOutbox: an event is the agent's, with its properties", async () => {
  const { box, stored } = outbox();
  box.record({ tenantId: 't', agentId: null } as Caller, 'runtime.tool_called', { tool: 'x', intent: undefined });
  await box.close();
  const [event] = stored;
  assert.deepEqual([event?.agentId, event?.eventName], ['default', 'runtime.tool_called']);
  assert.deepEqual(JSON.parse(event!.properties), { tool: 'x' });
});

test('EventOutbox: writes in the background, and again after a failure', async () => {
  const { box, refused, stored, batches, problems } = outbox();
  refused.add('one');
  box.add('one', EVENT);
  box.add('one', EVENT);
  await eventually('the first write fails', async () => problems.length === 1, 5_000);
  refused.clear();
  await eventually('both are stored', async () => stored.length === 2, 5_000);
  assert.equal(batches.length, 1);
});

test('EventOutbox: pending events are limited, and lost ones reported', () => {
  let lost = 0;
  const box = outboxBefore([], { append: () => new Promise(() => undefined), onLost: () => lost++ });
  const added = Array.from({ length: 40_000 }, () => box.add('one', EVENT));
  assert.equal(added.filter((isAdded) => !isAdded).length, lost);
  assert.ok(lost > 0);
  assert.ok(box.add('one', EVENT, 64 * 1024 * 1024), 'a caller with a limit of its own');
});
