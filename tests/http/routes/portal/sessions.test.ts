import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { changeUser, newPerson, newUser, PORTAL, withToken } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const HOUR = 3_600_000;
const sharedApp = appOfThisFile({ rateLimit: 0 });

/** A person with several sessions; the request of each. */
async function withSessions(app: TestApp, count: number, members: Parameters<typeof newUser>[1] = {}) {
  const user = await newUser(app, members);
  const requests: TestApp['request'][] = [];
  for (let index = 0; index < count; index++) {
    const client = { address: `198.51.100.${index}`, userAgent: `Browser ${index}` };
    requests.push(withToken(app, (await app.runtime.sessions.open(user, client)).token));
  }
  const statuses = () => Promise.all(requests.map(async (ask) => (await ask('GET', `${PORTAL}/me`)).status));
  return { user, requests, statuses, ids: async () => idsOf(await requests[0]!('GET', `${PORTAL}/sessions`)) };
}

function idsOf({ body }: { body: { sessions: { id: string }[] } }): string[] {
  return body.sessions.map(({ id }) => id);
}

test('POST /portal/logout: ends the current session only', async () => {
  const { requests, statuses } = await withSessions(await sharedApp(), 2);
  const [one] = requests as [TestApp['request']];
  const answer = await one('POST', `${PORTAL}/logout`, {});
  assert.deepEqual([answer.status, answer.body], [204, '']);
  assert.deepEqual(await statuses(), [401, 200]);
  assert.equal((await one('POST', `${PORTAL}/logout`)).status, 401, 'there is none to end any more');
  const feed = await one('GET', '/api/v1/runtime/v1/observability/events/feed');
  assert.equal(feed.status, 401, 'also on runtime endpoints');
});

test('GET /portal/sessions: own sessions, newest first, with the current one marked', async () => {
  const app = await sharedApp();
  const { requests, user } = await withSessions(app, 3);
  await withSessions(app, 1);
  const { status, body } = await requests[1]!('GET', `${PORTAL}/sessions?limit=2`);
  assert.deepEqual([status, body.total, body.limit, body.offset], [200, 3, 2, 0]);
  const shown = body.sessions.map(({ address, userAgent, current }: Record<string, unknown>) => [
    address,
    userAgent,
    current,
  ]);
  assert.deepEqual(shown, [
    ['198.51.100.2', 'Browser 2', false],
    ['198.51.100.1', 'Browser 1', true],
  ]);
  const [newest] = body.sessions;
  assert.equal(Date.parse(newest.expiresAt) - Date.parse(newest.createdAt) > 11.99 * HOUR, true);
  assert.deepEqual(Object.keys(newest).sort(), [
    ...['address', 'createdAt', 'current', 'expiresAt', 'id', 'lastSeenAt', 'userAgent'],
  ]);
  await changeUser(app, user.id, { sessionVersion: Date.now() });
  const { token } = await app.runtime.sessions.open((await app.runtime.userStore.find(user.id))!, { address: 'x' });
  assert.equal((await withToken(app, token)('GET', `${PORTAL}/sessions`)).body.total, 1, 'void ones are not listed');
});

test("DELETE /portal/sessions/:id: another user's session is 404", async () => {
  const app = await sharedApp();
  const { requests, statuses, ids } = await withSessions(app, 2);
  const [one] = requests as [TestApp['request']];
  const [newest, oldest] = await ids();
  assert.equal((await one('DELETE', `${PORTAL}/sessions/${newest}`)).status, 204);
  assert.deepEqual(await statuses(), [200, 401]);
  assert.equal((await one('DELETE', `${PORTAL}/sessions/${newest}`)).status, 404, 'it has ended');
  const { request: stranger } = await newPerson(app, { role: 'SUPER_ADMIN' });
  for (const id of [oldest, realEffects.newId()]) {
    const answer = await stranger('DELETE', `${PORTAL}/sessions/${id}`);
    assert.deepEqual([answer.status, answer.body.message], [404, `You have no session with the id "${id}".`]);
  }
  assert.equal((await one('DELETE', `${PORTAL}/sessions/no-uuid`)).status, 400);
  assert.deepEqual(await statuses(), [200, 401]);
});

