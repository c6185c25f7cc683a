import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COUNT_CARD,
  type DescribedProperty,
  describedTenant,
  NOT_AN_INSTRUCTION,
  type Workspace,
} from './workspace-support.ts';

const SALES = [
  sale('2026-03-01T10:00:00Z', { plan: 'pro', amount: 10, tags: ['a', 'b'], utm: { source: 'ads', at: { hour: 3 } } }),
  sale('2026-03-03T12:30:00.500+02:00', { plan: 'pro', amount: -2.5, tags: ['a'], paid: true, code: 7 }),
  sale('2026-03-02T10:00:00Z', { plan: 'free', amount: 1e6, paid: null, code: 'x7', utm: { source: 'mail' } }),
  { eventName: 'refund', timestamp: '2026-03-04T00:00:00Z' },
];

function sale(timestamp: string, properties: object) {
  return { eventName: 'sale', timestamp, properties };
}

test('describe_workspace: an event has its count, first and last seen and properties', async () => {
  const { describe } = await describedTenant(SALES);
  const before = Date.now();
  const { now, timezone, agentId, agents, events, totalEventNames, tabs, cards, note } = await describe();
  assert.ok(Date.parse(now) >= before && Date.parse(now) <= Date.now());
  assert.deepEqual(
    { timezone, agentId, totalEventNames, tabs, cards },
    { timezone: 'UTC', agentId: 'support', totalEventNames: 2, tabs: [], cards: [] },
  );
  assert.ok(agents.includes('support'));
  assert.match(note, NOT_AN_INSTRUCTION);
  const [refund, sold] = events;
  assert.deepEqual(refund, {
    ...{ eventName: 'refund', count: 1, properties: [] },
    ...{ firstSeen: '2026-03-04T00:00:00.000Z', lastSeen: '2026-03-04T00:00:00.000Z' },
  });
  const { properties, ...facts } = sold!;
  assert.deepEqual(facts, {
    ...{ eventName: 'sale', count: 3 },
    ...{ firstSeen: '2026-03-01T10:00:00.000Z', lastSeen: '2026-03-03T10:30:00.500Z' },
  });
  const byKey = Object.fromEntries(properties.map(({ key, ...rest }) => [key, rest]));
  assert.deepEqual(byKey.plan, { type: 'string', values: ['pro', 'free'] });
  assert.deepEqual([byKey.amount!.type, byKey.amount!.min, byKey.amount!.max], ['number', -2.5, 1e6]);
  assert.deepEqual(byKey.tags, { type: 'array', values: ['a', 'b'] });
  assert.deepEqual(byKey.paid, { type: 'boolean', values: [true] });
  assert.deepEqual(byKey.code!.type.split('|').sort(), ['number', 'string']);
  assert.deepEqual(new Set(byKey.code!.values), new Set([7, 'x7']));
  assert.deepEqual([byKey['utm.source']!.type, byKey['utm.at.hour']!.type], ['string', 'number']);
  assert.deepEqual(new Set(byKey['utm.source']!.values), new Set(['ads', 'mail']));
});

test('describe_workspace: every listed key can be queried literally', async () => {
  const { describe, call } = await describedTenant(SALES);
  const { events } = await describe({ eventName: 'sale' });
  for (const { key } of events[0]!.properties) {
    const { data } = await call('aggregate_events', { eventName: 'sale', aggregation: 'count', propertyKey: key });
    assert.ok(data.value >= 1, key);
    assert.equal(data.note, undefined, key);
  }
});

