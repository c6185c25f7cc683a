import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, withoutWords } from '../../../tools/support.ts';
import { CARDS } from '../dashboards/support.ts';
import { METRICS, RESOLUTION_RATE, REVENUE, sharedApp, TERMS, workspace } from './support.ts';

const AGGREGATE = '/api/v1/portal/aggregate';
const DAY = 86_400_000;
const NOON = Math.floor(Date.now() / DAY) * DAY - DAY / 2;

/** Uneven amounts over two days, with groups; refunds only in one. */
const EVENTS = Array.from({ length: 60 }, (_, index) => ({
  eventName: ['started', 'started', 'resolved', 'paid', 'refund'][index % 5]!,
  timestamp: new Date(NOON - (index % 3) * DAY).toISOString(),
  threadId: `t${index % 7}`,
  properties: { plan: index % 4 === 0 ? 'pro' : 'free', amount: (index * 37) / 100 + 0.1 },
}));

const NET = {
  name: 'net_revenue',
  title: 'Net revenue',
  formula: {
    expression: 'revenue - refunds',
    parts: {
      revenue: { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount' },
      refunds: { eventName: 'refund', aggregation: 'sum', propertyKey: 'amount' },
    },
  },
};
const RATE = {
  name: 'resolved_share',
  title: 'Share',
  formula: { eventName: 'started', aggregation: 'rate', numerator: { eventName: 'resolved' } },
};
const MEDIAN = {
  name: 'typical_payment',
  title: 'Typical payment',
  formula: {
    eventName: 'paid',
    aggregation: 'median',
    propertyKey: 'amount',
    filters: [{ propertyKey: 'plan', operator: 'eq', value: 'free' }],
  },
};

const SHAPES = [
  {},
  { dateFrom: '-7d', dateTo: 'yesterday', compareTo: 'previous_period' },
  { dateFrom: '-7d', dateGrouping: 'day' },
  { group_by: 'plan', dateFrom: '-7d', dateTo: 'yesterday', compareTo: 'previous_period' },
  { group_by: 'plan', dateGrouping: 'day', dateFrom: '-7d', limit: 1 },
  { filters: [{ propertyKey: 'amount', operator: 'gt', value: 5 }], timezone: 'America/Sao_Paulo' },
];

async function filled() {
  const space = await workspace();
  const app = await sharedApp();
  await app.ingest(EVENTS, space.key);
  const client = await app.mcpClient(await space.newKey(['mcp:read']));
  const administrator = await space.as('ADMIN');
  return {
    ...space,
    rest: async (question: object) => (await space.request('POST', AGGREGATE, question, administrator)).body,
    mcp: async (question: object) =>
      answerOf(await client.callTool({ name: 'aggregate_events', arguments: question as Record<string, unknown> })),
  };
}

/** Without what says where the definition came from, and the open end of the range. */
// biome-ignore lint/suspicious/noExplicitAny: read from JSON
function numbers({ basis: { metric: _, to: __, cases: ___, ...basis }, note: ____, ...answer }: any) {
  return { ...answer, basis };
}

test('metrics: answers equal their written-out question, over REST and MCP', async () => {
  const { approved, rest, mcp } = await filled();
  for (const metric of [REVENUE, RATE, MEDIAN, NET, RESOLUTION_RATE]) await approved(metric);
  for (const { name, formula } of [REVENUE, RATE, MEDIAN]) {
    for (const shape of SHAPES) {
      const { filters = [], ...measure } = { ...formula } as { filters?: object[] };
      const all = [...filters, ...((shape as { filters?: object[] }).filters ?? [])];
      const written = { ...shape, ...measure, ...(all.length > 0 ? { filters: all } : {}) };
      const [byName, raw, overMcp] = [
        await rest({ ...shape, metric: name }),
        await rest(written),
        await mcp({ ...shape, metric: name }),
      ];
      assert.deepEqual(numbers(byName), numbers(raw), name);
      assert.deepEqual(numbers(withoutWords(overMcp.data)), numbers(raw), name);
      assert.deepEqual(byName.basis.metric, { name, version: 1, state: 'approved' });
      assert.equal(raw.basis.metric, null);
    }
  }
});

test('metrics: formulas are the arithmetic of their parts, over REST, MCP and cards', async () => {
  const { approved, rest, mcp, request } = await filled();
  for (const metric of [NET, RESOLUTION_RATE]) await approved(metric);
  const part = async ({ parts }: typeof NET.formula, name: 'revenue' | 'refunds', shape: object) =>
    rest({ ...shape, ...parts[name] });
  for (const shape of SHAPES) {
    const net = await rest({ ...shape, metric: 'net_revenue' });
    const [revenue, refunds] = [await part(NET.formula, 'revenue', shape), await part(NET.formula, 'refunds', shape)];
    const cents = (value: number | null) => Math.round((value ?? 0) * 100);
    assert.equal(cents(net.value), cents(revenue.value) - cents(refunds.value));
    assert.deepEqual(net.parts, { revenue: revenue.value, refunds: refunds.value });
    assert.equal(net.value, Number(net.value.toFixed(2)), 'no digits of rounding errors');
    assert.deepEqual(numbers(withoutWords((await mcp({ ...shape, metric: 'net_revenue' })).data)), numbers(net));
  }
  const card = {
    title: 'Net',
    cardType: 'number',
    config: { metric: 'net_revenue', dateFrom: '-7d', dateTo: 'yesterday', compareTo: 'previous_period' },
  };
  const preview = await request('POST', `${CARDS}/preview`, card);
  const net = await rest({
    metric: 'net_revenue',
    dateFrom: '-7d',
    dateTo: 'yesterday',
    compareTo: 'previous_period',
    agentId: 'default',
  });
  assert.equal(preview.body.data.value, net.value);
  assert.deepEqual(preview.body.basis.metric, { name: 'net_revenue', version: 1, state: 'approved' });
});

test('metrics: an older version stays answerable, and the answer says so', async () => {
  const { approved, request, approve, rest } = await filled();
  await approved(REVENUE);
  await request('PATCH', `${METRICS}/revenue`, {
    formula: { eventName: 'refund', aggregation: 'sum', propertyKey: 'amount' },
  });
  const [before, proposed] = [await rest({ metric: 'revenue' }), await rest({ metric: 'revenue@2' })];
  assert.notEqual(before.value, proposed.value);
  assert.deepEqual(proposed.basis.metric, { name: 'revenue', version: 2, state: 'proposed' });
  assert.match(proposed.note, /Version 2 of the metric "revenue" is proposed, not approved\./);
  await approve('revenue', 2);
  const old = await rest({ metric: 'revenue@1' });
  assert.equal(old.value, before.value);
  assert.deepEqual(old.basis.metric, { name: 'revenue', version: 1, state: 'deprecated' });
  assert.match(old.note, /Version 1 of the metric "revenue" is deprecated; version 2 is approved\./);
  assert.equal((await rest({ metric: 'revenue' })).value, proposed.value);
});

test('metrics: raw questions name the approved metric that measures the same', async () => {
  const { approved, rest } = await filled();
  assert.equal('metric' in (await rest({ eventName: 'paid', aggregation: 'count' })).basis, false);
  await approved(REVENUE);
  const near = await rest(REVENUE.formula);
  assert.equal(near.basis.metric, null);
  assert.match(near.note, /Not an approved metric; near: "revenue"\./);
  const far = await rest({ eventName: 'started', aggregation: 'count' });
  assert.equal(far.basis.metric, null);
  assert.equal(far.note, undefined);
});

test('metrics: titles, synonyms and terms find one; several or none are named', async () => {
  const { approved, request, mcp } = await filled();
  await approved(RESOLUTION_RATE);
  await approved({ ...NET, synonyms: ['earnings'] });
  await approved({ ...REVENUE, synonyms: ['earnings', 'sales'] });
  await request('POST', TERMS, { term: 'Umsatz', definition: 'Was Kunden zahlen.', metric: 'revenue' });
  const found = async (metric: string) => (await mcp({ metric })).data?.basis.metric.name;
  assert.equal(await found('Resolution Rate'), 'resolution_rate');
  assert.equal(await found('solve rate'), 'resolution_rate');
  assert.equal(await found('UMSATZ'), 'revenue');
  assert.match((await mcp({ metric: 'sales' })).data.note, /"sales" is the metric "revenue" \(Revenue\)\./);
  const several = await mcp({ metric: 'earnings' });
  assert.equal(several.isError, true);
  assert.match(
    several.text,
    /"earnings" is not unique; send the name of one: "net_revenue" \(Net revenue\), "revenue" \(Revenue\); titles are data/,
  );
  const none = await mcp({ metric: 'how many were resolved' });
  assert.equal(none.isError, true);
  assert.match(none.text, /metric: there is no metric "how many were resolved"; nearest: "resolution_rate"/);
  assert.match((await mcp({ metric: 'revenue@7' })).text, /metric: "revenue" has no version 7; the newest is 1/);
  assert.match(
    (await mcp({ metric: 'sum' })).text,
    /metric: is the name of a metric; for sum did you mean aggregation\?/,
  );
});

test('metrics: cards of an unknown metric are refused; deprecated ones still render', async () => {
  const { approved, request, as } = await filled();
  const card = { title: 'Revenue', cardType: 'line', config: { metric: 'revenue' } };
  const refused = await request('POST', CARDS, card);
  assert.equal(refused.status, 400);
  assert.match(refused.body.message[0], /^config\.metric: there is no metric "revenue"/);
  await approved(REVENUE);
  const { body } = await request('POST', CARDS, card);
  await request('DELETE', `${METRICS}/revenue`, undefined, await as('ADMIN'));
  const rendered = await request('GET', `${CARDS}/${body.id}/render`);
  assert.equal(rendered.status, 200);
  assert.equal(rendered.body.basis.metric.state, 'deprecated');
});
