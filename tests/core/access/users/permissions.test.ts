import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUserSchema, type UpdateUser, type User } from '../../../../src/core/access/users/schema.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { administers, ROLES, type Role } from '../../../../src/core/base/shared/caller.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, callerOf, keyMadeBy } from '../../../support/users.ts';

/*
 * Who may make whom an administrator, and who may change one: every role and every kind of key against every role. What is
 * expected is written down here anew, in the words of the contract.
 */

const sharedApp = appOfThisFile({ rateLimit: 0 });

let offices = 0;

/** A new tenant with an administrator who stays, so that the last-administrator rule never applies. */
async function office() {
  const app = await sharedApp();
  const { tenants, keyAuthenticator, users } = app.runtime;
  const { id: tenantId, name: tenant } = await tenants.create({ name: `tenant ${++offices}` });
  const chief = await addUser(app, { tenant, role: 'SUPER_ADMIN', name: 'Chief' });
  const add = (role: Role) => addUser(app, { tenant, role });
  const now = async (user: User) => (await app.runtime.userStore.find(user.id))!;
  const asUser = async (user: User) => callerOf(await now(user));
  const byKey = async (key: string) => keyAuthenticator.authenticate(key);
  const keyOf = async (maker: User) => byKey(await keyMadeBy(app, maker));
  const operatorKey = async (scope: '*' | 'users:write') => byKey(await app.newKey({ tenant, scopes: [scope] }));
  const become = (user: User, changes: UpdateUser) => asUser(chief).then((by) => users.update(by, user.id, changes));
  return { app, users, tenantId, tenant, chief, add, now, asUser, keyOf, operatorKey, become };
}

type Office = Awaited<ReturnType<typeof office>>;

/** Callers by the highest role that they may assign; null: no administrator role. */
const ASKERS: Record<string, { ceiling: Role | null; of(desk: Office): Promise<Caller> }> = {
  'a SUPER_ADMIN': { ceiling: 'SUPER_ADMIN', of: async (desk) => desk.asUser(await desk.add('SUPER_ADMIN')) },
  'an ADMIN': { ceiling: 'ADMIN', of: async (desk) => desk.asUser(await desk.add('ADMIN')) },
  "the operator's key": { ceiling: 'SUPER_ADMIN', of: (desk) => desk.operatorKey('*') },
  "the operator's key with users:write only": { ceiling: null, of: (desk) => desk.operatorKey('users:write') },
  'the key of a SUPER_ADMIN': { ceiling: 'SUPER_ADMIN', of: async (desk) => desk.keyOf(await desk.add('SUPER_ADMIN')) },
  'the key of an ADMIN': { ceiling: 'ADMIN', of: async (desk) => desk.keyOf(await desk.add('ADMIN')) },
  'the key of an ADMIN promoted to SUPER_ADMIN': {
    ceiling: 'SUPER_ADMIN',
    of: (desk) => keyOfChanged(desk, 'ADMIN', { role: 'SUPER_ADMIN' }),
  },
  'the key of a SUPER_ADMIN demoted to ADMIN': {
    ceiling: 'ADMIN',
    of: (desk) => keyOfChanged(desk, 'SUPER_ADMIN', { role: 'ADMIN' }),
  },
};

/** Keys of users who may no longer change others. */
const LAPSED: Record<string, (desk: Office) => Promise<Caller>> = {
  'the key of an ADMIN demoted to USER': (desk) => keyOfChanged(desk, 'ADMIN', { role: 'USER' }),
  'the key of a deactivated SUPER_ADMIN': (desk) => keyOfChanged(desk, 'SUPER_ADMIN', { isActive: false }),
  'the key of a removed user': async (desk) => ({
    ...(await desk.operatorKey('*')),
    userId: '0190a5a0-0000-7000-8000-000000000000',
  }),
  "the key of another tenant's user": async (desk) => ({
    ...(await desk.operatorKey('*')),
    userId: (await office()).chief.id,
  }),
};

async function keyOfChanged(desk: Office, role: Role, changes: UpdateUser): Promise<Caller> {
  const maker = await desk.add(role);
  const caller = await desk.keyOf(maker);
  await desk.become(maker, changes);
  return caller;
}

const mayGive = (ceiling: Role | null, role: Role) =>
  !administers(role) || ceiling === 'SUPER_ADMIN' || (ceiling === 'ADMIN' && role === 'ADMIN');

/** `done`, or the code of the refusal. */
async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error: RuntimeError) => error.code,
  );
}

