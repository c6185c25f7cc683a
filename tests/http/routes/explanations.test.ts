import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Workspace } from '../../../src/core/analytics/events/discovery/workspace-schema.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { EVENTS, type TestApp, testApp } from '../../support/app.ts';
import { answerOf } from '../../tools/support.ts';
import { CARDS, TABS } from './dashboards/support.ts';

const QUERY = `${EVENTS}/query`;
const FEED = `${EVENTS}/feed`;

async function shop(t: TestContext): Promise<TestApp> {
  const app = await testApp(t, { rateLimit: 0 });
  await app.ingest([
    { eventName: 'order_completed', properties: { amount: 5.5, plan: 'pro', country: 'BR' } },
    { eventName: 'order_completed', properties: { amount: 3, plan: 'free', country: 'US' } },
    { eventName: 'order_opened', agentId: 'other', properties: { plan: 'pro' } },
    { eventName: 'order_opened', properties: { plan: 'pro' } },
  ]);
  return app;
}

test('POST /query: notes explain an unknown name, a wrong type and an empty range', async (t) => {
  const app = await shop(t);
  const notesOf = async (body: object): Promise<string[] | undefined> => {
    const { status, body: answer } = await app.request('POST', QUERY, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer.notes;
  };
  assert.equal(await notesOf({ eventName: 'order_completed' }), undefined);
  const [unknown] = (await notesOf({ eventName: 'orders' })) ?? [];
  assert.match(unknown!, /No event named "orders".*"order_completed"/);
  const filter = { propertyKey: 'amount', operator: 'eq', value: '5.5' };
  const wrongType = await notesOf({ eventName: 'order_completed', filters: [filter] });
  assert.ok(
    wrongType!.some((note) => note.includes('send a number without quotes')),
    String(wrongType),
  );
  const [unknownKey] = (await notesOf({ eventName: 'order_completed', columns: ['revenue'] })) ?? [];
  assert.match(unknownKey!, /"revenue".*Nearest known keys: "amount"/);
  const [nothing] = (await notesOf({ eventName: 'order_completed', dateTo: '2020-01-01' })) ?? [];
  assert.match(nothing!, /was last seen at .*check the range/);
});

test('GET /feed: notes explain an unknown event, and a page that is capped', async (t) => {
  const app = await shop(t);
  const { body: known } = await app.request('GET', `${FEED}?eventName=order_completed`);
  assert.equal(known.notes, undefined);
  const { body: unknown } = await app.request('GET', `${FEED}?eventName=purchases`);
  assert.match(unknown.notes[0], /Nearest known names: "order_/);
  await app.ingest(Array.from({ length: 120 }, () => ({ eventName: 'click' })));
  const { body: capped } = await app.request('GET', `${FEED}?eventName=click&limit=5000`);
  assert.deepEqual(capped.notes, ['At most 100 rows come at once: rows 1 to 100 of 120; go on with offset 100.']);
  const { body: last } = await app.request('GET', `${FEED}?eventName=click&limit=5000&offset=100`);
  assert.equal(last.notes, undefined);
});

test('Sums of texts that look like numbers: each answer says how many are left out', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const sale = (amount: unknown) => ({ eventName: 'sale', properties: { amount, price: 2, plan: 'a' } });
  await app.ingest([...['49.90', '20.00', '1.234,56'].map(sale), sale(12.5), sale('n/a')]);
  const note = (aggregation: string) =>
    `3 values of "amount" are texts that look like numbers, left out of ${aggregation}: send numbers.`;
  const metrics = ['sum', 'p95', 'count'].map((one) => ({ aggregation: one, propertyKey: 'amount', alias: one }));
  const table = { eventName: 'sale', mode: 'aggregate', metrics };
  const queried = (await app.request('POST', QUERY, table)).body;
  assert.deepEqual([queried.rows[0].sum, queried.notes], [12.5, [note('sum'), note('p95')]]);
  const client = await app.mcpClient(app.key);
  const asked = async (name: string, args: object) =>
    answerOf(await client.callTool({ name, arguments: args as Record<string, unknown> })).data;
  const kpi = { eventName: 'sale', aggregation: 'avg', propertyKey: 'amount' };
  assert.ok((await asked('aggregate_events', kpi)).note.startsWith(note('avg')));
  assert.ok(
    (await asked('aggregate_events', { ...kpi, group_by: 'plan', dateGrouping: 'day' })).note.includes(note('avg')),
  );
  assert.ok((await asked('query_events', table)).note.startsWith(note('sum')));
  assert.ok((await asked('explain_change', { ...kpi, dateFrom: '-7d' })).notes.includes(note('avg')));
  const card = { title: 'Sales', cardType: 'number', config: { ...kpi, aggregation: 'median' } };
  const { body: made } = await app.request('POST', CARDS, card);
  const { body: rendered } = await app.request('GET', `${CARDS}/${made.id}/render`);
  assert.deepEqual(rendered.notes[0], note('median'));
  const part = { eventName: 'sale', aggregation: 'sum' };
  const parts = {
    amount: { ...part, propertyKey: 'amount', filters: [{ propertyKey: 'amount', operator: 'contains', value: '.' }] },
    price: { ...part, propertyKey: 'price' },
  };
  await app.request('POST', '/api/v1/runtime/observability/metrics', {
    name: 'margin',
    title: 'Margin',
    formula: { expression: 'amount - price', parts },
  });
  assert.ok((await asked('aggregate_events', { metric: 'margin' })).note.includes(note('sum')));
  for (const fine of [
    { propertyKey: 'price' },
    { aggregation: 'distinct_count' },
    { filters: [{ propertyKey: 'amount', operator: 'gt', value: 1 }] },
  ])
    assert.doesNotMatch(
      (await asked('aggregate_events', { ...kpi, ...fine })).note ?? '',
      /look/,
      JSON.stringify(fine),
    );
});

test('GET cards render: notes explain what its note says', async (t) => {
  const app = await shop(t);
  const config = { eventName: 'orders', aggregation: 'count' };
  const { body: card } = await app.request('POST', CARDS, { title: 'Orders', cardType: 'number', config });
  const { body: rendered } = await app.request('GET', `${CARDS}/${card.id}/render`);
  assert.match(rendered.notes[0], /No event named "orders"/);
  assert.equal(rendered.note, rendered.notes.join(' '));
});

test('POST cards: one that changed another says how to keep both', async (t) => {
  const app = await shop(t);
  const upsert = async (groupBy: string, idempotencyKey?: string) => {
    const config = { eventName: 'order_completed', aggregation: 'count', groupBy };
    return (await app.request('POST', CARDS, { title: groupBy, cardType: 'bar', config, idempotencyKey })).body;
  };
  assert.equal((await upsert('plan')).notes, undefined);
  const { created, notes } = await upsert('country');
  assert.equal(created, false);
  assert.match(notes[0], /idempotencyKey/);
  await upsert('plan', 'by plan');
  assert.equal((await upsert('plan', 'by plan')).notes, undefined);
});

test('POST /query: a comma means two groups unless a property has that name', async (t) => {
  const app = await shop(t);
  const keysOf = async (groupBy: unknown, eventName = 'order_completed') => {
    const { body } = await app.request('POST', QUERY, { eventName, mode: 'aggregate', groupBy });
    return Object.keys(body.rows[0]);
  };
  assert.deepEqual(await keysOf('plan,country'), ['plan', 'country', 'count']);
  assert.deepEqual(await keysOf(' plan , country '), ['plan', 'country', 'count']);
  assert.deepEqual(await keysOf('["plan", "country"]'), ['plan', 'country', 'count']);
  assert.deepEqual(await keysOf(['plan', 'country']), ['plan', 'country', 'count']);
  assert.deepEqual(await keysOf('plan,plan'), ['plan,plan', 'count']);
  const repeated = { eventName: 'order_completed', mode: 'aggregate', groupBy: '["plan","plan"]' };
  const { status, body } = await app.request('POST', QUERY, repeated);
  assert.deepEqual([status, body.message], [400, ['groupBy: names a key twice']]);
  await app.ingest([{ eventName: 'odd', properties: { 'plan,country': 1 } }]);
  assert.deepEqual(await keysOf('plan,country', 'odd'), ['plan,country', 'count']);
});

test('agentId: `*` reads all agents; an unbound key reads all and writes default', async (t) => {
  const app = await shop(t);
  const total = async (agentId: string | undefined, key = app.key) => {
    const body = { eventName: 'order_opened', ...(agentId === undefined ? {} : { agentId }) };
    return (await app.request('POST', QUERY, body, { 'x-api-key': key })).body.total as number;
  };
  assert.equal(await total(undefined), 1);
  assert.equal(await total('other'), 1);
  assert.equal(await total('*'), 2);
  const unbound = await app.newKey({ agentId: null });
  const headers = { 'x-api-key': unbound };
  assert.equal(await total(undefined, unbound), 2);

  const card = { title: 'Orders', cardType: 'number', config: { eventName: 'order_opened', aggregation: 'count' } };
  const { body: made } = await app.request('POST', CARDS, card, headers);
  assert.equal(made.card.agentId, 'default');
  await app.request('POST', CARDS, card);
  const agentsOf = async (path: string, withHeaders = {}) =>
    (await app.request('GET', path, undefined, withHeaders)).body.cards.map((one: { agentId: string }) => one.agentId);
  assert.deepEqual((await agentsOf(CARDS, headers)).sort(), ['default', 'support']);
  assert.deepEqual((await agentsOf(`${CARDS}?agentId=*`)).sort(), ['default', 'support']);
  assert.deepEqual(await agentsOf(CARDS), ['support']);
  const { body: tab } = await app.request('POST', TABS, { name: 'Weekly' }, headers);
  assert.equal(tab.tab.agentId, 'default');

  for (const [path, body] of [
    [EVENTS, { events: [{ eventName: 'a', agentId: '*' }] }],
    [CARDS, { ...card, agentId: '*' }],
  ] as const) {
    const refused = await app.request('POST', path, body);
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body.message), /agentId: .*means all agents in queries alone/);
  }
});

