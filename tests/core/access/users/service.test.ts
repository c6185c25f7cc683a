import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUserSchema, type User } from '../../../../src/core/access/users/schema.ts';
import { actorOf } from '../../../../src/core/base/audit/log.ts';
import type { AuditEntry } from '../../../../src/core/base/audit/store.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, callerOf, keyMadeBy, otherService } from '../../../support/users.ts';

const sharedApp = appOfThisFile();

let tenants = 0;

async function newTenant() {
  const app = await sharedApp();
  const { id, name } = await app.runtime.tenants.create({ name: `tenant ${++tenants}` });
  const now = async (user: User) => (await app.runtime.userStore.find(user.id))!;
  return { app, id, name, now, users: app.runtime.users };
}

test('UserService: the last active administrator stays one', async () => {
  const { app, name, now, users } = await newTenant();
  const chief = await addUser(app, { tenant: name, role: 'SUPER_ADMIN', name: 'Chief' });
  const key = await app.runtime.keyAuthenticator.authenticate(await app.newKey({ tenant: name }));
  const before = await now(chief);
  for (const caller of [callerOf(chief), key]) {
    for (const changes of [
      { isActive: false },
      { role: 'USER' },
      { role: 'ADMIN' },
      { role: 'USER', name: 'New' },
    ] as const) {
      await assert.rejects(users.update(caller, chief.id, changes), {
        code: 'conflict',
        message:
          '"Chief" is the only active administrator of the tenant. Make another user ADMIN or SUPER_ADMIN first.',
      });
    }
  }
  assert.deepEqual(await now(chief), before);
  const kept = { isActive: true, role: 'SUPER_ADMIN', name: 'Still chief', email: 'new@example.com' } as const;
  assert.equal((await users.update(key, chief.id, kept)).name, 'Still chief', 'everything else of theirs may change');

  const admin = await addUser(app, { tenant: name, role: 'ADMIN' });
  assert.equal((await users.update(key, chief.id, { role: 'ADMIN' })).role, 'ADMIN');
  assert.equal((await users.update(key, admin.id, { isActive: false })).isActive, false);
  await assert.rejects(users.update(key, chief.id, { role: 'VIEWER' }), { code: 'conflict' });
  assert.equal(
    (await users.update(key, admin.id, { role: 'USER' })).role,
    'USER',
    'who is not active is not the last one',
  );
  assert.equal((await users.update(key, chief.id, { role: 'SUPER_ADMIN' })).role, 'SUPER_ADMIN', 'rising is free');
});

test('UserService: items of a user and of their keys are counted', async () => {
  const { app, name, users } = await newTenant();
  const chief = await addUser(app, { tenant: name, role: 'ADMIN' });
  const key = await keyMadeBy(app, chief);
  const made = await app.runtime.keyAuthenticator.authenticate(key);
  await app.runtime.agents.register(callerOf(chief), ['by hand']);
  await app.ingest([{ eventName: 'a', agentId: 'by the key' }], key);
  await app.runtime.keys.create(chief.tenantId, { label: 'x', scopes: ['mcp:read'] }, callerOf(chief));
  const counts = { agents: 2, credentials: 2, executions: 0 };
  assert.deepEqual((await users.get(callerOf(chief), chief.id))._count, counts);
  assert.deepEqual((await users.update(made, chief.id, { name: 'New name' }))._count, counts);
  assert.deepEqual((await users.listAll(chief.tenantId))[0]?._count, counts);
});