for (const [asker, { ceiling, of }] of Object.entries(ASKERS)) {
  test(`UserPermissions: ${asker} assigns roles up to ${ceiling ?? 'USER'}`, async () => {
    const desk = await office();
    const caller = await of(desk);
    for (const role of ROLES) {
      const user = await desk.add('USER');
      const outcome = await outcomeOf(desk.users.update(caller, user.id, { role }));
      assert.equal(outcome, mayGive(ceiling, role) ? 'done' : 'forbidden', role);
      assert.equal((await desk.now(user)).role, outcome === 'done' ? role : 'USER');
    }
  });

  test(`UserPermissions: ${asker} changes administrators up to ${ceiling ?? 'none'}`, async () => {
    const desk = await office();
    const caller = await of(desk);
    for (const role of ROLES) {
      const allowed = mayGive(ceiling, role) ? 'done' : 'forbidden';
      for (const changes of guardedChanges(role)) {
        const user = await desk.add(role);
        const before = await desk.now(user);
        assert.equal(await outcomeOf(desk.users.update(caller, user.id, changes)), allowed, JSON.stringify(changes));
        if (allowed === 'forbidden') assert.deepEqual(await desk.now(user), before);
      }
      const user = await desk.add(role);
      const harmless = { name: 'New name', phone: '1234567', avatarUrl: 'https://example.com' };
      const changed = await desk.users.update(caller, user.id, harmless);
      assert.deepEqual({ ...changed, ...harmless }, changed);
      const mixed = { ...harmless, name: 'Newer name', isActive: true };
      assert.equal(await outcomeOf(desk.users.update(caller, user.id, mixed)), allowed, 'one guarded member is enough');
      assert.equal((await desk.now(user)).name, allowed === 'done' ? 'Newer name' : 'New name');
    }
  });
}

for (const [asker, of] of Object.entries(LAPSED)) {
  test(`UserPermissions: ${asker} changes no user`, async () => {
    const desk = await office();
    const caller = await of(desk);
    for (const role of ROLES) {
      const user = await desk.add(role);
      const before = await desk.now(user);
      for (const changes of [...guardedChanges(role), { name: 'New name' }]) {
        assert.equal(
          await outcomeOf(desk.users.update(caller, user.id, changes)),
          'forbidden',
          JSON.stringify(changes),
        );
      }
      assert.deepEqual(await desk.now(user), before);
    }
  });
}

let emails = 0;

function guardedChanges(role: Role): UpdateUser[] {
  emails += 1;
  const changes: UpdateUser[] = [{ email: `taken${emails}@example.com` }, { isActive: false }, { isActive: true }];
  return [...changes, { role: 'USER' }, { role: 'VIEWER', name: 'New name' }, { role, isActive: true }];
}

test('UserService.update: without users:write it is forbidden, even for oneself', async () => {
  const desk = await office();
  for (const role of ['USER', 'VIEWER', 'HUB_USER'] as const) {
    const user = await desk.add(role);
    const caller = await desk.asUser(user);
    for (const changes of [{ role: 'ADMIN' }, { role }, { name: 'New name' }, { isActive: true }] as const) {
      const attempt = desk.users.update(caller, user.id, changes);
      await assert.rejects(attempt, { code: 'forbidden', scope: 'users:write' });
    }
    assert.deepEqual((await desk.now(user)).role, role);
  }
});

test('UserService.update: no user raises their own role', async () => {
  const desk = await office();
  const admin = await desk.add('ADMIN');
  const raise = async (caller: Caller) => outcomeOf(desk.users.update(caller, admin.id, { role: 'SUPER_ADMIN' }));
  assert.equal(await raise(await desk.asUser(admin)), 'forbidden');
  assert.equal(await raise(await desk.keyOf(admin)), 'forbidden');
  assert.equal((await desk.now(admin)).role, 'ADMIN');
  const stepped = await desk.users.update(await desk.asUser(admin), admin.id, { role: 'USER' });
  assert.equal(stepped.role, 'USER', 'stepping down is free');
});

test('UserPermissions: an ADMIN cannot take over a SUPER_ADMIN', async () => {
  const desk = await office();
  const caller = await desk.asUser(await desk.add('ADMIN'));
  const before = await desk.now(desk.chief);
  const { users, chief } = desk;
  const attempts = [
    users.update(caller, chief.id, { email: 'mine@example.com' }),
    users.update(caller, chief.id, { isActive: false }),
    users.update(caller, chief.id, { role: 'ADMIN' }),
    users.setPassword(chief.id, { password: 'a password of mine' }, caller),
  ];
  for (const attempt of attempts) assert.equal(await outcomeOf(attempt), 'forbidden');
  assert.deepEqual(await desk.now(chief), before);
});

