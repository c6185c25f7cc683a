import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '../../../../src/core/base/shared/caller.ts';
import { UTC, UUID_V7 } from '../dashboards/support.ts';
import { assertError, assertNames, MEMBERS, newOffice, sharedApp, USERS } from './support.ts';

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
  const ofCase = await request('PATCH', `${USERS}/${user.id.toUpperCase()}`, { name: 'Ana Silva 😀' });
  assert.equal(ofCase.body.id, user.id, 'an id has any case');
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

test('users: no response has a password or hash', async () => {
  const { add, request } = await newOffice();
  const { id } = await add('USER', { password: 'a secret of twelve' });
  const hash = (await (await sharedApp()).runtime.userStore.find(id))?.passwordHash ?? 'none';
  const { body } = await request('PATCH', `${USERS}/${id}`, { name: 'New name' });
  assert.ok(hash.startsWith('$scrypt$'));
  assert.doesNotMatch(JSON.stringify(body), /scrypt|password|secret/);
});