/** Keys that mostly have one type and sometimes another; nested objects. */
const properties = fc.record(
  {
    plan: fc.constantFrom('pro', 'free', 'team', 'Ação', null),
    amount: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -999, max: 999 }) }, fc.constant('n/a')),
    flag: fc.boolean(),
    tags: fc.array(fc.constantFrom('a', 'b', 3, true), { maxLength: 3 }),
    utm: fc.record(
      { source: fc.constantFrom('ads', 'mail'), depth: fc.record({ clicks: fc.nat(5) }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test('describe_workspace: generated events are described by what they hold', async () => {
  const event = fc.record({
    eventName: fc.constantFrom('one', 'two', 'três 3'),
    timestamp: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2026, 0) }).map((at) => new Date(at).toISOString()),
    properties,
  });
  const [events] = fc.sample(fc.array(event, { minLength: 300, maxLength: 300 }), { seed: 5, numRuns: 1 });
  const { describe } = await describedTenant(events!);
  const told = await describe();
  assert.equal(told.totalEventNames, 3);
  for (const { eventName, count, firstSeen, lastSeen, ...found } of told.events) {
    const mine = events!.filter((one) => one.eventName === eventName);
    const times = mine.map((one) => one.timestamp).sort();
    assert.deepEqual([count, firstSeen, lastSeen], [mine.length, times[0], times.at(-1)]);
    const held = new Map<string, unknown[]>();
    for (const one of mine) {
      for (const [key, value] of leavesOf(one.properties)) held.set(key, [...(held.get(key) ?? []), value]);
    }
    assert.deepEqual(found.properties.map(({ key }) => key).sort(), [...held.keys()].sort());
    for (const property of found.properties) assertProperty(property, held.get(property.key)!);
  }
});

/** Values by dotted key; JSON null counts as absent. */
function leavesOf(object: object, prefix = ''): [string, unknown][] {
  return Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const isObject = typeof value === 'object' && !Array.isArray(value);
    return isObject ? leavesOf(value, `${prefix}${key}.`) : [[prefix + key, value]];
  });
}

function assertProperty({ key, type, values = [], min, max, distinct }: DescribedProperty, held: unknown[]): void {
  const types = new Set(held.map((value) => (Array.isArray(value) ? 'array' : typeof value)));
  assert.deepEqual(new Set(type.split('|')), types, key);
  const scalars = held.flat();
  const numbers = scalars.filter((value) => typeof value === 'number');
  assert.equal(min, numbers.length > 0 ? Math.min(...numbers) : undefined, key);
  assert.equal(max, numbers.length > 0 ? Math.max(...numbers) : undefined, key);
  const times = (value: unknown) => scalars.filter((one) => one === value).length;
  for (const [at, value] of values.entries()) {
    assert.ok(times(value) > 0, `${key} never held ${value}`);
    assert.ok(at === 0 || times(value) <= times(values[at - 1]), `${key}: ${values.join()} is not by frequency`);
  }
  assert.equal(new Set(values).size, values.length, key);
  if (distinct !== undefined) assert.equal(distinct, new Set(scalars).size, key);
  else if (numbers.length < scalars.length) assert.equal(values.length, new Set(scalars).size, `${key}: cut unsaid`);
}

test('describe_workspace: a single event gets more values than in an overview', async () => {
  const values = Array.from({ length: 120 }, (_, index) => ({
    eventName: 'shop',
    properties: { city: `c${index % 20}` },
  }));
  const { describe } = await describedTenant([...values, { eventName: 'other' }]);
  const valuesOf = ({ events }: Workspace) => events.find((one) => one.eventName === 'shop')!.properties[0]!;
  const overview = valuesOf(await describe());
  const single = valuesOf(await describe({ eventName: 'shop' }));
  assert.ok(overview.values!.length < single.values!.length);
  assert.equal(single.values!.length, 20);
  assert.equal(overview.distinct, 20);
});

test('describe_workspace: search matches parts of names in any case, or says none', async () => {
  const names = ['ticket_opened', 'ticket_closed', 'Refund Ação', 'login'];
  const { describe, makeCard } = await describedTenant(names.map((eventName) => ({ eventName })));
  await makeCard({ title: 'Ticket volume', ...COUNT_CARD });
  await makeCard({ title: 'Other', ...COUNT_CARD, idempotencyKey: 'other' });
  const found = await describe({ search: 'TICKET' });
  assert.deepEqual(found.events.map((one) => one.eventName).sort(), ['ticket_closed', 'ticket_opened']);
  assert.deepEqual(
    found.cards.map((card) => card.title),
    ['Ticket volume'],
  );
  assert.equal(found.totalEventNames, 2);
  assert.deepEqual(
    (await describe({ search: 'ação' })).events.map((one) => one.eventName),
    ['Refund Ação'],
  );
  assert.deepEqual(
    (await describe({ search: 'logn' })).events.map((one) => one.eventName),
    ['login'],
  );
  const nothing = await describe({ search: 'warehouse' });
  assert.deepEqual([nothing.events, nothing.cards, nothing.totalEventNames], [[], [], 0]);
  assert.match(nothing.note, /"warehouse"/);
});

