import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../../support/app.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile();

test('GET feed: the events of a thread and of an execution, of all names, newest first', async (t) => {
  const app = await newApp(t);
  await app.ingest([
    { eventName: 'asked', threadId: 't-1', executionId: 'run-1', timestamp: '2026-03-01T10:00:00Z' },
    { eventName: 'paid', threadId: 't-1', timestamp: '2026-03-01T10:01:00Z' },
    { eventName: 'paid', threadId: 't-2', executionId: 'run-2', properties: { threadId: 't-1' } },
  ]);
  const names = async (query: string) => {
    const { body } = await app.request('GET', `${EVENTS}/feed?${query}`);
    return [body.events.map((event: { eventName: string }) => event.eventName), body.total, body.notes];
  };
  assert.deepEqual(await names('threadId=t-1'), [['paid', 'asked'], 2, undefined]);
  assert.deepEqual(await names('threadId=t-1&eventName=asked'), [['asked'], 1, undefined]);
  assert.deepEqual(await names('executionId=run-1'), [['asked'], 1, undefined]);
  assert.deepEqual(await names('threadId=t-1&executionId=run-2'), [[], 0, undefined]);
});