test('DELETE /portal/sessions: all but the current one, or all with all=true', async () => {
  const { requests, statuses } = await withSessions(await sharedApp(), 3);
  const [, second] = requests as TestApp['request'][];
  assert.deepEqual((await second!('DELETE', `${PORTAL}/sessions`)).body, { ended: 2 });
  assert.deepEqual(await statuses(), [401, 200, 401]);
  assert.equal((await second!('DELETE', `${PORTAL}/sessions?all=yes`)).status, 400);
  assert.deepEqual((await second!('DELETE', `${PORTAL}/sessions?all=true`)).body, { ended: 1 });
  assert.deepEqual(await statuses(), [401, 401, 401]);
});

test('DELETE /portal/users/:id/sessions: administrators within their rights', async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'elsewhere' });
  const { request: admin } = await newPerson(app, { role: 'ADMIN' });
  const { request: viewer } = await newPerson(app, { role: 'VIEWER' });
  const { user, statuses } = await withSessions(app, 2, { role: 'USER' });
  const chief = await withSessions(app, 1, { role: 'SUPER_ADMIN' });
  const other = await withSessions(app, 1, { tenant: 'elsewhere' });
  const end = (by: TestApp['request'], id: string) => by('DELETE', `${PORTAL}/users/${id}/sessions`);
  assert.equal((await end(viewer, user.id)).status, 403);
  assert.equal((await end(admin, chief.user.id)).status, 403);
  assert.equal((await end(admin, other.user.id)).status, 403);
  assert.equal((await end(admin, realEffects.newId())).status, 404);
  assert.equal((await app.request('DELETE', `${PORTAL}/users/${user.id}/sessions`)).status, 403, 'an API key');
  assert.deepEqual(
    [...(await statuses()), ...(await chief.statuses()), ...(await other.statuses())],
    [200, 200, 200, 200],
  );
  assert.deepEqual((await end(admin, user.id)).body, { ended: 2 });
  assert.deepEqual(await statuses(), [401, 401]);
});

test('portal sessions: ended sessions are audited', async () => {
  const app = await sharedApp();
  const { user, requests, ids } = await withSessions(app, 4);
  const { user: admin, request } = await newPerson(app, { role: 'ADMIN' });
  const [last, , , first] = await ids();
  await requests[0]!('POST', `${PORTAL}/logout`);
  await requests[1]!('DELETE', `${PORTAL}/sessions/${last}`);
  await requests[1]!('DELETE', `${PORTAL}/sessions`);
  await request('DELETE', `${PORTAL}/users/${user.id}/sessions`);
  await request('DELETE', `${PORTAL}/users/${user.id}/sessions`);
  const { entries } = (await request('GET', `${PORTAL}/audit-log?action=session.ended&limit=100`)).body;
  const lines = entries
    .filter(({ target }: { target: string }) => target === user.id)
    .map(({ actor, details }: { actor: { id: string }; details: unknown }) => [actor.id, details])
    .reverse();
  assert.deepEqual(lines, [
    [user.id, { session: first }],
    [user.id, { session: last }],
    [user.id, { sessions: 1 }],
    [admin.id, { sessions: 1 }],
  ]);
});

test('SessionService: last use to five minutes, expiry after twelve hours', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const { request } = await newPerson(app);
  const seen = async () => (await request('GET', `${PORTAL}/sessions`)).body.sessions[0].lastSeenAt;
  now += 299_000;
  assert.equal(await seen(), '2026-03-01T00:00:00.000Z');
  now += 1_000;
  assert.equal(await seen(), '2026-03-01T00:05:00.000Z');
  now += 12 * HOUR;
  assert.equal((await request('GET', `${PORTAL}/me`)).status, 401);
});

test('Tokens.verify: a token from the future is refused beyond a minute (S20)', async (t) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const { request } = await newPerson(app);
  const me = async () => (await request('GET', `${PORTAL}/me`)).status;
  now -= 60_000;
  assert.equal(await me(), 200);
  now -= 1_000;
  assert.equal(await me(), 401);
  now += 61_000;
  assert.equal(await me(), 200);
});

