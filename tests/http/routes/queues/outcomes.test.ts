import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { EXECUTIONS, newDesk } from '../reviews/support.ts';

const QUEUES = '/api/v1/runtime/v1/observability/queues';

test('Queues with an outcome: executions in whose threads such an event followed', async (t) => {
  let ahead = 0;
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => Date.now() + ahead });
  const desk = await newDesk(app);
  const start = Date.now() - 7_200_000;
  const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
  const record = (id: string, threadId: string | undefined, minute: number) =>
    desk.record({ id, threadId, startedAt: at(minute), completedAt: at(minute + 1), output: 'answered' });
  let events = 0;
  const refund = (threadId: string, minute: number, amount: number) =>
    app.ingest(
      [{ id: `refund ${++events}`, eventName: 'refund', threadId, timestamp: at(minute), properties: { amount } }],
      desk.key,
    );
  await record('a', 't1', 1);
  await record('b', 't2', 3);
  await record('c', undefined, 3);
  await record('d', 't4', 4);
  await refund('t1', 2, 10);
  await refund('t2', 1, 10);
  await refund('t4', 9, 1);
  const outcome = { eventName: 'refund', filters: [{ propertyKey: 'amount', operator: 'gte', value: 5 }] };
  await desk.right('POST', QUEUES, { name: 'refunded', outcome });
  const next = async () => {
    const { item } = await desk.right('POST', `${QUEUES}/refunded/next`);
    if (item) await desk.right('POST', `${QUEUES}/refunded/items/${item.executionId}/done`);
    return item?.executionId ?? null;
  };
  assert.deepEqual([await next(), await next()], ['a', null]);
  await record('e', 't1', 0);
  assert.equal(await next(), 'e', 'recorded after its outcome');
  await record('f', 't1', 5);
  // Storing the words of an execution lets queues look at it again.
  const stored = async () => (await desk.right('GET', `${EXECUTIONS}?search=answered`)).total === 6;
  await eventually('words of the executions', stored, 20_000);
  assert.equal(await next(), null, 'the outcome was before');
  await refund('t2', 110, 7);
  assert.equal(await next(), null, 'asked a moment ago');
  ahead = 6_000;
  assert.deepEqual([await next(), await next()], ['b', null]);
});

test('Queues: filters and outcomes that make no sense are refused', async (t) => {
  const desk = await newDesk(await testApp(t, { rateLimit: 0 }));
  const outcome = { eventName: 'x', filters: [{ propertyKey: 'timestamp', operator: 'gt', value: 'never' }] };
  const { status, body } = await desk.request('POST', QUEUES, { name: 'wrong', outcome });
  assert.equal(status, 400);
  assert.match(String(body.message), /^outcome\.filters\[0\]\.value: "never"/);
  const dates = await desk.request('POST', QUEUES, { name: 'wrong', filters: { dateFrom: 'never' } });
  assert.equal(dates.status, 400);
  assert.match(String(dates.body.message), /^filters\.dateFrom: "never"/);
});
