import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, testApp } from '../../support/app.ts';
import { eventually } from '../../support/process.ts';
import { appOfThisFile, tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile();

const sharedApp = appOfThisFile();

test('POST events: a batch answers 202 with counts and a receipt to wait for', async (t) => {
  const app = await newApp(t);
  const answer = await app.request('POST', EVENTS, { events: [{ eventName: 'a' }, { eventName: 'a', id: 'mine' }] });
  assert.equal(answer.status, 202);
  const { receipt, ...counts } = answer.body;
  assert.deepEqual(counts, { success: true, accepted: 2, duplicates: 0, rejected: [] });
  const feed = await app.request('GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': receipt });
  assert.equal(feed.body.total, 2);
});

test('POST events: a repeated id is stored once per tenant, within and across batches', async (t) => {
  const app = await newApp(t);
  const twice = await app.ingest([
    { eventName: 'a', id: 'x' },
    { eventName: 'a', id: 'x' },
    { eventName: 'a', id: 'y' },
  ]);
  assert.deepEqual([twice.accepted, twice.duplicates], [2, 1]);
  const again = await app.ingest([{ eventName: 'a', id: 'y' }, { eventName: 'a' }]);
  assert.deepEqual([again.accepted, again.duplicates], [1, 1]);
  await app.runtime.tenants.create({ name: 'other' });
  const other = await app.newKey({ tenant: 'other' });
  const elsewhere = await app.ingest([{ eventName: 'a', id: 'x' }], other);
  assert.deepEqual([elsewhere.accepted, elsewhere.duplicates], [1, 0]);
  assert.equal((await app.request('GET', `${EVENTS}/feed`)).body.total, 3);
});

test('POST events: an id may be used again after the dedup window', async (t) => {
  const app = await testApp(t, { dedupDays: 0.00003 }); // 2.6 seconds, and times of ids are whole seconds
  const send = async () => (await app.request('POST', EVENTS, { events: [{ eventName: 'a', id: 'x' }] })).body;
  assert.equal((await send()).accepted, 1);
  assert.equal((await send()).duplicates, 1);
  await eventually('the id is accepted again', async () => (await send()).accepted === 1, 20_000);
});

const BAD_EVENTS: [why: string, event: string, message: RegExp][] = [
  ['no name', '{}', /^events\[1\]\.eventName: /],
  ['an empty name', '{"eventName":""}', /^events\[1\]\.eventName: must not be empty/],
  ['a long name', `{"eventName":"${'x'.repeat(201)}"}`, /eventName: .*200/],
  ['a reserved id', '{"eventName":"a","id":"runtime.execution_completed:x"}', /id: ids beginning .* are reserved/],
  ['a reserved name', '{"eventName":"runtime.chat_completed"}', /eventName: .*reserved/],
  ['an unknown member', '{"eventName":"a","props":{}}', /^events\[1\]\.props: unknown member/],
  ['properties that are an array', '{"eventName":"a","properties":[1]}', /^events\[1\]\.properties: must be an object/],
  ['null as name', '{"eventName":null}', /^events\[1\]\.eventName: is required/],
  ['all agents', '{"eventName":"a","agentId":"*"}', /^events\[1\]\.agentId: "\*" means all agents in queries alone/],
  ['an infinite number', '{"eventName":"a","properties":{"n":1e999}}', /^events\[1\]\.properties\.n: .*finite/],
  ['an integer beyond 2^53', '{"eventName":"a","properties":{"n":[9007199254740993]}}', /properties\.n\[0\]: .*string/],
  ['a lone surrogate in a value', '{"eventName":"a","properties":{"t":"\\ud800"}}', /properties\.t: .*surrogate/],
  ['a lone surrogate in a key', '{"eventName":"a","properties":{"\\udc00":1}}', /surrogate/],
  ['a lone surrogate in a name', '{"eventName":"\\ud800"}', /eventName: .*surrogate/],
  ['too deep nesting', `{"eventName":"a","properties":${'{"a":'.repeat(11)}1${'}'.repeat(11)}}`, /deeper than 10/],
  [
    'too large properties',
    `{"eventName":"a","properties":{"t":"${'x'.repeat(64 * 1024)}"}}`,
    /^events\[1\]\.properties: .*64 KB/,
  ],
  [
    'a time far ahead',
    `{"eventName":"a","timestamp":"${new Date(Date.now() + 25 * 3_600_000).toISOString()}"}`,
    /timestamp: .*24 hours/,
  ],
  ['an invalid time', '{"eventName":"a","timestamp":"2026-02-30T00:00:00Z"}', /timestamp: .*ISO 8601/],
  ['a number as id', '{"eventName":"a","id":7}', /^events\[1\]\.id: must be a string/],
  ['a long id', `{"eventName":"a","id":"${'x'.repeat(201)}"}`, /id: .*200/],
  ['an event that is a string', '"a"', /^events\[1\]: /],
  ['an event that is null', 'null', /^events\[1\]: /],
];

