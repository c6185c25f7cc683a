import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseKey } from '../../../../src/core/access/auth/secrets.ts';
import { effectsBy } from '../../../../src/core/base/shared/effects.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { assertError } from '../users/support.ts';

const QUOTAS = `${PORTAL}/quotas`;
const ofKey = (id: string) => `${PORTAL}/keys/${id}/quotas`;

async function opened(t: TestContext, now?: () => number) {
  const app = await testApp(t, { rateLimit: 0 }, now && effectsBy(now));
  const chief = await newPerson(app, { role: 'SUPER_ADMIN', email: 'chief@example.com' });
  const admin = await newPerson(app, { role: 'ADMIN', email: 'ada@example.com' });
  return { app, chief, admin, keyId: parseKey(app.key)!.id };
}

async function changesOf({ runtime, caller }: TestApp) {
  const asked = { action: 'quota.changed', limit: 50, offset: 0 };
  const { items } = await runtime.audit.entries({ ...caller, role: 'ADMIN' }, asked);
  return items.map(({ actor, target, details }) => ({ actor: actor.label, target, details }));
}

test("PATCH /portal/quotas: a SUPER_ADMIN of the only tenant sets the tenant's", async (t) => {
  const { app, chief, admin } = await opened(t);
  const changed = await chief.request('PATCH', QUOTAS, { 'cost-per-day': 2.5, events: 100 });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(changed.body.limits, { events: 100, 'cost-per-day': 2.5 });
  const { body, headers } = await admin.request('GET', QUOTAS);
  assert.deepEqual(body.tenant, changed.body);
  assert.equal(headers.get('etag'), changed.headers.get('etag'));
  const [events, cost] = body.tenant.quotas;
  assert.deepEqual([events.quota, events.limit, events.remaining], ['events', 100, 100]);
  assert.deepEqual([cost.quota, cost.unit, cost.used, cost.remaining], ['cost-per-day', 'USD', 0, 2.5]);
  assert.ok(cost.windowEnd > cost.windowStart);

  const removed = await chief.request('PATCH', QUOTAS, { events: null });
  assert.deepEqual(removed.body.limits, { 'cost-per-day': 2.5 });
  assert.deepEqual(await changesOf(app), [
    { actor: 'chief@example.com', target: app.tenantId, details: { events: { from: 100, to: null } } },
    {
      actor: 'chief@example.com',
      target: app.tenantId,
      details: { events: { from: null, to: 100 }, 'cost-per-day': { from: null, to: 2.5 } },
    },
  ]);
});

test('PATCH /portal/quotas: an ADMIN, and anybody beside other tenants, is refused', async (t) => {
  const { app, chief, admin } = await opened(t);
  const change = { events: 1 };
  assertError(await admin.request('PATCH', QUOTAS, change), 403, /^This concerns the whole installation/);
  await app.runtime.tenants.create({ name: 'another' });
  assertError(await chief.request('PATCH', QUOTAS, change), 403, /for the operator at the command line/);
  await assert.rejects(
    app.runtime.quotaAdministration.changeTenant({ ...app.caller, role: 'SUPER_ADMIN' }, change, undefined),
    { code: 'forbidden' },
    'core refuses it, too',
  );
  assert.equal((await chief.request('GET', QUOTAS)).status, 200);
  assert.deepEqual((await app.runtime.quotas.ofTenant(app.tenantId)).tenant, {});
});

test('portal quotas: only administrators read them and set those of keys', async (t) => {
  const { app, keyId } = await opened(t);
  const { request } = await newPerson(app, { role: 'USER' });
  const answers = [
    await request('GET', QUOTAS),
    await request('GET', ofKey(keyId)),
    await request('PATCH', ofKey(keyId), { 'tokens-per-day': 1 }),
    await request('GET', `${PORTAL}/usage/history`),
  ];
  for (const answer of answers) assertError(answer, 403, /an administrator of the tenant/);
  const { quotaAdministration } = app.runtime;
  const caller = { ...app.caller, role: 'USER' as const };
  await assert.rejects(quotaAdministration.changeKey(caller, keyId, { 'tokens-per-day': 1 }, undefined), {
    code: 'forbidden',
  });
  await assert.rejects(quotaAdministration.history(caller, { unit: 'USD', days: 1 }), { code: 'forbidden' });
});

