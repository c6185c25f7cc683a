import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventRecorder } from '../../../../src/core/analytics/events/recorder.ts';
import type { StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { eventually } from '../../../support/process.ts';

const caller = { tenantId: 't', agentId: null } as Caller;

function recording(append: (events: StoredEvent[]) => Promise<void> = async () => undefined) {
  const stored: StoredEvent[] = [];
  const problems: unknown[] = [];
  let lost = 0;
  const recorder = new EventRecorder({
    events: {
      append: async (_tenantId, events) => {
        await append(events);
        stored.push(...events);
        return { duplicates: 0, receipt: '' };
      },
    },
    tenants: { isBlocked: () => false },
    effects: realEffects,
    onError: (error) => problems.push(error),
    onLost: () => {
      lost += 1;
    },
  });
  return { recorder, stored, problems, lost: () => lost };
}

test("EventRecorder: an event is the agent's, with its properties", async () => {
  const { recorder, stored } = recording();
  recorder.record(caller, 'runtime.tool_called', { tool: 'x', intent: undefined });
  await recorder.close();
  const [event] = stored;
  assert.deepEqual([event?.agentId, event?.eventName], ['default', 'runtime.tool_called']);
  assert.deepEqual(JSON.parse(event!.properties), { tool: 'x' });
});

test('EventRecorder: writes in batches, and again after a failure', async () => {
  let failures = 1;
  const { recorder, stored, problems } = recording(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('the disk is full');
  });
  recorder.record(caller, 'runtime.tool_called', {});
  recorder.record(caller, 'runtime.tool_called', {});
  await eventually('both are stored', async () => stored.length === 2, 5_000);
  assert.equal(problems.length, 1);
  await recorder.close();
});

test('EventRecorder: pending events are limited, and lost ones reported', async () => {
  const { recorder, lost } = recording(() => new Promise(() => undefined));
  for (let index = 0; index < 40_000; index += 1) recorder.record(caller, 'runtime.tool_called', {});
  assert.ok(lost() > 0);
});
