import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../tools/support.ts';
import { CARDS } from '../dashboards/support.ts';
import { sharedApp, workspace } from '../metrics/support.ts';

const ANNOTATIONS = '/api/v1/runtime/observability/annotations';
const DAY = 86_400_000;
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString();

test('annotations: are made, listed by their time, changed and removed', async () => {
  const { request } = await workspace();
  const old = await request('POST', ANNOTATIONS, { text: 'Release 2.2', at: at(9) });
  assert.equal(old.status, 201);
  const { body } = await request('POST', ANNOTATIONS, { text: 'Outage' });
  assert.ok(Math.abs(Date.parse(body.annotation.at) - Date.now()) < 60_000, 'now by default');
  const texts = async (query = '') =>
    (await request('GET', `${ANNOTATIONS}${query}`)).body.annotations.map(({ text }: { text: string }) => text);
  assert.deepEqual(await texts(), ['Outage', 'Release 2.2']);
  assert.deepEqual(await texts('?dateFrom=-3d'), ['Outage']);
  assert.deepEqual(await texts('?dateTo=-3d'), ['Release 2.2']);
  const path = `${ANNOTATIONS}/${body.annotation.id}`;
  assert.equal((await request('PATCH', path, { text: 'Payment outage' })).body.annotation.text, 'Payment outage');
  assert.equal((await request('DELETE', path)).status, 204);
  assert.equal((await request('DELETE', path)).status, 404);
  assert.deepEqual(await texts(), ['Release 2.2']);
});

test('annotations: bad ones are 400, other tenants see and change none', async () => {
  const [one, other] = [await workspace(), await workspace()];
  const bad = await one.request('POST', ANNOTATIONS, { text: '', at: 'yesterday' });
  assert.equal(bad.status, 400);
  assert.ok(bad.body.message.some((message: string) => message.startsWith('at: must be an ISO 8601')));
  const { body } = await one.request('POST', ANNOTATIONS, { text: 'Secret launch' });
  const path = `${ANNOTATIONS}/${body.annotation.id}`;
  assert.equal((await other.request('GET', ANNOTATIONS)).body.total, 0);
  assert.equal((await other.request('PATCH', path, { text: 'x' })).status, 404);
  assert.equal((await other.request('DELETE', path)).status, 404);
});

test('annotations: appear on series, line cards and explanations of their time', async () => {
  const { request, key, newKey } = await workspace();
  const app = await sharedApp();
  const events = [2, 3, 9].map((ago) => ({ eventName: 'visit', timestamp: at(ago) }));
  await app.ingest(events, key);
  for (const [text, ago] of [
    ['Release 2.3', 2.5],
    ['Long ago', 40],
  ] as const) {
    await request('POST', ANNOTATIONS, { text, at: at(ago) });
  }
  const client = await app.mcpClient(await newKey(['mcp:read']));
  const call = async (name: string, args: Record<string, unknown>) =>
    answerOf(await client.callTool({ name, arguments: args })).data;
  const asked = { eventName: 'visit', aggregation: 'count', dateFrom: '-7d' };
  const series = await call('aggregate_events', { ...asked, dateGrouping: 'day' });
  assert.deepEqual(
    series.annotations.map(({ text }: { text: string }) => text),
    ['Release 2.3'],
  );
  assert.equal((await call('aggregate_events', asked)).annotations, undefined, 'one number has no time');
  const explained = await call('explain_change', asked);
  assert.deepEqual(
    explained.annotations.map(({ text }: { text: string }) => text),
    ['Release 2.3'],
  );
  const config = { eventName: 'visit', aggregation: 'count', dateFrom: '-7d' };
  const card = await request('POST', `${CARDS}/preview`, { title: 'Visits', cardType: 'line', config });
  assert.deepEqual(
    card.body.data.annotations.map(({ text }: { text: string }) => text),
    ['Release 2.3'],
  );
});

test('create_annotation: needs metrics:write, and is shown to others', async () => {
  const { newKey, request } = await workspace();
  const app = await sharedApp();
  const reader = await app.mcpClient(await newKey(['mcp:read']));
  const args = { text: 'Release 2.4', at: at(1) };
  const refused = answerOf(await reader.callTool({ name: 'create_annotation', arguments: args }));
  assert.match(refused.text, /insufficient_scope.*metrics:write/);
  const writer = await app.mcpClient(await newKey(['mcp:read', 'metrics:write']));
  const created = answerOf(await writer.callTool({ name: 'create_annotation', arguments: args }));
  assert.equal(created.data.text, 'Release 2.4');
  assert.equal((await request('GET', ANNOTATIONS)).body.annotations[0].id, created.data.id);
});