test("PATCH /portal/keys/:id/quotas: administrators set a key's, within what keys have", async (t) => {
  const { app, admin, keyId } = await opened(t);
  const changed = await admin.request('PATCH', ofKey(keyId), { 'tokens-per-day': 500, 'requests-per-minute': 60 });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(changed.body.limits, { 'requests-per-minute': 60, 'tokens-per-day': 500 });
  assert.deepEqual((await admin.request('GET', ofKey(keyId))).body, changed.body);
  assertError(await admin.request('PATCH', ofKey(keyId), { events: 5 }), 400, /events/);
  assertError(await admin.request('PATCH', ofKey(keyId), { 'cost-per-day': -1 }), 400, /cost-per-day: must not be/);
  assertError(await admin.request('PATCH', ofKey('none'), { 'tokens-per-day': 5 }), 404, /no key with the id "none"/);
  const [line] = await changesOf(app);
  assert.deepEqual([line?.actor, line?.target], ['ada@example.com', keyId]);
});

test("portal quotas: other tenants' keys are refused", async (t) => {
  const { app, keyId } = await opened(t);
  await app.runtime.tenants.create({ name: 'another' });
  const stranger = await newPerson(app, { role: 'SUPER_ADMIN', tenant: 'another' });
  await app.runtime.quotas.changeKey({ id: keyId, tenantId: app.tenantId }, { 'tokens-per-day': 5 });
  for (const answer of [
    await stranger.request('GET', ofKey(keyId)),
    await stranger.request('PATCH', ofKey(keyId), { 'tokens-per-day': 9 }),
    await stranger.request('GET', `${PORTAL}/usage/history?key=${keyId}`),
  ]) {
    assertError(answer, 403, /belongs to another tenant/);
  }
  const { body } = await stranger.request('GET', QUOTAS);
  assert.deepEqual([body.keys, body.total, body.tenant.quotas], [[], 0, []]);
});

test('GET /portal/quotas: keys are paged and found by label or id', async (t) => {
  const { app, admin } = await opened(t);
  const made = await Promise.all(
    ['Nightly report', 'Mobile', 'Nightly import'].map(
      async (label) => (await app.runtime.keys.create(app.tenantId, { label, scopes: ['mcp:read'] }, null)).id,
    ),
  );
  const key = { id: made[1]!, tenantId: app.tenantId };
  await app.runtime.quotas.changeKey(key, { 'cost-per-month': 10 });
  const { body } = await admin.request('GET', `${QUOTAS}?limit=1`);
  assert.deepEqual([body.total, body.limit, body.offset], [4, 1, 0]);
  const [limited] = body.keys;
  assert.deepEqual([limited.id, limited.label, limited.quotas[0].quota], [made[1], 'Mobile', 'cost-per-month']);
  const labels = async (query: string) =>
    (await admin.request('GET', `${QUOTAS}?${query}`)).body.keys.map(({ label }: { label: string }) => label);
  assert.deepEqual(await labels('search=NIGHTLY'), ['Nightly import', 'Nightly report']);
  assert.deepEqual(await labels(`search=${made[0]}`), ['Nightly report']);
  assert.deepEqual(await labels('search=nightly&offset=1'), ['Nightly report']);
});

test('portal quotas: an outdated ETag is refused with 412, and nothing is stored', async (t) => {
  const { app, chief, admin, keyId } = await opened(t);
  for (const [path, request] of [
    [QUOTAS, chief.request],
    [ofKey(keyId), admin.request],
  ] as const) {
    const change = (limit: number, etag: string) =>
      request('PATCH', path, { 'tokens-per-day': limit }, { 'if-match': etag });
    const etag = (await request('GET', path)).headers.get('etag')!;
    const first = await change(1, etag);
    assert.equal(first.status, 200);
    assertError(await change(2, etag), 412, /^The quotas of the (tenant|key \w+) (was|were) changed in the meantime/);
    // Also where it would change nothing.
    assertError(await change(1, etag), 412, /in the meantime/);
    assert.equal((await change(2, first.headers.get('etag')!)).body.limits['tokens-per-day'], 2);
  }
  assert.equal((await changesOf(app)).length, 4);
});