for (const code of ['timeout', 'unavailable', 'unprocessable'] as const) {
  test(`POST /query: a zero stays when reading its explanation is ${code}`, async (t) => {
    const app = await shop(t);
    const { eventStore } = app.runtime;
    const query = eventStore.query.bind(eventStore);
    // Of the explanation alone: groups by the filtered property.
    eventStore.query = (tenantId, plan, signal) =>
      plan.kind === 'aggregate' && plan.groupBy.length > 0
        ? Promise.reject(new RuntimeError(code, 'Too much.'))
        : query(tenantId, plan, signal);
    const filters = [{ propertyKey: 'plan', operator: 'eq', value: 'Pro' }];
    const { status, body } = await app.request('POST', QUERY, { eventName: 'order_completed', filters });
    assert.deepEqual([status, body.total], [200, 0]);
  });

  test(`POST /query: under limits a zero stays when reading its properties is ${code}`, async (t) => {
    const app = await shop(t);
    const limits = { filters: [{ propertyKey: 'plan', operator: 'exists' as const }] };
    const headers = { 'x-api-key': await app.newKey({ limits }) };
    const { eventStore } = app.runtime;
    const query = eventStore.query.bind(eventStore);
    let refused = 0;
    // Which properties there are within limits is read from the events.
    eventStore.query = (tenantId, plan, signal) => {
      if (plan.kind !== 'aggregate' || plan.metrics[0]?.aggregation !== 'rate') return query(tenantId, plan, signal);
      refused += 1;
      return Promise.reject(new RuntimeError(code, 'Too much.'));
    };
    const filters = [{ propertyKey: 'plan', operator: 'eq', value: 'gold' }];
    const asked = {
      eventName: 'order_completed',
      mode: 'aggregate',
      metrics: [{ aggregation: 'count', alias: 'count' }],
      filters,
    };
    const { status, body } = await app.request('POST', QUERY, asked, headers);
    assert.deepEqual([status, body.rows?.[0]?.count, refused > 0], [200, 0, true], JSON.stringify(body));
  });

  test(`describe_workspace: when reading values is ${code}, none are listed`, async (t) => {
    const app = await shop(t);
    const { eventStore } = app.runtime;
    const query = eventStore.query.bind(eventStore);
    eventStore.query = (tenantId, plan, signal) =>
      plan.selection.eventNames?.includes('order_completed')
        ? Promise.reject(new RuntimeError(code, 'Too much.'))
        : query(tenantId, plan, signal);
    const client = await app.mcpClient();
    const answer = await client.callTool({ name: 'describe_workspace', arguments: {} });
    const { events, note } = answer.structuredContent as Workspace;
    const valuesOf = (eventName: string) =>
      events.find((event) => event.eventName === eventName)?.properties.map(({ key, values }) => [key, values]);
    assert.deepEqual(valuesOf('order_opened'), [['plan', ['pro']]]);
    assert.deepEqual(
      valuesOf('order_completed')?.map(([, values]) => values),
      [undefined, undefined, undefined],
    );
    assert.match(note, /Values of "order_completed" took too long or too much memory to read and are left out/);
  });
}
