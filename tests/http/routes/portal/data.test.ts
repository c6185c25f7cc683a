import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXECUTIONS } from '../../../../src/http/routes/executions.ts';
import { eventsOf } from '../../../support/answers.ts';
import { skipOnServers, type TestApp, testApp } from '../../../support/app.ts';
import { newPerson, PORTAL, withCookie } from '../../../support/people.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newTenant = tenantsOfThisFile({ rateLimit: 0 });
const DATA = `${PORTAL}/data`;
const ERASURE = `${PORTAL}/erasure`;

async function nameOf(app: TestApp): Promise<string> {
  return (await app.runtime.tenants.get(app.tenantId)).name;
}

test('data: an administrator sees the figures of the own tenant', async (t) => {
  const [app, other] = [await newTenant(t), await newTenant(t)];
  await app.ingest(eventsOf('mine', 30));
  await other.ingest(eventsOf('theirs', 60));
  const admin = await newPerson(app, { role: 'ADMIN' });
  assert.deepEqual((await admin.request('GET', DATA)).body, { events: 30, documentBytes: 0, deliveryBytes: 0 });
  const user = await newPerson(app, { role: 'USER' });
  for (const path of [DATA, `${DATA}/older-events?days=1`]) {
    assert.equal((await user.request('GET', path)).status, 403);
  }
});

test('data: counts the events that a retention would remove, and removes none', async (t) => {
  const app = await newTenant(t);
  const now = Date.now();
  const ages = [1, 2, 20, 40, 400];
  const at = (days: number) => new Date(now - days * 86_400_000).toISOString();
  await app.ingest(ages.map((days) => ({ eventName: 'order', timestamp: at(days) })));
  const admin = await newPerson(app, { role: 'ADMIN' });
  const older = async (days: number) => (await admin.request('GET', `${DATA}/older-events?days=${days}`)).body;
  for (const [days, events] of [
    [1, 5],
    [10, 3],
    [30, 2],
    [1_000, 0],
  ] as const) {
    const answer = await older(days);
    assert.deepEqual([answer.days, answer.events], [days, events]);
    assert.ok(Math.abs(Date.parse(answer.before) - (Date.now() - days * 86_400_000)) < 60_000);
  }
  for (const days of ['0', '1.5', '36501', 'x']) {
    assert.equal((await admin.request('GET', `${DATA}/older-events?days=${days}`)).status, 400, days);
  }
  assert.equal((await admin.request('GET', DATA)).body.events, 5);
});

test('erasure: a thread goes with its events, for administrators', async (t) => {
  const [app, other] = [await newTenant(t), await newTenant(t)];
  const events = ['a', 'b'].flatMap((thread) => [1, 2, 3].map((n) => ({ eventName: 'said', threadId: thread, n })));
  for (const one of [app, other]) await one.ingest(events.map(({ n: _, ...event }) => event));
  const [admin, user] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { role: 'USER' })];
  assert.equal((await user.request('POST', ERASURE, { threadId: 'a' })).status, 403);
  const { status, body } = await admin.request('POST', ERASURE, { threadId: 'a' });
  assert.deepEqual([status, body.threadId, body.erased.events, body.resumed], [200, 'a', 3, false]);
  assert.equal((await admin.request('GET', DATA)).body.events, 3);
  const theirs = await newPerson(other, { role: 'ADMIN' });
  assert.equal((await theirs.request('GET', DATA)).body.events, 6, 'the same thread of another tenant stays');
  const [line] = (await admin.request('GET', `${PORTAL}/audit-log?action=thread.erased`)).body.entries;
  assert.deepEqual([line.actor.id, line.target, line.details.events], [admin.user.id, null, 3]);
});

test('erasure: an end user goes with the conversations, for administrators', async (t) => {
  const [app, other] = [await newTenant(t), await newTenant(t)];
  for (const one of [app, other]) {
    for (const userId of ['u-17', 'u-18']) await one.request('POST', EXECUTIONS, { userId, threadId: `of ${userId}` });
    await one.ingest(['of u-17', 'of u-18', 'u-17'].map((threadId) => ({ eventName: 'said', threadId })));
  }
  const [admin, user] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { role: 'USER' })];
  assert.equal((await user.request('POST', ERASURE, { userId: 'u-17' })).status, 403);
  const { status, body, headers } = await admin.request('POST', ERASURE, { userId: 'u-17' });
  assert.deepEqual([status, headers.get('set-cookie')], [200, null], 'nobody is logged out');
  assert.deepEqual(body, {
    ...{ threadId: null, userId: 'u-17', resumed: false },
    erased: { reviews: 0, assessments: 0, events: 1, executions: 1 },
  });
  const executions = async (one: TestApp) => (await one.request('GET', EXECUTIONS)).body.total;
  assert.deepEqual([(await admin.request('GET', DATA)).body.events, await executions(app)], [2, 1]);
  const theirs = await newPerson(other, { role: 'ADMIN' });
  assert.deepEqual([(await theirs.request('GET', DATA)).body.events, await executions(other)], [3, 2]);
  const [line] = (await admin.request('GET', `${PORTAL}/audit-log?action=end_user.erased`)).body.entries;
  assert.deepEqual([line.actor.id, line.target, line.details.executions], [admin.user.id, null, 1]);
  assert.doesNotMatch(JSON.stringify(line), /u-17/);
});

