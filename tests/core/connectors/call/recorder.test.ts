import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallRecorder, type EndedCall } from '../../../../src/core/connectors/call/recorder.ts';
import type { StoredEvent } from '../../../../src/core/events/store.ts';
import { realEffects } from '../../../../src/core/shared/effects.ts';
import { eventually } from '../../../support/process.ts';

const metadata = {
  connector: 'pets',
  resource: 'getPet',
  environment: 'staging' as const,
  status: 200,
  duration: 12.5,
  attempts: 1,
  mocked: false,
  retrySafe: true,
};
const caller = { tenantId: 't', agentId: null } as EndedCall['caller'];
const ended: EndedCall = { caller, metadata, credential: 'pets-key', error: null, fallback: false };

function recording(append: (events: StoredEvent[]) => Promise<void> = async () => undefined) {
  const stored: StoredEvent[] = [];
  const problems: unknown[] = [];
  let lost = 0;
  const recorder = new CallRecorder({
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

test('CallRecorder: a call becomes an event without its data', async () => {
  const { recorder, stored } = recording();
  recorder.record(ended);
  recorder.record({ ...ended, error: { code: 'upstream', message: 'x'.repeat(600) }, fallback: true });
  await recorder.close();
  const [executed, failed] = stored;
  assert.equal(executed?.eventName, 'runtime.connector_executed');
  assert.equal(executed?.agentId, 'default');
  assert.deepEqual(JSON.parse(executed!.properties), {
    ...{ connector: 'pets', resource: 'getPet', environment: 'staging', status: 200, durationMs: 12.5, attempts: 1 },
    ...{ mocked: false, fallback: false, credential: 'pets-key' },
  });
  assert.equal(failed?.eventName, 'runtime.connector_failed');
  const { errorCode, error, fallback } = JSON.parse(failed!.properties);
  assert.deepEqual([errorCode, error.length, fallback], ['upstream', 500, true]);
});

test('CallRecorder: writes in batches, and again after a failure', async () => {
  let failures = 1;
  const { recorder, stored, problems } = recording(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('the disk is full');
  });
  recorder.record(ended);
  recorder.record(ended);
  await eventually('both are stored', async () => stored.length === 2, 5_000);
  assert.equal(problems.length, 1);
  await recorder.close();
});

test('CallRecorder: pending calls are limited, and lost ones reported', async () => {
  const { recorder, lost } = recording(() => new Promise(() => undefined));
  for (let index = 0; index < 40_000; index += 1) recorder.record(ended);
  assert.ok(lost() > 0);
});