test('POST events: a bad event rejects its batch; partial stores the good ones', async (t) => {
  const app = await newApp(t);
  for (const [why, event, message] of BAD_EVENTS) {
    await t.test(`POST events: ${why} is refused`, async () => {
      const agentId = `agent: ${why}`;
      const batch = `{"events":[{"eventName":"good","agentId":"${agentId}"},${event}]}`;
      const refused = await app.request('POST', EVENTS, batch);
      assert.equal(refused.status, 400);
      assert.match(refused.body.message[0], message);
      const partial = await app.request('POST', `${EVENTS}?partial=true`, batch);
      assert.equal(partial.status, 202);
      assert.equal(partial.body.accepted, 1);
      assert.deepEqual(
        partial.body.rejected.map((one: { index: number }) => one.index),
        [1],
      );
      const wait = { 'x-wait-for': partial.body.receipt };
      const feed = await app.request('GET', `${EVENTS}/feed?agentId=${encodeURIComponent(agentId)}`, undefined, wait);
      assert.equal(feed.body.total, 1, 'the good event was stored once, by the partial batch alone');
    });
  }
  assert.equal((await app.request('GET', `${EVENTS}/feed`)).body.total, 0);
});

test('POST events: no event is named, not that events are required', async () => {
  const app = await sharedApp();
  for (const [events, message] of [
    [[], /^events: must (have|hold)|needs/],
    [null, /^events: is required/],
  ] as const) {
    const { status, body } = await app.request('POST', EVENTS, { events });
    assert.equal(status, 400);
    assert.match(body.message[0], message);
  }
});

test('POST events: awkward names and values are stored exactly and never block', async () => {
  const app = await sharedApp();
  const depth9 = '{"a":'.repeat(9);
  await app.request(
    'POST',
    EVENTS,
    `{"events":[{"eventName":"trap","properties":{"twice":1,"twice":2,"zero":"a\\u0000b","big":9007199254740991,"tiny":1e-320,"minus":-0.0,"__proto__":{"x":1},"":"empty","~/\\"":"key","emoji":"😀","deep":${depth9}1${'}'.repeat(9)},"null":null}}]}`,
  );
  await app.ingest([{ eventName: 'after' }]);
  const { events } = (await app.request('GET', `${EVENTS}/feed?eventName=trap`)).body;
  const { properties } = events[0];
  assert.equal(properties.twice, 2);
  assert.equal(properties.zero, 'a\0b');
  assert.equal(properties.big, 9007199254740991);
  assert.equal(properties.tiny, 1e-320);
  assert.equal(properties[''], 'empty');
  assert.equal(properties['~/"'], 'key');
  assert.equal(properties.emoji, '😀');
  assert.deepEqual(Object.getOwnPropertyDescriptor(properties, '__proto__')?.value, { x: 1 });
  const table = await app.request('POST', `${EVENTS}/query`, {
    eventName: 'trap',
    columns: ['zero', '~/"', 'big', 'deep.a.a.a'],
    filters: [
      { propertyKey: 'zero', operator: 'eq', value: 'a\0b' },
      { propertyKey: '~/"', operator: 'eq', value: 'key' },
    ],
  });
  assert.equal(table.body.total, 1);
  assert.deepEqual(table.body.rows[0].zero, 'a\0b');
});

