import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../../../../src/core/access/users/schema.ts';
import { CHEAP_HASHING } from '../../../support/cheap-hashing.ts';
import {
  assertError,
  assertNames,
  MEMBERS,
  newOffice,
  type Office,
  OWN_PASSWORD,
  PORTAL_USERS,
  UNKNOWN,
} from '../users/support.ts';

const PASSWORD = 'long enough for anybody';
const ANOTHER = 'another sentence of mine';
const WEAK = 'password1234';

async function hasPassword({ app }: Office, { id }: User, password: string): Promise<boolean> {
  const hash = (await app.runtime.userStore.find(id))?.passwordHash ?? null;
  return hash !== null && CHEAP_HASHING.verify(password, hash);
}

test('POST /portal/users: the user has the given members only', async () => {
  const office = await newOffice();
  const least = { email: 'Least@example.com', name: 'Least', role: 'VIEWER' };
  const { status, body } = await office.as(office.chief, 'POST', PORTAL_USERS, least);
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body).sort(), MEMBERS);
  const { id, createdAt, updatedAt, ...rest } = body;
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    ...least,
    phone: null,
    avatarUrl: null,
    isActive: true,
    lastLoginAt: null,
    tenantId: office.tenantId,
    metadata: {},
    _count: { agents: 0, credentials: 0, executions: 0 },
  });
  const full = {
    email: 'full@example.com',
    name: 'Full',
    role: 'SUPER_ADMIN',
    phone: '+49 30 1234567',
    avatarUrl: 'https://example.com/full.png',
    metadata: { idp_user_id: 'auth0|7', idp_created: true, invite_sent: false },
  };
  const made = (await office.as(office.chief, 'POST', PORTAL_USERS, { ...full, password: PASSWORD })).body;
  assert.deepEqual({ ...made, ...full }, made);
  assert.equal(await hasPassword(office, made, PASSWORD), true);
  assert.equal(await hasPassword(office, body, PASSWORD), false);
  assert.deepEqual((await office.as(office.chief, 'GET', `${PORTAL_USERS}/${made.id}`)).body, made);
});

test('POST /portal/users: invalid members are named with 400', async () => {
  const office = await newOffice();
  const post = (body: unknown) => office.as(office.chief, 'POST', PORTAL_USERS, body);
  const good = { email: 'a@example.com', name: 'Ana', role: 'USER' };
  assertNames(await post({ ...good, isActive: false, id: UNKNOWN, tenantId: 'x' }), 'isActive', 'id', 'tenantId');
  assertError(
    await post({ ...good, email: 'ana.the.first@example.com', password: 'Ana.The.First' }),
    422,
    /^password: /,
  );
  assertError(await post({ ...good, name: 'Ana the First', password: 'ana the first' }), 422, /^password: /);
  assert.deepEqual(await office.everyone(), [office.chief]);
  assertError(await post({ ...good, password: WEAK }), 422, /^password: is easy to guess, .*common password\. Use /);
  for (const password of ['sieben Zwerge', `${PASSWORD}${'x'.repeat(200)}`.slice(0, 200)]) {
    assert.equal((await post({ ...good, email: `${password.length}@example.com`, password })).status, 201);
  }
});

test('GET /portal/users: pages with a total, newest first, and search', async () => {
  const office = await newOffice();
  for (let index = 0; index < 102; index++) {
    await office.add('USER', { name: index % 2 ? `Even ${index}` : `Ödd ${index}`, email: `p${index}@example.com` });
  }
  const list = async (query: string) => (await office.as(office.chief, 'GET', `${PORTAL_USERS}?${query}`)).body;
  const all = await office.everyone();
  const first = await list('');
  assert.deepEqual(first, { users: all.slice(0, 50), total: 103, limit: 50, offset: 0 });
  assert.deepEqual(await list('limit=&offset=&search='), first, 'an empty parameter counts as absent');
  assert.deepEqual(await list('limit=100'), { users: all.slice(0, 100), total: 103, limit: 100, offset: 0 });
  assert.deepEqual(await list('limit=101'), await list('limit=100'), 'more is capped');
  assert.deepEqual((await list('limit=1&offset=102')).users, [office.chief]);
  assert.deepEqual((await list('offset=103')).users, []);
  assert.deepEqual([(await list('search=ODD')).total, (await list('search=odd')).users.length], [51, 50]);
  assert.deepEqual(
    (await list('search=P17@')).users.map(({ name }: User) => name),
    ['Even 17'],
  );
  assert.equal((await list(`search=${'x'.repeat(200)}`)).total, 0);
});

test('PATCH /portal/users/:id: equals the runtime endpoint', async () => {
  const office = await newOffice();
  const user = await office.add();
  const path = `${PORTAL_USERS}/${user.id}`;
  const patch = (body: object, by = office.chief) => office.as(by, 'PATCH', path, body);
  const { status, body } = await patch({ role: 'ADMIN', phone: '1234567' });
  assert.deepEqual([status, body.role, body.phone], [200, 'ADMIN', '1234567']);
  assertNames(await patch({ phone: null, nmae: 'x' }), 'nmae');
  assertError(await patch({ email: office.chief.email.toUpperCase() }), 409, /^email: /);
  const admin = await office.add('ADMIN');
  assertError(await patch({ role: 'SUPER_ADMIN' }, admin), 403, /^role: /);
  const ownChief = `${PORTAL_USERS}/${office.chief.id}`;
  assertError(await office.as(admin, 'PATCH', ownChief, { isActive: false }), 403, /^isActive: /);
  for (const one of [admin, user]) await patchRole(office, one, 'USER');
  assertError(await office.as(office.chief, 'PATCH', ownChief, { role: 'USER' }), 409, /only active administrator/);
});

