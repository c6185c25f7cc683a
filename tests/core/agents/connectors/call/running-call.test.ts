import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EndedCall, recordCall } from '../../../../../src/core/agents/connectors/call/running-call.ts';

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

test('recordCall: a call becomes an event without its data', () => {
  const recorded: [string, object][] = [];
  const outbox = {
    record: (_caller: unknown, name: string, properties: object) => recorded.push([name, properties]),
  };
  recordCall(outbox as never, ended);
  const error = { code: 'upstream', message: 'x'.repeat(600) };
  recordCall(outbox as never, { ...ended, error, fallback: true });
  const [executed, failed] = recorded;
  assert.deepEqual(executed, [
    'runtime.connector_executed',
    {
      ...{ connector: 'pets', resource: 'getPet', environment: 'staging', status: 200, durationMs: 12.5, attempts: 1 },
      ...{ mocked: false, fallback: false, credential: 'pets-key' },
    },
  ]);
  assert.equal(failed![0], 'runtime.connector_failed');
  const { errorCode, error: text, fallback } = failed![1] as Record<string, string>;
  assert.deepEqual([errorCode, text!.length, fallback], ['upstream', 500, true]);
});