test('portal quotas: of two people who save at once, one is told', async (t) => {
  const { app, admin, keyId } = await opened(t);
  const other = await newPerson(app, { role: 'ADMIN' });
  const etag = (await admin.request('GET', ofKey(keyId))).headers.get('etag')!;
  const race = await Promise.all(
    [admin, other, admin, other].map(({ request }, index) =>
      request('PATCH', ofKey(keyId), { 'tokens-per-day': index + 1 }, { 'if-match': etag }),
    ),
  );
  assert.deepEqual(race.map(({ status }) => status).sort(), [200, 412, 412, 412]);
  const winner = race.find(({ status }) => status === 200)!;
  assert.deepEqual((await admin.request('GET', ofKey(keyId))).body.limits, winner.body.limits);
  assert.equal((await changesOf(app)).length, 1);

  // Without If-Match, changes of different members are both kept.
  await Promise.all([
    admin.request('PATCH', ofKey(keyId), { 'cost-per-day': 1 }),
    other.request('PATCH', ofKey(keyId), { 'cost-per-month': 2 }),
  ]);
  const { limits } = (await admin.request('GET', ofKey(keyId))).body;
  assert.deepEqual([limits['cost-per-day'], limits['cost-per-month']], [1, 2]);
});

test("GET /portal/usage/history: by day of the tenant's time zone, of all or one key", async (t) => {
  const now = { at: Date.parse('2026-10-26T01:00:00Z') };
  const { app, admin, keyId } = await opened(t, () => now.at);
  await app.runtime.tenants.changeSettings(app.tenantId, { timezone: 'Europe/Berlin' }, null);
  const { budgetStore } = app.runtime;
  const spend = async (at: string, tokens: number, key: string | null = null) => {
    const id = `${at} ${tokens}`;
    const amounts = { tokens, nanos: tokens * 1_000_000 };
    await budgetStore.reserve({ id, tenantId: app.tenantId, keyId: key, at: Date.parse(at), ...amounts }, []);
    await budgetStore.settle(id, amounts);
  };
  // On the 25th clocks go back: its day has 25 hours, from 22:00 to 23:00 in UTC.
  await spend('2026-10-24T21:59:59Z', 1);
  await spend('2026-10-24T22:00:00Z', 20, keyId);
  await spend('2026-10-25T22:59:59Z', 300);
  await spend('2026-10-25T23:00:00Z', 4_000, keyId);
  await spend('2026-10-20T12:00:00Z', 50_000);
  let asked = admin.request;
  const history = async (query: string) => (await asked('GET', `${PORTAL}/usage/history?${query}`)).body;
  assert.deepEqual(await history('days=3'), {
    unit: 'tokens',
    timezone: 'Europe/Berlin',
    days: [
      { date: '2026-10-24', amount: 1 },
      { date: '2026-10-25', amount: 320 },
      { date: '2026-10-26', amount: 4_000 },
    ],
    total: 4_321,
  });
  const dollars = await history(`days=2&unit=USD&key=${keyId}`);
  assert.deepEqual(dollars.days, [
    { date: '2026-10-25', amount: 0.02 },
    { date: '2026-10-26', amount: 4 },
  ]);
  assert.equal(dollars.total, 4.02);
  now.at = Date.parse('2026-10-26T22:59:59Z');
  asked = (await newPerson(app, { role: 'ADMIN' })).request;
  assert.equal((await history('days=1')).days[0].date, '2026-10-26');
  now.at += 1_000;
  assert.deepEqual((await history('days=1')).days, [{ date: '2026-10-27', amount: 0 }]);
  const whole = await history('days=1000');
  assert.deepEqual([whole.days.length, whole.total], [92, 54_321]);
  assertError(await asked('GET', `${PORTAL}/usage/history?unit=euro`), 400, /unit: must be tokens or USD/);
});