test('SessionService: at most 200 per user; expired and erased ones are removed', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const { runtime } = app;
  const { id: tenantId } = await runtime.tenants.create({ name: 'busy' });
  const user = await newUser(app, { tenant: 'busy' });
  const open = async () => withToken(app, (await runtime.sessions.open(user, { address: 'x' })).token);
  const first = await open();
  now += 1;
  const second = await open();
  for (let count = 0; count < 199; count++) {
    now += 1;
    await open();
  }
  assert.deepEqual(
    [(await first('GET', `${PORTAL}/me`)).status, (await second('GET', `${PORTAL}/me`)).status],
    [401, 200],
  );
  assert.equal((await second('GET', `${PORTAL}/sessions?limit=1`)).body.total, 200);
  await runtime.erasure.erase({ tenant: tenantId });
  assert.equal((await second('GET', `${PORTAL}/me`)).status, 401);
});

test('GET /portal/sessions/all: of everybody in the tenant, with their users', async () => {
  const app = await sharedApp();
  const { id: tenant } = await app.runtime.tenants.create({ name: 'listed' });
  const admin = await newPerson(app, { role: 'ADMIN', tenant });
  const { user } = await withSessions(app, 2, { name: 'Béa Rocha', tenant });
  await withSessions(app, 1);
  const list = async (query = '') => (await admin.request('GET', `${PORTAL}/sessions/all${query}`)).body;
  const { sessions, total } = await list('?limit=2');
  assert.deepEqual([sessions.length, total], [2, 3]);
  const { id, name, email, role } = user;
  assert.deepEqual(sessions[0].user, { id, name, email, role });
  assert.deepEqual(
    [sessions[0].address, sessions[0].userAgent, sessions[0].current],
    ['198.51.100.1', 'Browser 1', false],
  );
  assert.equal((await list(`?search=${admin.user.email}`)).sessions[0].current, true);
  assert.equal((await list('?search=bea')).total, 2);
});

test('DELETE /portal/sessions/all: all but the caller, below SUPER_ADMIN', async () => {
  const app = await sharedApp();
  const { id: tenant } = await app.runtime.tenants.create({ name: 'ended' });
  const admin = await withSessions(app, 2, { role: 'ADMIN', tenant });
  const [chief, user, stranger] = [
    await withSessions(app, 1, { role: 'SUPER_ADMIN', tenant }),
    await withSessions(app, 3, { tenant }),
    await withSessions(app, 1),
  ];
  const end = (by: typeof admin) => by.requests[0]!('DELETE', `${PORTAL}/sessions/all`);
  assert.deepEqual((await end(admin)).body, { ended: 3 });
  const statuses = await Promise.all([admin, chief, user, stranger].map((one) => one.statuses()));
  assert.deepEqual(statuses, [[200, 200], [200], [401, 401, 401], [200]]);
  assert.deepEqual((await end(admin)).body, { ended: 0 });
  assert.deepEqual((await end(chief)).body, { ended: 2 });
  const { entries } = (await chief.requests[0]!('GET', `${PORTAL}/audit-log?action=session.ended`)).body;
  assert.deepEqual(
    entries.map(({ details }: { details: { sessions: number } }) => details.sessions),
    [2, 3],
  );
});

test('GET, DELETE /portal/users/:id/sessions: one of a user is found and ended', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const user = await withSessions(app, 2);
  const chief = await withSessions(app, 1, { role: 'SUPER_ADMIN' });
  const sessionsOf = (id: string) => `${PORTAL}/users/${id}/sessions`;
  const { body } = await admin.request('GET', sessionsOf(user.user.id));
  assert.deepEqual([body.total, body.sessions[0].userAgent, body.sessions[0].current], [2, 'Browser 1', false]);
  const end = (id: string, session: string) => admin.request('DELETE', `${sessionsOf(id)}/${session}`);
  assert.equal((await end(chief.user.id, body.sessions[0].id)).status, 403);
  assert.equal((await end(admin.user.id, body.sessions[0].id)).status, 404, 'a session of somebody else');
  assert.equal((await end(user.user.id, body.sessions[0].id)).status, 204);
  assert.equal((await end(user.user.id, body.sessions[0].id)).status, 404);
  assert.deepEqual(await user.statuses(), [200, 401]);
});
