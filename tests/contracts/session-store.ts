import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SessionStore, SessionsOf, StoredSession } from '../../src/core/access/auth/store.ts';
import type { UserStore } from '../../src/core/access/users/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newUser } from './user-store.ts';

type Backend = StateBackend<{ store: SessionStore }>;

const ALL = { limit: 100, offset: 0 };
const ADA: SessionsOf = { userId: 'ada', sessionVersion: 7, now: 100 };

function session(id: string, members: Partial<StoredSession> = {}): StoredSession {
  return {
    id,
    tenantId: 'one',
    userId: 'ada',
    sessionVersion: 7,
    createdAt: 10,
    lastSeenAt: 10,
    expiresAt: 1_000,
    address: '198.51.100.7',
    userAgent: null,
    revokedAt: null,
    secondFactorAt: null,
    ...members,
  };
}

export function testSessionStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, sessions: StoredSession[] = []) => {
    const { store } = await openStores(backend, t);
    for (const one of sessions) await store.create(one, 200);
    const live = async (tenant = 'one', of = ADA) => (await store.page(tenant, of, ALL)).items.map(({ id }) => id);
    return { store, live };
  };

  test(`SessionStore (${name}): a session is found as stored, by other instances too`, async (t) => {
    const stored = session('a', { sessionVersion: null, userAgent: 'Browser', revokedAt: 20 });
    const first = await openStores(backend, t);
    const second = await openStores(backend, t, first.at);
    await first.store.create(stored, 200);
    assert.deepEqual(await second.store.find('a'), stored);
    assert.equal(await second.store.find('b'), null);
    await second.store.touch('a', 50);
    assert.equal((await first.store.find('a'))?.lastSeenAt, 50);
  });

  test(`SessionStore (${name}): a page has the live sessions of one user, newest first`, async (t) => {
    const { store, live } = await opened(t, [
      session('old', { createdAt: 1 }),
      session('new', { createdAt: 2 }),
      session('revoked', { revokedAt: 50 }),
      session('expired', { expiresAt: 100 }),
      session('void', { sessionVersion: 6 }),
      session('bob', { userId: 'bob' }),
      session('elsewhere', { tenantId: 'two' }),
      session('without', { userId: 'carla', sessionVersion: null }),
    ]);
    assert.deepEqual(await live(), ['new', 'old']);
    assert.deepEqual(await live('one', { ...ADA, userId: 'carla', sessionVersion: null }), ['without']);
    const second = await store.page('one', ADA, { limit: 1, offset: 1 });
    assert.deepEqual([second.items.map(({ id }) => id), second.total], [['old'], 2]);
  });

  test(`SessionStore (${name}): sessions end by id or all but one, of one user, once`, async (t) => {
    const mine = ['a', 'b', 'c', 'd'].map((id) => session(id));
    const { store, live } = await opened(t, [...mine, session('bob', { userId: 'bob' })]);
    assert.equal(await store.end('one', ADA, { id: 'bob' }), 0);
    assert.equal(await store.end('two', ADA, { id: 'a' }), 0);
    assert.deepEqual([await store.end('one', ADA, { id: 'a' }), await store.end('one', ADA, { id: 'a' })], [1, 0]);
    assert.equal((await store.find('a'))?.revokedAt, 100);
    assert.equal(await store.end('one', ADA, { except: 'c' }), 2);
    assert.deepEqual(await live(), ['c']);
    assert.equal(await store.end('one', ADA, { except: null }), 1);
    assert.deepEqual([await live(), await live('one', { ...ADA, userId: 'bob' })], [[], ['bob']]);
  });

  test(`SessionStore (${name}): the newest are kept per user, and expired ones pruned`, async (t) => {
    const { store, live } = await opened(t, [session('bob', { userId: 'bob' }), session('over', { expiresAt: 99 })]);
    for (const [index, id] of ['a', 'b', 'c'].entries()) await store.create(session(id, { createdAt: 20 + index }), 2);
    assert.deepEqual([await live(), await live('one', { ...ADA, userId: 'bob' })], [['c', 'b'], ['bob']]);
    await store.prune(1_000);
    assert.equal((await store.find('c'))?.id, 'c');
    await store.prune(1_001);
    assert.equal(await store.find('c'), null);
  });
}

export function testSessionsOfAll(backend: StateBackend<{ store: SessionStore; users: UserStore }>): void {
  const { name } = backend;
  const opened = async (t: TestContext) => {
    const { store, users } = await openStores(backend, t);
    const add = (id: string, role: 'USER' | 'ADMIN' | 'SUPER_ADMIN', tenantId = 'one') =>
      users.put(newUser({ id, tenantId, name: `Nâme of ${id}`, email: `${id}@example.com`, role, sessionVersion: 7 }));
    await add('ada', 'ADMIN');
    await add('bob', 'USER');
    await add('chief', 'SUPER_ADMIN');
    await add('eve', 'USER', 'two');
    for (const one of [
      session('ada-1', { createdAt: 1 }),
      session('bob-2', { userId: 'bob', createdAt: 2 }),
      session('chief-3', { userId: 'chief', createdAt: 3 }),
      session('bob-4', { userId: 'bob', createdAt: 4 }),
      session('eve', { userId: 'eve', tenantId: 'two' }),
      session('revoked', { userId: 'bob', revokedAt: 5 }),
      session('expired', { userId: 'bob', expiresAt: 100 }),
      session('void', { userId: 'bob', sessionVersion: 6 }),
    ]) {
      await store.create(one, 200);
    }
    const page = async (search = '', asked = {}) => {
      const paging = { ...ALL, countAtMost: 100, ...asked };
      return store.pageOfAll('one', { search, now: 100 }, paging);
    };
    return { store, page };
  };
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  test(`SessionStore (${name}): live sessions of everybody, newest first, with users`, async (t) => {
    const { page } = await opened(t);
    const all = await page();
    assert.deepEqual([idsOf(all), all.total], [['bob-4', 'chief-3', 'bob-2', 'ada-1'], 4]);
    const user = { id: 'ada', name: 'Nâme of ada', email: 'ada@example.com', role: 'ADMIN' };
    assert.deepEqual(all.items[3], { ...session('ada-1', { createdAt: 1 }), user });
    assert.deepEqual(idsOf(await page('NAME OF BOB')), ['bob-4', 'bob-2']);
    assert.deepEqual([(await page('%')).total, (await page('chief@')).total], [0, 1]);
    const second = await page('', { limit: 2, offset: 1, countAtMost: 3 });
    assert.deepEqual([idsOf(second), second.total], [['chief-3', 'bob-2'], 3]);
  });

  test(`SessionStore (${name}): everybody's sessions end by role, but for one user`, async (t) => {
    const { store, page } = await opened(t);
    const end = () => store.endOfAll('one', { roles: ['USER', 'ADMIN'], exceptUser: 'ada', now: 100 });
    assert.deepEqual([await end(), await end()], [2, 0]);
    assert.deepEqual(idsOf(await page()), ['chief-3', 'ada-1']);
    const ended = ['bob-4', 'eve', 'void', 'revoked'].map(async (id) => (await store.find(id))?.revokedAt);
    assert.deepEqual(await Promise.all(ended), [100, null, null, 5]);
  });
}
