import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, SCOPES } from '../../../../src/core/base/shared/caller.ts';
import { keyMadeBy } from '../../../support/users.ts';
import { UTC, UUID_V7 } from '../dashboards/support.ts';
import { assertError, assertNames, MEMBERS, newOffice, sharedApp, UNKNOWN, USERS } from './support.ts';

test('PATCH /users/:id: returns the user with exactly the specified members', async () => {
  const { add, request, tenantId, everyone } = await newOffice();
  const user = await add();
  const changes = {
    email: 'Ana.Silva@Example.com',
    phone: '+55 (11) 98765-4321',
    name: '  Ana Silva 😀 ',
    avatarUrl: 'https://example.com/ana.png',
    isActive: false,
    role: 'VIEWER',
  };
  const { status, body } = await request('PATCH', `${USERS}/${user.id}`, changes);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), MEMBERS);
  const { updatedAt, ...rest } = body;
  assert.deepEqual(rest, {
    ...changes,
    id: user.id,
    name: 'Ana Silva 😀',
    lastLoginAt: null,
    createdAt: user.createdAt,
    tenantId,
    metadata: {},
    _count: { agents: 0, credentials: 0, executions: 0 },
  });
  assert.match(body.id, UUID_V7);
  assert.match(body.createdAt, UTC);
  assert.match(updatedAt, UTC);
  assert.ok(updatedAt >= user.updatedAt);
  assert.deepEqual(
    (await everyone()).find(({ id }) => id === user.id),
    body,
  );
});

test('PATCH /users/:id: each member may change alone', async () => {
  const { add, request } = await newOffice();
  let before = await add();
  const changes = [
    { email: 'alone@example.com' },
    { phone: '1234567' },
    { phone: null },
    { name: 'Al' },
    { avatarUrl: 'http://a' },
    { avatarUrl: null },
    { isActive: false },
    { isActive: true },
    ...ROLES.map((role) => ({ role })),
  ];
  for (const change of changes) {
    const { status, body } = await request('PATCH', `${USERS}/${before.id}`, change);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, { ...before, ...change, updatedAt: body.updatedAt });
    before = body;
  }
});

test('PATCH /users/:id: values at the limits pass', async () => {
  const { add, request } = await newOffice();
  const { id } = await add();
  const patch = (body: unknown) => request('PATCH', `${USERS}/${id}`, body);
  const email = (length: number) => `${'a'.repeat(length - 5)}@b.co`;
  const url = (length: number) => `https://a.co/${'😀'.repeat(length - 13)}`;
  const taken = {
    name: ['ab', '😀😀', 'a'.repeat(100), '😀'.repeat(100)],
    email: [email(6), email(254)],
    phone: ['1234567', '123456789012345'],
    avatarUrl: ['http://a', url(500)],
  };
  for (const [member, values] of Object.entries(taken)) {
    for (const value of values) {
      const { status, body } = await patch({ [member]: value });
      assert.deepEqual([status, body[member]], [200, value], member);
    }
  }
});

test('PATCH /users/:id: empty bodies, unknown members and other types are 400', async () => {
  const { add, request, everyone } = await newOffice();
  const { id } = await add();
  const before = await everyone();
  const patch = (body: unknown) => request('PATCH', `${USERS}/${id}`, body);
  for (const nothing of [{}, { name: null }, { email: [], isActive: null, role: null }]) {
    assertError(await patch(nothing), 400, /must hold at least one member/);
  }
  for (const member of ['id', 'passwordHash', '_count', '__proto__']) {
    assertNames(await patch(`{"name":"New name","${member}":"x"}`), member);
  }
  assertError(await patch({ avatarURL: 'https://a' }), 400, /avatarURL: unknown member; did you mean avatarUrl\?/);
  const large = await patch({ name: 'x'.repeat(17 * 1024) });
  assertError(large, 413);
  assert.deepEqual(await everyone(), before);
});

test('PATCH /users/:id: no UUID is 400, an unknown one 404, in any case', async () => {
  const { add, request } = await newOffice();
  const user = await add();
  const change = { name: 'New name' };
  for (const id of ['x', '7', 'admin@localhost', `${user.id}0`, user.id.slice(1), '%00', '..%2F..', "'%20OR%201=1--"]) {
    assertNames(await request('PATCH', `${USERS}/${id}`, change), 'id');
  }
  for (const id of [UNKNOWN, '00000000-0000-0000-0000-000000000000', UNKNOWN.replace('7', '4')]) {
    assertError(await request('PATCH', `${USERS}/${id}`, change), 404, /There is no user with the id/);
  }
  assert.equal((await request('PATCH', `${USERS}/${user.id.toUpperCase()}`, change)).body.id, user.id);
});

test('PATCH /users/:id: users:write is enough for non-administrators', async () => {
  const { add, request, newKey, everyone } = await newOffice();
  const user = await add();
  const before = await everyone();
  const path = `${USERS}/${user.id}`;
  for (const key of ['', 'nonsense']) assertError(await request('PATCH', path, { name: 'Taken' }, key), 401);
  const others = await newKey(...SCOPES.filter((scope) => scope !== 'users:write'));
  const refused = await request('PATCH', path, '{"broken', others);
  assertError(refused, 403, /users:write/);
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="users:write"/);
  assert.deepEqual(await everyone(), before);
  const alone = await newKey('users:write');
  assert.equal((await request('PATCH', path, { role: 'HUB_USER', isActive: false }, alone)).status, 200);
  for (const role of ['ADMIN', 'SUPER_ADMIN'])
    assertError(await request('PATCH', path, { role }, alone), 403, /^role: /);
});