test('describe_workspace: an unknown event gets the nearest names, or all', async () => {
  const { describe } = await describedTenant(
    ['ticket_opened', 'ticket_closed', 'login'].map((eventName) => ({ eventName })),
  );
  const near = await describe({ eventName: 'tickets_opened' });
  assert.deepEqual([near.events, near.totalEventNames], [[], 0]);
  assert.match(near.note, /"tickets_opened".*"ticket_opened"/);
  const far = await describe({ eventName: 'zzzzzzzzzz' });
  for (const name of ['ticket_opened', 'ticket_closed', 'login']) assert.ok(far.note.includes(`"${name}"`), far.note);
  for (const { note } of [near, far]) assert.match(note, NOT_AN_INSTRUCTION);
});

test('describe_workspace: tabs and cards have the ids that other tools take', async () => {
  const { describe, call, makeCard, makeTab } = await describedTenant(SALES);
  const tabId = await makeTab({ name: 'Sales' });
  const cardId = await makeCard({ title: 'Sold', ...COUNT_CARD, tabId });
  const loose = await makeCard({ title: 'Also sold', ...COUNT_CARD, idempotencyKey: 'loose' });
  const { tabs, cards } = await describe();
  assert.deepEqual(tabs, [{ id: tabId, name: 'Sales' }]);
  assert.deepEqual(cards, [
    { id: cardId, title: 'Sold', cardType: 'number', tabId },
    { id: loose, title: 'Also sold', cardType: 'number' },
  ]);
  for (const { id, title } of cards) {
    assert.equal((await call('render_dashboard_card', { cardId: id })).data.card.title, title);
  }
});

test('describe_workspace: an empty workspace says how to send events', async () => {
  const { describe } = await describedTenant([]);
  const { events, totalEventNames, note } = await describe();
  assert.deepEqual([events, totalEventNames], [[], 0]);
  assert.match(note, /POST \/api\/v1\/runtime\/v1\/observability\/events/);
});