test('UserService.update: rights are checked again after a concurrent promotion', async () => {
  const desk = await office();
  const { userStore } = desk.app.runtime;
  const caller = await desk.asUser(await desk.add('ADMIN'));
  const attempts: ((id: string) => Promise<unknown>)[] = [
    (id) => desk.users.update(caller, id, { email: 'mine@example.com' }),
    (id) => desk.users.setPassword(id, { password: 'a password of mine' }, caller),
  ];
  for (const attempt of attempts) {
    const user = await desk.add('USER');
    const { change } = userStore;
    userStore.change = async (...args) => {
      userStore.change = change;
      await desk.become(user, { role: 'SUPER_ADMIN' });
      return userStore.change(...args);
    };
    assert.equal(await outcomeOf(attempt(user.id)), 'forbidden');
    const { email, passwordHash, role } = await desk.now(user);
    assert.deepEqual([email, passwordHash, role], [user.email, null, 'SUPER_ADMIN']);
  }
});

test('UserService.create: administrators of the portal only, with roles up to theirs', async () => {
  const desk = await office();
  const input = (role: Role) => {
    emails += 1;
    return parse(createUserSchema, { email: `made${emails}@example.com`, name: 'Made', role });
  };
  for (const asker of ROLES) {
    const caller = await desk.asUser(await desk.add(asker));
    for (const role of ROLES) {
      const expected = administers(asker) && mayGive(asker, role) ? 'done' : 'forbidden';
      assert.equal(
        await outcomeOf(desk.users.create(desk.tenantId, input(role), caller)),
        expected,
        `${asker} ${role}`,
      );
    }
  }
  const key = await desk.operatorKey('*');
  assert.equal(await outcomeOf(desk.users.create(desk.tenantId, input('VIEWER'), key)), 'forbidden');
  for (const role of ROLES) assert.equal((await desk.users.create(desk.tenantId, input(role), null)).role, role);
});

test('UserService: lists, users and passwords are for administrators of the portal', async () => {
  const desk = await office();
  const user = await desk.add('USER');
  const page = { limit: 50, offset: 0 };
  const askers = [
    ...(await Promise.all(ROLES.map(async (role) => [role, await desk.asUser(await desk.add(role))] as const))),
    ['key', await desk.operatorKey('*')] as const,
  ];
  for (const [asker, caller] of askers) {
    const expected = asker === 'ADMIN' || asker === 'SUPER_ADMIN' ? 'done' : 'forbidden';
    assert.equal(await outcomeOf(desk.users.list(caller, page)), expected, asker);
    assert.equal(await outcomeOf(desk.users.get(caller, user.id)), expected, asker);
    const password = { password: 'a long new password' };
    assert.equal(await outcomeOf(desk.users.setPassword(user.id, password, caller)), expected, asker);
  }
});

test('setPassword: only users who may assign the role set its password', async () => {
  const desk = await office();
  for (const asker of ['ADMIN', 'SUPER_ADMIN'] as const) {
    const caller = await desk.asUser(await desk.add(asker));
    for (const role of ROLES) {
      const { id } = await desk.add(role);
      const attempt = desk.users.setPassword(id, { password: 'a long new password' }, caller);
      assert.equal(await outcomeOf(attempt), mayGive(asker, role) ? 'done' : 'forbidden', `${asker} ${role}`);
    }
  }
});

test('UserService: a user of another tenant is forbidden and stays unchanged', async () => {
  const [mine, theirs] = [await office(), await office()];
  const user = await theirs.add('VIEWER');
  const before = await theirs.now(user);
  const callers = [await mine.asUser(mine.chief), await mine.operatorKey('*'), await mine.keyOf(mine.chief)];
  for (const caller of callers) {
    await assert.rejects(mine.users.update(caller, user.id, { name: 'Taken' }), /belongs to another tenant/);
  }
  const [chief] = callers;
  await assert.rejects(mine.users.get(chief!, user.id), /belongs to another tenant/);
  const password = { password: 'a long new password' };
  await assert.rejects(mine.users.setPassword(user.id, password, chief!), /belongs to another tenant/);
  assert.deepEqual(await theirs.now(user), before);
  const { items, total } = await mine.users.list(chief!, { limit: 100, offset: 0 });
  assert.deepEqual([total, items.map(({ tenantId }) => tenantId)], [1, [mine.tenantId]]);
});

test('UserPermissions: a refusal names who may do it', async () => {
  const desk = await office();
  const user = await desk.add('USER');
  const admin = await desk.asUser(await desk.add('ADMIN'));
  await assert.rejects(
    desk.users.update(admin, user.id, { role: 'SUPER_ADMIN' }),
    /^RuntimeError: role: you cannot make anyone SUPER_ADMIN\. That takes a SUPER_ADMIN, or a key with the scope \* that the operator or such a user has made\.$/,
  );
  const key = await desk.operatorKey('users:write');
  const other = await desk.add('ADMIN');
  await assert.rejects(
    desk.users.update(key, other.id, { email: 'x@example.com', isActive: false }),
    /^RuntimeError: email, isActive: you cannot change this of a user who is ADMIN\. That takes an ADMIN or SUPER_ADMIN, or a key/,
  );
});