test("PATCH /users/:id: another tenant's user is 403 and unchanged", async () => {
  const [mine, theirs] = [await newOffice(), await newOffice()];
  const user = await theirs.add();
  const before = await theirs.everyone();
  const answer = await mine.request('PATCH', `${USERS}/${user.id}`, { name: 'Taken', email: mine.chief.email });
  assertError(answer, 403, /belongs to another tenant/);
  assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(`${user.name}|${user.email}`));
  assert.deepEqual(await theirs.everyone(), before);
});

test('PATCH /users/:id: a taken e-mail is 409 within the tenant, in any case', async () => {
  const [mine, theirs] = [await newOffice(), await newOffice()];
  const [user, other] = [await mine.add(), await mine.add()];
  const stranger = await theirs.add();
  const patch = (email: string) => mine.request('PATCH', `${USERS}/${user.id}`, { email });
  for (const email of [other.email, other.email.toUpperCase()]) assertError(await patch(email), 409, /^email: /);
  assert.equal((await patch(stranger.email)).body.email, stranger.email);
  assert.equal(
    (await patch(stranger.email.toUpperCase())).body.email,
    stranger.email.toUpperCase(),
    'their own, in another case',
  );
});

test('PATCH /users/:id: one of fifty concurrent changes gets the e-mail', async () => {
  const { add, request, everyone } = await newOffice();
  const people = [];
  for (let index = 0; index < 50; index++) people.push(await add());
  const answers = await Promise.all(
    people.map(({ id }, index) =>
      request('PATCH', `${USERS}/${id}`, { email: index % 2 ? 'one@example.com' : 'ONE@example.com' }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 49 }, () => 409)]);
  assert.equal((await everyone()).filter(({ email }) => email.toLowerCase() === 'one@example.com').length, 1);
});

test('PATCH /users/:id: the last active administrator is 409, also in a race', async () => {
  const { add, request, chief, everyone } = await newOffice();
  for (const change of [{ isActive: false }, { role: 'VIEWER' }, { role: 'ADMIN' }]) {
    assertError(
      await request('PATCH', `${USERS}/${chief.id}`, change),
      409,
      /Make another user ADMIN or SUPER_ADMIN first/,
    );
  }
  const both = [chief, await add('ADMIN')];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      request('PATCH', `${USERS}/${both[index % 2]!.id}`, index % 4 < 2 ? { role: 'USER' } : { isActive: false }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
  const left = (await everyone()).filter(({ role, isActive }) => isActive && role !== 'USER');
  assert.equal(left.length, 1);
});

test('PATCH /users/:id: a key assigns only roles that its maker may assign now', async () => {
  const { app, add, request, chief, as } = await newOffice();
  const [admin, user] = [await add('ADMIN'), await add()];
  const key = await keyMadeBy(app, admin);
  const give = (role: string) => request('PATCH', `${USERS}/${user.id}`, { role }, key);
  assertError(await give('SUPER_ADMIN'), 403, /^role: you cannot make anyone SUPER_ADMIN/);
  assert.equal((await give('ADMIN')).status, 200);
  assertError(await request('PATCH', `${USERS}/${chief.id}`, { email: 'mine@example.com' }, key), 403, /^email: /);
  assert.equal((await as(chief, 'PATCH', `${USERS}/${admin.id}`, { role: 'USER' })).status, 200);
  assertError(await give('USER'), 403, /may not change users any more/);
  const back = { role: 'ADMIN', isActive: true };
  assertError(await request('PATCH', `${USERS}/${admin.id}`, back, key), 403, /may not change users any more/);
});

test('PATCH /users/:id: portal users need the scope of their role', async () => {
  const { add, as, chief } = await newOffice();
  const target = await add();
  const change = { name: 'New name' };
  for (const role of ROLES) {
    const answer = await as(await add(role), 'PATCH', `${USERS}/${target.id}`, change);
    if (role === 'ADMIN' || role === 'SUPER_ADMIN') assert.equal(answer.status, 200, role);
    else assertError(answer, 403, /users:write/);
  }
  assert.equal((await as(chief, 'PATCH', `${USERS}/${target.id}`, { role: 'SUPER_ADMIN' })).status, 200);
});

test('users: other methods are 405, and /v1 is not repeated in the path', async () => {
  const { add, request } = await newOffice();
  const { id } = await add();
  for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
    const answer = await request(method, `${USERS}/${id}`, method === 'GET' || method === 'DELETE' ? undefined : {});
    assertError(answer, 405);
    assert.equal(answer.headers.get('allow'), 'PATCH');
  }
  assertError(await request('PATCH', `${USERS.replace('/runtime/', '/runtime/v1/')}/${id}`, { name: 'New' }), 404);
  assertError(await request('PATCH', USERS, { name: 'New' }), 404);
});

test('users: no response has a password or hash', async () => {
  const { add, request } = await newOffice();
  const { id } = await add('USER', { password: 'a secret of twelve' });
  const hash = (await (await sharedApp()).runtime.userStore.find(id))?.passwordHash ?? 'none';
  const { body } = await request('PATCH', `${USERS}/${id}`, { name: 'New name' });
  assert.ok(hash.startsWith('$scrypt$'));
  assert.doesNotMatch(JSON.stringify(body), /scrypt|password|secret/);
});