async function patchRole(office: Office, { id }: User, role: string): Promise<void> {
  assert.equal((await office.as(office.chief, 'PATCH', `${PORTAL_USERS}/${id}`, { role })).status, 200);
}

test("PUT /portal/users/:id/password: an ADMIN cannot set a SUPER_ADMIN's", async () => {
  const office = await newOffice();
  const [admin, user] = [await office.add('ADMIN'), await office.add()];
  const put = (by: User, { id }: User, body: object) => office.as(by, 'PUT', `${PORTAL_USERS}/${id}/password`, body);
  const answer = await put(admin, user, { password: PASSWORD });
  assert.deepEqual([answer.status, answer.body], [204, '']);
  assert.equal(await hasPassword(office, user, PASSWORD), true);
  assertError(await put(admin, office.chief, { password: PASSWORD }), 403, /^password: /);
  assert.equal((await put(office.chief, admin, { password: PASSWORD })).status, 204);
  assert.equal((await put(office.chief, office.chief, { password: PASSWORD })).status, 204);
  for (const password of ['', 'eleven char', 'x'.repeat(201), null]) {
    assertNames(await put(admin, user, { password }), 'password');
  }
  assertNames(await put(admin, user, {}), 'password');
  assertNames(await put(admin, user, { password: PASSWORD, role: 'ADMIN' }), 'role');
  for (const password of [user.email.toUpperCase(), `${user.email}1`, WEAK]) {
    assertError(await put(admin, user, { password }), 422, /^password: is easy to guess/);
  }
  assert.equal(await hasPassword(office, user, PASSWORD), true);
});

test('POST /portal/me/password: a wrong current password is 422', async () => {
  const office = await newOffice();
  const user = await office.add('VIEWER', { password: PASSWORD });
  const post = (body: object) => office.as(user, 'POST', OWN_PASSWORD, body);
  const wrong = await post({ currentPassword: 'something else', password: ANOTHER });
  assertError(wrong, 422, /^currentPassword: is not your password$/);
  assertNames(await post({ password: ANOTHER }), 'currentPassword');
  assertNames(await post({ currentPassword: PASSWORD, password: 'short' }), 'password');
  assertNames(await post({ currentPassword: '', password: ANOTHER, id: user.id }), 'currentPassword', 'id');
  for (const password of [user.email, WEAK]) {
    assertError(await post({ currentPassword: PASSWORD, password }), 422, /^password: is easy to guess/);
  }
  assert.equal(await hasPassword(office, user, PASSWORD), true);
  const changed = await post({ currentPassword: PASSWORD, password: ANOTHER });
  assert.deepEqual([changed.status, changed.body], [204, '']);
  assert.equal(await hasPassword(office, user, ANOTHER), true);
});

test('OpenAPI: portal user endpoints say that they are for portal users', async () => {
  const { app } = await newOffice();
  const { paths } = (await app.request('GET', '/openapi.json')).body;
  for (const [method, path] of [
    ['get', PORTAL_USERS],
    ['put', `${PORTAL_USERS}/{id}/password`],
    ['post', OWN_PASSWORD],
  ] as const) {
    assert.deepEqual(paths[path][method].security, [{ portal: [] }], path);
  }
});

test('PATCH /portal/users/:id: an outdated ETag is refused with 412', async () => {
  const office = await newOffice();
  const { body: created } = await office.as(office.chief, 'POST', PORTAL_USERS, {
    email: 'both@example.com',
    name: 'Both',
    role: 'VIEWER',
  });
  const path = `${PORTAL_USERS}/${created.id}`;
  const read = await office.as(office.chief, 'GET', path);
  const etag = read.headers.get('etag') ?? '';
  const change = (name: string, version: string) =>
    office.as(office.chief, 'PATCH', path, { name }, { 'if-match': version });

  const first = await change('First', etag);
  assert.equal(first.status, 200);
  const second = await change('Second', etag);
  assertError(second, 412, /^The user "First" was changed in the meantime/);
  assert.equal((await office.as(office.chief, 'GET', path)).body.name, 'First');

  let current = first.headers.get('etag') ?? '';
  for (const asProxiesSend of [`${current}`, 'W/ETAG', 'ETAG-gzip', 'ETAG-br']) {
    const sent = asProxiesSend.replace(/ETAG(\S*)/, (_, mark) => `${current.slice(0, -1)}${mark}"`);
    const changed = await change(`Second ${asProxiesSend.length}`, sent);
    assert.equal(changed.status, 200, sent);
    current = changed.headers.get('etag') ?? '';
  }
  assertError(await change('Third', `W/${etag}`), 412, /was changed in the meantime/);
  const unusable = await change('Third', '*');
  assertError(unusable, 400, /^If-Match: must be the ETag of one answer, in double quotes$/);
});