test("describe_workspace: covers the key's agent, a named agent, or all agents", async () => {
  const events = [
    { eventName: 'sale', timestamp: '2026-03-01T00:00:00Z', properties: { mine: 'yes' } },
    { eventName: 'sale', timestamp: '2026-03-02T00:00:00Z', agentId: 'shop', properties: { theirs: 'secret' } },
    { eventName: 'stock', agentId: 'shop' },
  ];
  const { describe, describeUnbound, makeCard, makeTab } = await describedTenant(events);
  await makeCard({ title: 'Shop card', ...COUNT_CARD, agentId: 'shop' });
  await makeTab({ name: 'Shop tab', agentId: 'shop' });
  const mine = await describe();
  assert.deepEqual(
    mine.events.map(({ eventName, count }) => [eventName, count]),
    [['sale', 1]],
  );
  assert.deepEqual([mine.cards, mine.tabs], [[], []]);
  assert.doesNotMatch(JSON.stringify(mine), /stock|theirs|secret|Shop/);
  assert.deepEqual(mine.agents.filter((agent) => agent !== 'default').sort(), ['shop', 'support']);
  const unknown = await describe({ eventName: 'stok' });
  assert.doesNotMatch(unknown.note, /"stock"/);
  const theirs = await describe({ agentId: 'shop' });
  assert.deepEqual(theirs.events.map(({ eventName }) => eventName).sort(), ['sale', 'stock']);
  assert.deepEqual([theirs.agentId, theirs.cards[0]?.title, theirs.tabs[0]?.name], ['shop', 'Shop card', 'Shop tab']);
  const all = await describeUnbound();
  const sales = all.events.find(({ eventName }) => eventName === 'sale')!;
  assert.deepEqual([all.agentId, sales.count], [null, 2]);
  assert.deepEqual([sales.firstSeen, sales.lastSeen], ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
  assert.deepEqual(sales.properties.map(({ key }) => key).sort(), ['mine', 'theirs']);
  const nobody = await describe({ agentId: 'nobody' });
  assert.deepEqual([nobody.events, nobody.totalEventNames], [[], 0]);
  assert.match(nobody.note, /"nobody"/);
});

test('describe_workspace: a key that shadows an event field has its prefixed name', async () => {
  const { describe, call } = await describedTenant([
    { eventName: 'e', properties: { id: 'mine', timestamp: 'x', 'properties.z': 1 } },
  ]);
  const { events } = await describe();
  const keys = events[0]!.properties.map(({ key }) => key);
  assert.deepEqual(keys, ['properties.id', 'properties.timestamp', 'properties.properties.z']);
  const { data } = await call('query_events', { eventName: 'e', columns: keys });
  assert.deepEqual(Object.values(data.rows[0]), ['mine', 'x', 1]);
});

test('describe_workspace: an object without known inner keys is listed as an object', async () => {
  const { describe } = await describedTenant([
    { eventName: 'e', properties: { a: { b: { c: { d: { e: 1 } } } }, meta: {}, ok: 1 } },
  ]);
  const { events } = await describe();
  assert.deepEqual(
    events[0]!.properties.map(({ key, type }) => [key, type]),
    [
      ['a.b.c.d', 'object'],
      ['meta', 'object'],
      ['ok', 'number'],
    ],
  );
});

test('describe_workspace: a search in plain words finds tabs, their cards and events', async () => {
  const { describe, makeTab, makeCard } = await describedTenant([
    { eventName: 'ticket_resolved', properties: { a: 1 } },
  ]);
  const tabId = await makeTab({ name: 'Service' });
  await makeCard({ ...COUNT_CARD, title: 'Sales', tabId });
  const { tabs, cards, note } = await describe({ search: 'Service dashboard' });
  assert.deepEqual([tabs.map(({ name }) => name), cards.map(({ title }) => title)], [['Service'], ['Sales']]);
  assert.doesNotMatch(note, /No event/);
  assert.equal((await describe({ search: 'resolved tickets' })).events.length, 1);
  assert.match(
    (await describe({ search: 'xyz' })).note,
    /No metric, segment, event, property, card or tab is called like "xyz"/,
  );
});

test('describe_workspace: a key of an agent without events learns which agents have', async () => {
  const { app, tenant, ingest } = await describedTenant([]);
  await ingest([{ eventName: 'sale', agentId: 'shop' }]);
  const client = await app.mcpClient(await app.newKey({ tenant, agentId: 'empty', scopes: ['mcp:read'] }));
  const { structuredContent } = await client.callTool({ name: 'describe_workspace', arguments: {} });
  assert.match((structuredContent as { note: string }).note, /There are events of "shop": set agentId/);
});

test('describe_workspace: a search without matching names finds events by property', async () => {
  const { describe } = await describedTenant([
    { eventName: 'chat_completed', properties: { outputTokens: 5, model: 'a' } },
    { eventName: 'chat_failed', properties: { model: 'a', detail: { outputTokens: 0 } } },
    { eventName: 'login', properties: { city: 'Rio' } },
  ]);
  const { events, note } = await describe({ search: 'outputtokens' });
  assert.deepEqual(events.map(({ eventName }) => eventName).sort(), ['chat_completed', 'chat_failed']);
  assert.doesNotMatch(note, /No event|set agentId/);
  assert.deepEqual(
    (await describe({ search: 'city' })).events.map(({ eventName }) => eventName),
    ['login'],
  );
});

test('describe_workspace: another agent is named only if it matches the search', async () => {
  const { app, tenant, ingest } = await describedTenant([]);
  await ingest([{ eventName: 'sale', agentId: 'shop', properties: { amount: 3 } }]);
  const client = await app.mcpClient(await app.newKey({ tenant, agentId: 'empty', scopes: ['mcp:read'] }));
  const noteOf = async (search: string) => {
    const { structuredContent } = await client.callTool({ name: 'describe_workspace', arguments: { search } });
    return (structuredContent as { note: string }).note;
  };
  assert.match(await noteOf('amount'), /There are events of "shop": set agentId/);
  assert.doesNotMatch(await noteOf('warehouse'), /set agentId/);
});