test('erasure: refuses two things at once, nothing, and another name than the own', async (t) => {
  const [app, other] = [await newTenant(t), await newTenant(t)];
  const [own, foreign] = [await nameOf(app), await nameOf(other)];
  await app.ingest(eventsOf('kept', 10));
  const [owner, admin] = [await newPerson(app, { role: 'SUPER_ADMIN' }), await newPerson(app, { role: 'ADMIN' })];
  for (const body of [
    {},
    { tenant: own, threadId: 'a' },
    { tenant: '' },
    { threadId: '' },
    { everything: true },
    { userId: '' },
    { userId: null },
    { threadId: 'a', userId: 'u' },
    { tenant: own, userId: 'u' },
  ]) {
    assert.equal((await owner.request('POST', ERASURE, body)).status, 400, JSON.stringify(body));
  }
  for (const tenant of [foreign, app.tenantId, other.tenantId, own.toUpperCase(), `${own} `]) {
    assert.equal((await owner.request('POST', ERASURE, { tenant })).status, 422, tenant);
  }
  assert.equal((await admin.request('POST', ERASURE, { tenant: own })).status, 403);
  assert.equal((await app.request('POST', ERASURE, { tenant: own })).status, 403, 'a key with every scope');
  assert.equal((await owner.request('GET', DATA)).body.events, 10);
});

test('erasure: a SUPER_ADMIN erases the own tenant, and is logged out', async (t) => {
  const [app, other] = [await newTenant(t), await newTenant(t)];
  for (const one of [app, other]) await one.ingest(eventsOf('data', 12));
  const owner = await newPerson(app, { role: 'SUPER_ADMIN', email: 'owner@example.com' });
  const asBrowser = withCookie(app, owner.token);
  const { status, body, headers } = await asBrowser('POST', ERASURE, { tenant: await nameOf(app) });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.threadId, body.userId, body.erased.events, body.erased.users], [null, null, 12, 1]);
  assert.match(headers.get('set-cookie') ?? '', /^ar_session=; Path=\/; Max-Age=0/);
  assert.equal((await owner.request('GET', `${PORTAL}/me`)).status, 401);
  assert.equal((await app.request('GET', '/api/v1/runtime/v1/usage')).status, 401);
  const theirs = await newPerson(other, { role: 'ADMIN' });
  assert.equal((await theirs.request('GET', DATA)).body.events, 12);
  const lines = await Array.fromAsync(
    await app.runtime.audit.exportOf({ tenantId: null }, { action: 'tenant.erased' }, undefined),
  );
  const line = JSON.parse(lines.join('').trim().split('\n').at(-1)!);
  assert.deepEqual([line.actor.kind, line.actor.id, line.target], ['user', owner.user.id, app.tenantId]);
  assert.doesNotMatch(lines.join(''), /owner@example\.com/, 'no person of an erased tenant stays named');
});

test('storage: bytes and counts of each store, for the operator of one tenant', { skip: skipOnServers }, async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.ingest(eventsOf('stored', 25));
  const operator = await newPerson(app, { role: 'SUPER_ADMIN' });
  const { status, body } = await operator.request('GET', `${PORTAL}/storage`);
  assert.equal(status, 200, JSON.stringify(body));
  const sizes = Object.fromEntries(body.stores.map((one: { store: string }) => [one.store, one]));
  assert.deepEqual([body.kind, body.place], ['files', app.runtime.config.dataDir]);
  assert.deepEqual([sizes.events.count, sizes.spool.count, sizes.vectors.count], [25, 0, 0]);
  for (const store of ['events', 'spool', 'state']) assert.ok(sizes[store].bytes > 0, store);
  assert.deepEqual([sizes.logs.bytes, sizes.uploads.count, sizes.quarantine.count], [null, 0, 0]);
  assert.match(sizes.logs.note, /standard error/);
  assert.ok(body.disk.freeBytes > 0 && body.disk.freeBytes <= body.disk.totalBytes);
  const admin = await newPerson(app, { role: 'ADMIN' });
  assert.equal((await admin.request('GET', `${PORTAL}/storage`)).status, 403);
  await app.runtime.tenants.create({ name: 'second' });
  assert.equal((await operator.request('GET', `${PORTAL}/storage`)).status, 403);
});