test('POST events: NDJSON is accepted; a broken line is named or, if partial, skipped', async () => {
  const app = await sharedApp();
  const send = (path: string, lines: string) =>
    app.request('POST', path, lines, { 'content-type': 'application/x-ndjson' });
  const good = await send(EVENTS, '{"eventName":"a"}\n\n{"eventName":"b"}\r\n');
  assert.equal(good.body.accepted, 2);
  const bad = await send(EVENTS, '{"eventName":"a"}\n{"eventName":\n');
  assert.deepEqual([bad.status, bad.body.message], [400, ['events[1]: is not valid JSON']]);
  const partial = await send(`${EVENTS}?partial=true`, '{"eventName":"a"}\n{"eventName":\n');
  assert.deepEqual(partial.body.rejected, [{ index: 1, message: 'events[1]: is not valid JSON' }]);
});

test('POST events: agent and tenant come from the key; other tenants are refused', async (t) => {
  const app = await newApp(t);
  const unbound = await app.newKey({ agentId: null });
  await app.ingest([
    { eventName: 'a' },
    { eventName: 'a', agentId: 'sales' },
    { eventName: 'a', tenantId: app.tenantId },
  ]);
  await app.ingest([{ eventName: 'a' }], unbound);
  const total = async (query: string, key = app.key) =>
    (await app.request('GET', `${EVENTS}/feed?${query}`, undefined, { 'x-api-key': key })).body.total;
  assert.equal(await total(''), 2);
  assert.equal(await total('agentId=sales'), 1);
  assert.equal(await total('agentId=default'), 1);
  assert.equal(await total('agentId=nobody'), 0);
  assert.equal(await total('', unbound), 4, 'a key that is bound to no agent sees all of its tenant');
  const foreign = await app.request('POST', EVENTS, { events: [{ eventName: 'a', tenantId: 'other' }] });
  assert.equal(foreign.status, 403);
  assert.match(foreign.headers.get('www-authenticate') ?? '', /^Bearer/);
  const agents = await app.runtime.agents.listAll({ tenantId: app.tenantId });
  assert.deepEqual(
    agents.map((agent) => agent.name),
    ['default', 'sales', 'support'],
  );
});

test('POST events: timestamps take any offset, default to UTC and are returned in UTC', async (t) => {
  const app = await newApp(t);
  const spelled = [
    '2026-03-01T10:00:00+02:00',
    '2026-03-01T10:00:00+0200',
    '2026-03-01T10:00+02',
    '2026-03-01 08:00:00z',
  ];
  const times = [...spelled, '2026-03-01T10:00:00', '2026-03-01T10:00:00.123456Z', '2026-03-01'];
  await app.ingest(times.map((timestamp) => ({ eventName: 'a', timestamp })));
  const { events } = (await app.request('GET', `${EVENTS}/feed`)).body;
  assert.deepEqual(
    events.map((event: { timestamp: string }) => event.timestamp),
    [
      ...['2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.000Z'],
      ...spelled.map(() => '2026-03-01T08:00:00.000Z'),
      '2026-03-01T00:00:00.000Z',
    ],
  );
});

test("events: another tenant's events are invisible in feed, tables and names", async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'other' });
  const other = await app.newKey({ tenant: 'other', agentId: 'support' });
  await app.ingest([{ eventName: 'secret_event', properties: { secret_key: 1 } }]);
  const asOther = { 'x-api-key': other };
  assert.equal((await app.request('GET', `${EVENTS}/feed`, undefined, asOther)).body.total, 0);
  const table = await app.request('POST', `${EVENTS}/query`, { eventName: 'secret_event' }, asOther);
  assert.equal(table.body.total, 0);
  assert.doesNotMatch(JSON.stringify(table.body), /secret_key/);
});

test('GET feed: a malformed receipt is 400', async () => {
  const app = await sharedApp();
  const answer = await app.request('GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': 'nonsense' });
  assert.equal(answer.status, 400);
});