test('UserService.named: by id and e-mail, in one tenant or in any', async () => {
  const [one, two] = [await newTenant(), await newTenant()];
  const ana = await addUser(one.app, { tenant: one.name, email: 'Found@example.com' });
  const { users } = one;
  assert.deepEqual(await users.named('FOUND@example.com', null), ana);
  assert.deepEqual(await users.named(ana.id.toUpperCase(), one.id), ana);
  await assert.rejects(users.named(ana.id, two.id), { code: 'not_found' });
  await assert.rejects(users.named('found@example.com', two.id), { code: 'not_found' });
  await assert.rejects(users.named('', null), { code: 'not_found' });
  const other = await addUser(two.app, { tenant: two.name, email: 'found@example.com' });
  assert.deepEqual(await users.named('found@example.com', two.id), other);
  await assert.rejects(
    users.named('found@example.com', null),
    (error: RuntimeError) =>
      error.code === 'conflict' && error.message.includes(one.id) && error.message.includes(two.id),
  );
});

test('TenantStore.remove: the users of that tenant only are removed', async () => {
  const [gone, kept] = [await newTenant(), await newTenant()];
  const people = [
    await addUser(gone.app, { tenant: gone.name }),
    await addUser(gone.app, { tenant: gone.name, role: 'ADMIN' }),
  ];
  const stays = await addUser(kept.app, { tenant: kept.name, email: people[0]!.email });
  const { erased } = await gone.app.runtime.erasure.erase({ tenant: gone.name });
  assert.equal(erased.users, 2);
  for (const { id } of people) assert.equal(await gone.app.runtime.userStore.find(id), null);
  assert.deepEqual(await kept.users.listAll(null).then((all) => all.filter(({ email }) => email === stays.email)), [
    stays,
  ]);
  const late = parse(createUserSchema, { email: 'late@example.com', name: 'Late', role: 'USER' });
  await assert.rejects(gone.users.create(gone.id, late, null), { code: 'not_found' });
});

test('UserService: changes are audited without passwords, refusals are not', async () => {
  const { app, id: tenantId, name } = await newTenant();
  const chief = await addUser(app, { tenant: name, role: 'SUPER_ADMIN' });
  const entries: Omit<AuditEntry, 'id' | 'at' | 'address' | 'requestId'>[] = [];
  const users = otherService(app, {
    effects: { now: Date.now, newId: () => crypto.randomUUID() },
    audit: {
      record: async (by, ofTenant, action, on, details = {}) =>
        void entries.push({ tenantId: ofTenant, actor: actorOf(by), action, target: on, details }),
    },
  });
  const key = await app.runtime.keyAuthenticator.authenticate(
    await app.newKey({ tenant: name, scopes: ['users:write'] }),
  );
  const input = parse(createUserSchema, {
    email: 'new@example.com',
    name: 'New',
    role: 'USER',
    password: 'the first secret',
  });
  const { id: target } = await users.create(tenantId, input, null);
  await assert.rejects(users.create(tenantId, input, callerOf(chief)), { code: 'conflict' });
  await assert.rejects(users.update(key, target, { role: 'ADMIN' }), { code: 'forbidden' });
  await users.update(key, target, { role: 'VIEWER', name: 'Newer' });
  await users.setPassword(target, { password: 'the second secret' }, callerOf(chief));
  const self = callerOf((await app.runtime.userStore.find(target))!);
  await assert.rejects(users.changePassword(self, { currentPassword: 'x', password: 'the third secret' }));
  await users.changePassword(self, { currentPassword: 'the second secret', password: 'the third secret' });
  const byOperator = { kind: 'operator', id: null, label: 'operator' };
  const byKey = { kind: 'key', id: key.credential.id, label: key.label };
  const byChief = { kind: 'user', id: chief.id, label: chief.email };
  const bySelf = { kind: 'user', id: target, label: 'new@example.com' };
  const changed = { changed: ['role', 'name'], role: 'VIEWER' };
  assert.deepEqual(entries, [
    { tenantId, target, actor: byOperator, action: 'user.created', details: { role: 'USER' } },
    { tenantId, target, actor: byKey, action: 'user.updated', details: changed },
    { tenantId, target, actor: byChief, action: 'user.password_set', details: {} },
    { tenantId, target, actor: bySelf, action: 'user.password_changed', details: {} },
  ]);
  assert.doesNotMatch(JSON.stringify(entries), /secret/);
});
