import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES_OF_ROLE } from '../../../../src/core/access/auth/rights.ts';
import { administers, ROLES, type Role } from '../../../../src/core/base/shared/caller.ts';
import type { TestApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { withoutWords } from '../../../tools/support.ts';
import { assertError, assertNames, UTC, UUID_V7 } from '../dashboards/support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });

let tenants = 0;
async function newTenant({ runtime }: TestApp): Promise<string> {
  return (await runtime.tenants.create({ name: `tenant ${++tenants}` })).name;
}

/** A user of a new tenant, and a key to ingest its events. */
async function newcomer(role: Role = 'ADMIN') {
  const app = await sharedApp();
  const tenant = await newTenant(app);
  return {
    app,
    tenant,
    ...(await newPerson(app, { role, tenant })),
    key: await app.newKey({ tenant, agentId: 'support' }),
  };
}

const SETTINGS = {
  retentionDays: null,
  executionRetentionDays: null,
  secondFactor: 'optional',
  passwordLogin: true,
  roleLimits: null,
};

test('GET /portal/me: the current user, tenant and scopes', async () => {
  const app = await sharedApp();
  for (const role of ROLES) {
    const { request, user } = await newPerson(app, { role });
    const { status, body } = await request('GET', `${PORTAL}/me`);
    const { id, email, name, tenantId } = user;
    assert.equal(status, 200);
    assert.deepEqual(body, {
      user: { id, email, name, role, tenantId, language: null },
      tenant: { id: tenantId, name: 'default', timezone: 'UTC' },
      scopes: SCOPES_OF_ROLE[role],
      limits: [],
      operates: role === 'SUPER_ADMIN',
    });
  }
});

test('portal agents: administrators create, everyone lists by name', async () => {
  const { app, tenant, request, user, key } = await newcomer();
  const viewer = await newPerson(app, { role: 'VIEWER', tenant });
  const created = await request('POST', `${PORTAL}/agents`, { name: 'b agent' });
  assert.equal(created.status, 201);
  assert.match(created.body.createdAt, UTC);
  assert.deepEqual({ ...created.body, createdAt: '' }, { name: 'b agent', createdAt: '', createdBy: user.id });
  assertError(await request('POST', `${PORTAL}/agents`, { name: 'b agent' }), 409, 'Conflict');
  await app.ingest([{ eventName: 'a', agentId: 'a agent' }], key);
  const { body } = await viewer.request('GET', `${PORTAL}/agents`);
  assert.deepEqual(
    body.agents.map(({ name, createdBy }: Record<string, unknown>) => [name, createdBy]),
    [
      ['a agent', null],
      ['b agent', user.id],
      ['default', null],
      ['support', null],
    ],
  );
  const { agents, ...page } = (await viewer.request('GET', `${PORTAL}/agents?limit=2&offset=3`)).body;
  assert.deepEqual([agents[0].name, agents.length, page], ['support', 1, { total: 4, limit: 2, offset: 3 }]);
  assertError(await viewer.request('POST', `${PORTAL}/agents`, { name: 'c agent' }), 403, 'Forbidden');
  assertNames(await request('POST', `${PORTAL}/agents`, { name: '', kind: 'x' }), 'name', 'kind');
});

test('portal settings: changes apply to keys and users at the next request', async () => {
  const { app, tenant, request, key } = await newcomer();
  assert.deepEqual((await request('GET', `${PORTAL}/settings`)).body, { ...SETTINGS, timezone: 'UTC' });
  const timezoneOf = async () => (await app.runtime.keyAuthenticator.authenticate(key)).timezone;
  assert.equal(await timezoneOf(), 'UTC');
  const changed = await request('PATCH', `${PORTAL}/settings`, { timezone: 'america/SAO_PAULO' });
  assert.deepEqual([changed.status, changed.body], [200, { ...SETTINGS, timezone: 'America/Sao_Paulo' }]);
  assert.equal(await timezoneOf(), 'America/Sao_Paulo');
  assert.equal((await request('GET', `${PORTAL}/me`)).body.tenant.timezone, 'America/Sao_Paulo');
  const asked = { eventName: 'a', aggregation: 'count', dateFrom: 'today' };
  assert.equal((await request('POST', `${PORTAL}/aggregate`, asked)).body.basis.timezone, 'America/Sao_Paulo');
  assert.equal((await request('PATCH', `${PORTAL}/settings`, { retentionDays: 90 })).body.retentionDays, 90);
  assert.deepEqual((await request('PATCH', `${PORTAL}/settings`, { retentionDays: null, timezone: 'UTC' })).body, {
    ...SETTINGS,
    timezone: 'UTC',
  });
  for (const role of ROLES) {
    const other = await newPerson(app, { role, tenant });
    assert.equal((await other.request('GET', `${PORTAL}/settings`)).status, 200);
    const answer = await other.request('PATCH', `${PORTAL}/settings`, { retentionDays: 7 });
    assert.equal(answer.status, administers(role) ? 200 : 403, role);
  }
});

test('PATCH /portal/settings: an invalid setting is 400 and changes nothing', async () => {
  const { request } = await newcomer();
  const patch = (body: unknown) => request('PATCH', `${PORTAL}/settings`, body);
  for (const timezone of ['Mars/Olympus', '', '+02:00', 'UTC+2', 7]) assertNames(await patch({ timezone }), 'timezone');
  assertNames(await patch({ timezone: 'Mars/Olympus', retentionDays: 0, name: 'x' }), 'retentionDays', 'name');
  for (const nothing of [{}, { timezone: null }, { timezone: [] }]) assertNames(await patch(nothing), 'input');
  assertNames(await patch({ retentionDays: 30, timezone: 'Mars/Olympus' }), 'timezone');
  assert.deepEqual((await request('GET', `${PORTAL}/settings`)).body, { ...SETTINGS, timezone: 'UTC' });
});

test('portal discovery: events, keys and values are found for one agent or all', async () => {
  const { app, request, key } = await newcomer('VIEWER');
  const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`;
  await app.ingest(
    [
      {
        eventName: 'order_paid',
        agentId: 'sales',
        timestamp: at(1),
        properties: { plan: 'pro', utm: { source: 'mail' }, amount: 5 },
      },
      { eventName: 'order_paid', timestamp: at(2), properties: { plan: 'pro', amount: 'five' } },
      { eventName: 'order_paid', timestamp: at(3), properties: { plan: 'free' } },
      { eventName: 'ticket_opened', timestamp: at(4), properties: { vip: true } },
    ],
    key,
  );
  const get = async (path: string) => (await request('GET', `${PORTAL}/${path}`)).body;
  const order = { eventName: 'order_paid', count: 3, firstSeen: at(1), lastSeen: at(3), agents: ['support', 'sales'] };
  const ticket = { eventName: 'ticket_opened', count: 1, firstSeen: at(4), lastSeen: at(4), agents: ['support'] };
  const page = { limit: 100, offset: 0 };
  assert.deepEqual(await get('event-names'), { eventNames: [ticket, order], total: 2, ...page });
  assert.deepEqual(await get('event-names?search=PAID'), { eventNames: [order], total: 1, ...page });
  assert.deepEqual(await get('event-names?search=order_payed'), { eventNames: [order], total: 1, ...page });
  assert.deepEqual(await get('event-names?limit=1&offset=1'), { eventNames: [order], total: 2, limit: 1, offset: 1 });
  const ofSales = { ...order, count: 1, lastSeen: at(1), agents: ['sales'] };
  assert.deepEqual(await get('event-names?agentId=sales'), { eventNames: [ofSales], total: 1, ...page });
  assert.deepEqual(await get('event-names?agentId=nobody'), { eventNames: [], total: 0, ...page });

  const known = await get('event-properties?eventName=order_paid');
  const types = Object.fromEntries(known.properties.map(({ key: name, type }: Record<string, string>) => [name, type]));
  assert.deepEqual(types, { plan: 'string', 'utm.source': 'string', amount: 'number|string' });
  assert.deepEqual([known.eventName, known.total], ['order_paid', 3]);
  assert.equal((await get('event-properties?eventName=ticket_opened&agentId=sales')).total, 0);
  assert.deepEqual(await get('event-properties?eventName=nothing'), { eventName: 'nothing', properties: [], total: 0 });

  const plans = { eventName: 'order_paid', propertyKey: 'plan', type: 'string' };
  const values = [
    { value: 'pro', count: 2 },
    { value: 'free', count: 1 },
  ];
  assert.deepEqual(await get('property-values?eventName=order_paid&propertyKey=plan'), { ...plans, values, total: 2 });
  assert.deepEqual(await get('property-values?eventName=order_paid&propertyKey=plan&limit=1'), {
    ...plans,
    values: values.slice(0, 1),
    total: 2,
  });
  assert.deepEqual((await get('property-values?eventName=order_paid&propertyKey=plan&agentId=sales')).values, [
    { value: 'pro', count: 1 },
  ]);
  const nested = await get('property-values?eventName=order_paid&propertyKey=utm.source');
  assert.deepEqual(nested.values, [{ value: 'mail', count: 1 }]);
});

test('portal discovery: long values are returned whole', async () => {
  const { app, request, key } = await newcomer();
  const text = 'x'.repeat(5_000);
  await app.ingest([{ eventName: 'a', properties: { text } }], key);
  const { body } = await request('GET', `${PORTAL}/property-values?eventName=a&propertyKey=text`);
  assert.deepEqual(body.values, [{ value: text, count: 1 }]);
});

test('portal discovery: an invalid question is 400 or 404 with the remedy', async () => {
  const { app, request, key } = await newcomer();
  await app.ingest([{ eventName: 'a', properties: { plan: 'pro' } }], key);
  const get = (path: string) => request('GET', `${PORTAL}/${path}`);
  assertNames(await get('event-names?limit=0&page=1'), 'limit', 'page');
  assertNames(await get('event-properties'), 'eventName');
  assertNames(await get('property-values?eventName=&propertyKey='), 'eventName', 'propertyKey');
  assertNames(await get('property-values?eventName=a&propertyKey=plan&limit=x'), 'limit');
  const unknown = await get('property-values?eventName=a&propertyKey=plam');
  assertError(unknown, 404, 'Not Found');
  assert.match(unknown.body.message, /has no property "plam". It has "plan"/);
});

test('POST /portal/aggregate: equals the tool aggregate_events', async () => {
  const { app, request, key } = await newcomer('VIEWER');
  const events = Array.from({ length: 40 }, (_, index) => ({
    eventName: index % 4 === 0 ? 'refund' : 'order',
    timestamp: `2026-03-${String(1 + (index % 20)).padStart(2, '0')}T12:00:00Z`,
    agentId: index % 2 === 0 ? 'sales' : 'support',
    properties: { plan: ['free', 'pro'][index % 2], amount: index },
  }));
  await app.ingest(events, key);
  const unbound = await app.newKey({ tenant: `tenant ${tenants}`, agentId: null, scopes: ['mcp:read'] });
  const client = await app.mcpClient(unbound);
  const range = { dateFrom: '2026-03-01', dateTo: '2026-03-31' };
  const questions = [
    { eventName: 'order', aggregation: 'count', ...range },
    { eventName: 'order', aggregation: 'sum', propertyKey: 'amount', ...range, dateGrouping: 'week', group_by: 'plan' },
    {
      eventName: 'order',
      aggregation: 'p95',
      propertyKey: 'amount',
      ...range,
      group_by: ['plan', 'agentId'],
      limit: 3,
    },
    {
      eventName: 'order',
      aggregation: 'rate',
      numerator: { eventName: 'refund' },
      ...range,
      compareTo: 'previous_period',
    },
    {
      eventName: 'order',
      aggregation: 'count',
      ...range,
      agentId: 'sales',
      timezone: 'Asia/Tokyo',
      filters: [{ propertyKey: 'amount', operator: 'gt', value: 10 }],
    },
    { eventName: 'ordre', aggregation: 'count', ...range },
  ];
  for (const question of questions) {
    const answer = await request('POST', `${PORTAL}/aggregate`, question);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const call = await client.callTool({ name: 'aggregate_events', arguments: question });
    assert.deepEqual(answer.body, withoutWords(call.structuredContent), JSON.stringify(question));
  }
  const wrong = { eventName: 'order', aggregation: 'sum', group_by: ['a', 'b', 'c', 'd'], groups: 'a' };
  const refused = await request('POST', `${PORTAL}/aggregate`, wrong);
  assertError(refused, 400, 'Bad Request');
  const { content } = await client.callTool({ name: 'aggregate_events', arguments: wrong });
  for (const message of refused.body.message)
    assert.ok(JSON.stringify(content).includes(JSON.stringify(message).slice(1, -1)), message);
});

test('GET /portal/audit-log: newest first by action and page, for administrators', async () => {
  const { app, tenant, request, user } = await newcomer('SUPER_ADMIN');
  await request('POST', `${PORTAL}/agents`, { name: 'audited' });
  await request('PATCH', `${PORTAL}/settings`, { timezone: 'Europe/Berlin', retentionDays: 30 });
  await request('PATCH', `${PORTAL}/settings`, { timezone: 'Europe/Berlin' });
  await app.runtime.tenants.changeSettings(tenant, { retentionDays: null }, null);
  const { body } = await request('GET', `${PORTAL}/audit-log?limit=3`);
  assert.deepEqual(
    [body.total, body.limit, body.offset],
    [4, 3, 0],
    'what changed nothing is no line; a key was made before',
  );
  const [first, second, third] = body.entries;
  assert.match(first.id, UUID_V7);
  assert.match(first.at, UTC);
  const self = { kind: 'user', id: user.id, label: user.email };
  const operator = { kind: 'operator', id: null, label: 'operator' };
  assert.deepEqual([first.address, first.requestId], [null, null], 'the operator at the command line');
  assert.equal(second.address, '127.0.0.1');
  assert.match(second.requestId, UUID_V7);
  const rest = ({ id: _, at: __, address: ___, requestId: ____, ...line }: Record<string, unknown>) => line;
  assert.deepEqual(
    [rest(first), rest(second), rest(third)],
    [
      {
        action: 'settings.updated',
        target: user.tenantId,
        actor: operator,
        details: { retentionDays: { from: 30, to: null } },
      },
      {
        action: 'settings.updated',
        target: user.tenantId,
        actor: self,
        details: { timezone: { from: 'UTC', to: 'Europe/Berlin' }, retentionDays: { from: null, to: 30 } },
      },
      { action: 'agent.created', target: 'audited', actor: self, details: {} },
    ],
  );
  const { entries, total } = (await request('GET', `${PORTAL}/audit-log?action=agent.created`)).body;
  assert.deepEqual([entries, total], [[third], 1]);
  assert.deepEqual((await request('GET', `${PORTAL}/audit-log?limit=1&offset=1`)).body.entries, [second]);
  assertNames(await request('GET', `${PORTAL}/audit-log?limit=-1&offset=x&who=y`), 'limit', 'offset', 'who');
  for (const role of ROLES) {
    const other = await newPerson(app, { role, tenant });
    assert.equal((await other.request('GET', `${PORTAL}/audit-log`)).status, administers(role) ? 200 : 403, role);
  }
});

test('portal: responses forbid caching', async () => {
  const { request } = await newcomer();
  for (const path of ['me', 'keys', 'agents', 'settings', 'audit-log', 'event-names']) {
    assert.equal((await request('GET', `${PORTAL}/${path}`)).headers.get('cache-control'), 'no-store', path);
  }
});
