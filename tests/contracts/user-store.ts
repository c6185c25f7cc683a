import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AgentStore, KeyStore } from '../../src/core/access/auth/store.ts';
import type { StoredUser, UserChanges, UserStore } from '../../src/core/access/users/store.ts';
import type { CredentialStore } from '../../src/core/agents/connectors/store.ts';
import { administers, ROLES, type Role } from '../../src/core/base/shared/caller.ts';
import { openStores, type StateBackend } from './backend.ts';
import { storedCredential } from './credential-store.ts';

type Backend = StateBackend<{ store: UserStore; agents: AgentStore; keys: KeyStore; credentials: CredentialStore }>;

let counter = 0;

export function newUser(members: Partial<StoredUser> = {}): StoredUser {
  counter += 1;
  return {
    id: `user-${String(counter).padStart(6, '0')}`,
    tenantId: 'one',
    email: `user${counter}@example.com`,
    name: `User ${counter}`,
    phone: null,
    avatarUrl: null,
    role: 'USER',
    isActive: true,
    passwordHash: null,
    sessionVersion: null,
    lastLoginAt: null,
    language: null,
    metadata: {},
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

const NOTHING = { agents: 0, credentials: 0, executions: 0 };
const ALL = { search: '', limit: null, offset: 0 };

export function testUserStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, at?: string) => {
    const parts = await openStores(backend, t, at);
    const { store } = parts;
    const add = async (members: Partial<StoredUser> = {}): Promise<StoredUser> => {
      const user = newUser(members);
      assert.equal(await store.create(user), 'created');
      return user;
    };
    const change = (seen: StoredUser, changes: UserChanges, updatedAt = 9) =>
      store.change(seen, changes, { updatedAt, requiresOtherAdministrator: false });
    const stepDown = (seen: StoredUser, changes: UserChanges) =>
      store.change(seen, changes, { updatedAt: 9, requiresOtherAdministrator: true });
    const ids = async (tenantId: string | null, page: object = {}) =>
      (await store.list(tenantId, { ...ALL, ...page })).items.map(({ id }) => id);
    return { ...parts, add, change, stepDown, ids };
  };

  test(`UserStore (${name}): lists by role and state, together with a search`, async (t) => {
    const { store } = await opened(t);
    const add = (id: string, role: Role, isActive: boolean) =>
      store.put(newUser({ id, name: `The ${id}`, role, isActive }));
    await add('viewer', 'VIEWER', true);
    await add('former viewer', 'VIEWER', false);
    await add('admin', 'ADMIN', true);
    const ids = async (asked: object) => {
      const { items, total } = await store.list('one', { ...ALL, ...asked });
      assert.equal(total, items.length);
      return items.map(({ id }) => id);
    };
    assert.deepEqual(await ids({ role: 'VIEWER' }), ['former viewer', 'viewer']);
    assert.deepEqual(await ids({ isActive: false }), ['former viewer']);
    assert.deepEqual(await ids({ role: 'VIEWER', isActive: true, search: 'the' }), ['viewer']);
    assert.deepEqual(await ids({ role: 'ADMIN', isActive: false }), []);
  });

  test(`UserStore (${name}): a user keeps every member, by id, e-mail and in the list`, async (t) => {
    const { store, add } = await opened(t);
    const full = await add({
      email: "Ana.O'Hara+x@Example.com",
      name: 'Ana 😀 "q" \\ \u2028',
      phone: '+55 (11) 98765-4321',
      avatarUrl: 'https://example.com/ana.png?q=1',
      role: 'HUB_USER',
      isActive: false,
      passwordHash: 'scrypt$a$b',
      sessionVersion: 7,
      lastLoginAt: 8,
      metadata: { idp_user_id: 'x"y', idp_created: true, invite_sent: false },
    });
    assert.deepEqual(await store.find(full.id), full);
    assert.deepEqual(await store.findByEmail(full.email, null), [full]);
    assert.deepEqual(await store.list('one', ALL), { items: [{ ...full, counts: NOTHING }], total: 1 });
    const bare = await add();
    assert.deepEqual(await store.find(bare.id), bare);
    assert.equal(await store.find('nobody'), null);
  });

  test(`UserStore (${name}): an e-mail is unique per tenant, whatever its case`, async (t) => {
    const { store, add } = await opened(t);
    const ana = await add({ email: 'Ana@Example.com' });
    for (const email of ['Ana@Example.com', 'ana@example.com', 'ANA@EXAMPLE.COM']) {
      assert.equal(await store.create(newUser({ email })), 'duplicate email');
    }
    const other = await add({ email: 'aNA@example.com', tenantId: 'two' });
    assert.deepEqual(await store.findByEmail('ana@EXAMPLE.com', null), [ana, other]);
    assert.deepEqual(await store.findByEmail('ana@EXAMPLE.com', 'two'), [other]);
    assert.deepEqual(await store.findByEmail('nobody@example.com', null), []);
    assert.deepEqual(await store.find(ana.id), ana);
  });

  test(`UserStore (${name}): an unknown tenant is refused`, async (t) => {
    const { store, ids } = await opened(t);
    assert.equal(await store.create(newUser({ tenantId: 'nothing' })), 'unknown tenant');
    assert.deepEqual(await ids(null), []);
  });

  test(`UserStore (${name}): of fifty concurrent users with one e-mail one is created`, async (t) => {
    const { store, at, ids } = await opened(t);
    const { store: second } = await opened(t, at);
    const create = (index: number) =>
      (index % 2 ? store : second).create(newUser({ email: index % 3 ? 'ana@example.com' : 'ANA@example.com' }));
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => create(index)));
    assert.equal(results.filter((result) => result === 'created').length, 1);
    assert.equal(results.filter((result) => result === 'duplicate email').length, 49);
    assert.equal((await ids('one')).length, 1);
  });

  test(`UserStore (${name}): put creates a user, or sets the password only`, async (t) => {
    const { store } = await opened(t);
    const first = newUser({ email: 'Admin@localhost', role: 'SUPER_ADMIN', passwordHash: 'a', sessionVersion: 1 });
    await store.put(first);
    await store.put(newUser({ email: 'admin@localhost', passwordHash: 'b', sessionVersion: 5, updatedAt: 6 }));
    const expected = { ...first, passwordHash: 'b', sessionVersion: 5, updatedAt: 6 };
    assert.deepEqual((await store.list(null, ALL)).items, [{ ...expected, counts: NOTHING }]);
  });

  test(`UserStore (${name}): a change sets what it names; undefined keeps, null clears`, async (t) => {
    const { store, add, change } = await opened(t);
    const user = await add({ phone: '1234567', avatarUrl: 'https://a.example', metadata: { idp_created: true } });
    const changes = {
      email: 'New@example.com',
      name: 'New',
      phone: '7654321',
      avatarUrl: 'https://b.example',
      role: 'VIEWER',
      isActive: false,
      passwordHash: 'hash',
      sessionVersion: 3,
    } as const;
    const changed = { ...user, ...changes, updatedAt: 77 };
    assert.deepEqual(await change(user, changes, 77), changed);
    assert.deepEqual(await store.find(user.id), changed);
    const emptied = { ...changed, phone: null, avatarUrl: null, updatedAt: 78 };
    assert.deepEqual(await change(changed, { phone: null, avatarUrl: null, name: undefined }, 78), emptied);
    assert.deepEqual(await store.findByEmail('new@example.com', null), [emptied]);
    assert.deepEqual(await store.findByEmail(user.email, null), []);
    const stored = await add({ email: user.email });
    assert.deepEqual(await store.find(stored.id), stored, 'the old e-mail is free');
  });

  test(`UserStore (${name}): changing to another's e-mail is refused, to another case not`, async (t) => {
    const { store, add, change } = await opened(t);
    const [ana, bob] = [await add({ email: 'ana@example.com' }), await add({ email: 'bob@example.com' })];
    await add({ email: 'eve@example.com', tenantId: 'two' });
    assert.equal(await change(bob, { email: 'ANA@example.com', name: 'New' }), 'duplicate email');
    assert.deepEqual(await store.find(bob.id), bob);
    const renamed = { ...ana, email: 'Ana@Example.com', updatedAt: 9 };
    assert.deepEqual(await change(ana, { email: 'Ana@Example.com' }), renamed);
    assert.deepEqual(await change(bob, { email: 'eve@example.com' }), {
      ...bob,
      email: 'eve@example.com',
      updatedAt: 9,
    });
  });

  test(`UserStore (${name}): of fifty concurrent changes to one e-mail one succeeds`, async (t) => {
    const { store, at, add } = await opened(t);
    const { store: second } = await opened(t, at);
    const users = await Promise.all(Array.from({ length: 50 }, () => add()));
    const results = await Promise.all(
      users.map((user, index) =>
        (index % 2 ? store : second).change(
          user,
          { email: index % 3 ? 'same@example.com' : 'SAME@example.com' },
          { updatedAt: 9, requiresOtherAdministrator: false },
        ),
      ),
    );
    assert.equal(results.filter((result) => result === 'duplicate email').length, 49);
    assert.equal((await store.findByEmail('same@example.com', null)).length, 1);
  });

  test(`UserStore (${name}): a change is stale once role, activity or login changed`, async (t) => {
    const { store, add, change } = await opened(t);
    for (const other of [
      { role: 'ADMIN' },
      { isActive: false },
      { passwordHash: 'new' },
      { sessionVersion: 2 },
    ] as const) {
      const seen = await add({ passwordHash: 'old' });
      const changed = await change(seen, other);
      assert.equal(await change(seen, { name: 'New' }), 'stale', JSON.stringify(other));
      assert.equal(await store.change(seen, {}, { updatedAt: 9, requiresOtherAdministrator: true }), 'stale');
      assert.deepEqual(await store.find(seen.id), changed);
    }
    const seen = await add();
    const renamed = await change(seen, { name: 'New', email: 'x@example.com' });
    assert.deepEqual(await change(seen, { phone: '1234567' }), { ...(renamed as StoredUser), phone: '1234567' });
    assert.equal(await change(newUser(), { name: 'New' }), null);
  });

  test(`UserStore (${name}): an administrator may step down beside another active one`, async (t) => {
    const { store, add, stepDown } = await opened(t);
    const last = await add({ role: 'SUPER_ADMIN' });
    await add({ role: 'SUPER_ADMIN', tenantId: 'two' });
    await add({ role: 'ADMIN', isActive: false });
    for (const role of ROLES.filter((one) => !administers(one))) await add({ role });
    for (const changes of [{ role: 'USER' }, { role: 'ADMIN' }, { isActive: false }] as const) {
      assert.equal(await stepDown(last, changes), 'last administrator');
    }
    assert.deepEqual(await store.find(last.id), last);
    const another = await add({ role: 'ADMIN' });
    assert.deepEqual(await stepDown(last, { role: 'USER' }), { ...last, role: 'USER', updatedAt: 9 });
    assert.equal(await stepDown(another, { isActive: false }), 'last administrator');
  });

  test(`UserStore (${name}): of administrators stepping down at once one remains`, async (t) => {
    const { store, at, add } = await opened(t);
    const { store: second } = await opened(t, at);
    for (let round = 0; round < 5; round++) {
      await add({ role: 'ADMIN' });
      await add({ role: 'SUPER_ADMIN' });
      const administrators = (await store.list('one', ALL)).items.filter(isActiveAdministrator);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? store : second).change(
            administrators[index % administrators.length]!,
            index % 3 ? { role: 'VIEWER' as Role } : { isActive: false },
            { updatedAt: 9, requiresOtherAdministrator: true },
          ),
        ),
      );
      assert.ok(results.includes('last administrator'));
      const left = (await store.list('one', ALL)).items.filter(isActiveAdministrator);
      assert.equal(left.length, 1, JSON.stringify(results));
    }
  });

  test(`UserStore (${name}): the list is newest first, in pages, by tenant or all`, async (t) => {
    const { store, add, ids } = await opened(t);
    const users = [];
    for (const createdAt of [300, 100, 200, 200]) users.push(await add({ createdAt }));
    const theirs = await add({ tenantId: 'two', createdAt: 150 });
    const [newest, oldest, second, third] = users.map(({ id }) => id);
    const expected = [newest, third, second, oldest];
    assert.deepEqual(await ids('one'), expected);
    assert.deepEqual(await ids('two'), [theirs.id]);
    assert.deepEqual(await ids(null), [newest, third, second, theirs.id, oldest]);
    assert.deepEqual(await ids('one', { limit: 3 }), expected.slice(0, 3));
    assert.deepEqual(await ids('one', { limit: 3, offset: 3 }), expected.slice(3));
    assert.deepEqual(await ids('one', { offset: 4 }), []);
    assert.equal((await store.list('one', { ...ALL, limit: 1, offset: 9 })).total, 4);
    assert.equal((await store.list('nothing', ALL)).total, 0);
  });

  test(`UserStore (${name}): search matches parts of name and e-mail, not patterns`, async (t) => {
    const { store, add } = await opened(t);
    for (const [userName, email] of [
      ['João da Silva', 'jds@example.com'],
      ['ÉMILE Zola', 'zola_100%@example.com'],
      ['Ana', 'silvana@example.com'],
      ['Straße \\', 'x@example.com'],
    ] as const) {
      await add({ name: userName, email });
    }
    await add({ name: 'João', tenantId: 'two' });
    const found = async (search: string) => {
      const { items, total } = await store.list('one', { search, limit: 2, offset: 0 });
      assert.ok(items.length <= total && items.length <= 2);
      return [total, ...items.map((user) => user.name)];
    };
    assert.deepEqual(await found('joao'), [1, 'João da Silva']);
    assert.deepEqual(await found('JOÃO'), [1, 'João da Silva']);
    assert.deepEqual(await found('Joa\u0303o'), [1, 'João da Silva'], 'however the accent is written');
    assert.deepEqual(await found('émile z'), [1, 'ÉMILE Zola']);
    assert.deepEqual(await found('SILVA'), [2, 'Ana', 'João da Silva']);
    assert.deepEqual(await found('example.com'), [4, 'Straße \\', 'Ana']);
    assert.deepEqual(await found('%'), [1, 'ÉMILE Zola']);
    assert.deepEqual(await found('_100'), [1, 'ÉMILE Zola']);
    assert.deepEqual(await found('\\'), [1, 'Straße \\']);
    assert.deepEqual(await found("' OR 1=1 --"), [0]);
  });

  test(`UserStore (${name}): counts include only what the user created`, async (t) => {
    const { store, agents, keys, credentials, add } = await opened(t);
    const [ana, bob] = [await add(), await add()];
    const theirs = await add({ tenantId: 'two' });
    const agent = (tenantId: string, agentName: string, createdBy: string | null) => ({
      ...{ tenantId, createdBy, name: agentName, createdAt: 0 },
    });
    await agents.register([
      agent('one', 'a', ana.id),
      agent('one', 'b', ana.id),
      agent('one', 'c', bob.id),
      agent('one', 'd', null),
      agent('two', 'a', theirs.id),
      agent('two', 'b', ana.id), // Cannot be; it would not count.
    ]);
    const makers = [ana, ana, ana, bob, null];
    for (const [index, maker] of makers.entries()) {
      await keys.create({
        id: `key-${index}`,
        tenantId: 'one',
        agentId: null,
        label: 'x',
        scopes: ['*'],
        secretHash: 'x',
        createdAt: 0,
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: index === 0 ? 1 : null,
        createdBy: maker?.id ?? null,
        formerHash: null,
        formerUntil: null,
        limits: null,
      });
    }
    for (const [tenantId, maker] of [
      ['one', bob.id],
      ['one', null],
      ['two', ana.id], // Cannot be; it would not count.
    ] as const) {
      await credentials.put(tenantId, storedCredential({ createdBy: maker }));
    }
    const expected = new Map([
      [ana.id, { agents: 2, credentials: 3, executions: 0 }],
      [bob.id, { agents: 1, credentials: 2, executions: 0 }],
      [theirs.id, { agents: 1, credentials: 0, executions: 0 }],
    ]);
    for (const [id, counts] of expected) assert.deepEqual(await store.counts(id), counts);
    const { items } = await store.list(null, ALL);
    assert.deepEqual(new Map(items.map(({ id, counts }) => [id, counts])), new Map([...expected].reverse()));
    assert.deepEqual(await store.counts('nobody'), NOTHING);
  });

  test(`UserStore (${name}): a login is recorded without counting as a change`, async (t) => {
    const { store, add } = await opened(t);
    const user = await add();
    await store.recordLogin(user.id, 1_000);
    assert.deepEqual(await store.find(user.id), { ...user, lastLoginAt: 1_000 });
  });

  test(`UserStore (${name}): contents survive closing`, async (t) => {
    const { store, add, close, at } = await opened(t);
    await add({ metadata: { invite_sent: true } });
    const stored = await store.list(null, ALL);
    await close();
    const again = await opened(t, at);
    assert.deepEqual(await again.store.list(null, ALL), stored);
  });
}

function isActiveAdministrator({ role, isActive }: StoredUser): boolean {
  return isActive && administers(role);
}
