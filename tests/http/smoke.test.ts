import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, testApp } from '../support/app.ts';

test('an event that is sent can be queried, fed and aggregated', async (t) => {
  const app = await testApp(t);
  await app.ingest([{ eventName: 'a', properties: { amount: 2 } }, { eventName: 'a', properties: { amount: 3 } }]);
  const feed = await app.request('GET', `${EVENTS}/feed`);
  assert.equal(feed.body.total, 2);
  const table = await app.request('POST', `${EVENTS}/query`, { eventName: 'a', columns: ['amount'] });
  assert.equal(table.body.total, 2);
  const client = await app.mcpClient();
  const answer = await client.callTool({
    name: 'aggregate_events',
    arguments: { eventName: 'a', aggregation: 'sum', propertyKey: 'amount' },
  });
  assert.equal((answer.structuredContent as { value: number }).value, 5);
});
