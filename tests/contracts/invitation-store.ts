import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TenantStore } from '../../src/core/access/auth/store.ts';
import type { InvitationStore, StoredInvitation } from '../../src/core/access/invitations/store.ts';
import type { UserStore } from '../../src/core/access/users/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newUser } from './user-store.ts';

type Backend = StateBackend<{ store: InvitationStore; users: UserStore; tenants: TenantStore }>;

const NOW = 100;
const ALL = { limit: 100, offset: 0 };

function invitation(id: string, members: Partial<StoredInvitation> = {}): StoredInvitation {
  return {
    ...{ id, tenantId: 'one', email: `${id}@example.com`, role: 'USER', secretHash: `hash of ${id}` },
    ...{ invitedBy: 'ada', createdAt: 10, expiresAt: 1_000 },
    ...members,
  };
}

export function testInvitationStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext, invitations: StoredInvitation[] = []) => {
    const stores = await openStores(backend, t);
    const { store, users } = stores;
    await users.put(newUser({ id: 'ada', name: 'Ada', email: 'ada@example.com', role: 'ADMIN' }));
    await users.put(newUser({ id: 'eve', tenantId: 'two', email: 'eve@example.com', isActive: false }));
    for (const one of invitations) assert.equal(await store.put(one), 'stored');
    const ids = async (tenant = 'one', asked = ALL) => (await store.page(tenant, NOW, asked)).items.map(({ id }) => id);
    return { ...stores, ids };
  };
  const ada = { name: 'Ada', email: 'ada@example.com', role: 'ADMIN', isActive: true };

  test(`InvitationStore (${name}): found as stored, by other instances too`, async (t) => {
    const { store, at } = await opened(t, [invitation('a', { email: 'A@example.com' })]);
    const second = (await openStores(backend, t, at)).store;
    const stored = { ...invitation('a', { email: 'A@example.com' }), inviter: ada };
    assert.deepEqual(await second.find('hash of a', NOW), stored);
    assert.deepEqual(await second.findByEmail('one', 'a@EXAMPLE.com', NOW), stored);
    assert.deepEqual(await second.findById('one', 'a', NOW), stored);
    const others = [store.find('hash', NOW), store.findByEmail('two', 'a@example.com', NOW)];
    others.push(store.findById('two', 'a', NOW), store.find('hash of a', 1_000));
    assert.deepEqual(await Promise.all(others), [null, null, null, null]);
  });

  test(`InvitationStore (${name}): a page has the open ones of the tenant, newest first`, async (t) => {
    const { store, ids } = await opened(t, [
      invitation('new', { createdAt: 3 }),
      invitation('old', { createdAt: 2 }),
      invitation('expired', { createdAt: 4, expiresAt: NOW }),
      invitation('elsewhere', { tenantId: 'two', invitedBy: 'eve' }),
    ]);
    assert.deepEqual([await ids(), await ids('two')], [['new', 'old'], ['elsewhere']]);
    const { items, total } = await store.page('one', NOW, { limit: 1, offset: 1 });
    assert.deepEqual([items.map(({ id }) => id), total], [['old'], 2]);
    assert.equal((await store.page('two', NOW, ALL)).items[0]?.inviter.isActive, false);
  });

  test(`InvitationStore (${name}): another one of the e-mail takes its place`, async (t) => {
    const { store, ids } = await opened(t, [invitation('a'), invitation('b')]);
    const again = invitation('c', { email: 'A@EXAMPLE.COM', role: 'VIEWER', createdAt: 20 });
    assert.equal(await store.put(again), 'stored');
    assert.deepEqual(await ids(), ['c', 'b']);
    assert.equal(await store.find('hash of a', NOW), null);
    assert.equal(await store.put(invitation('x', { tenantId: 'nowhere' })), 'unknown tenant');
    await store.put(invitation('late', { createdAt: 2_000, expiresAt: 3_000 }));
    assert.equal(await store.find('hash of b', NOW), null, 'expired ones are removed then');
  });

  test(`InvitationStore (${name}): of several who accept, one makes the user`, async (t) => {
    const { store, users } = await opened(t, [invitation('a'), invitation('b', { email: 'ADA@example.com' })]);
    const members = { email: 'a@example.com', passwordHash: 'x', metadata: { invite_sent: true } };
    const made = Array.from({ length: 4 }, () => newUser(members));
    const results = await Promise.all(made.map((user) => store.accept(invitation('a'), user)));
    assert.deepEqual(results.toSorted(), ['accepted', 'gone', 'gone', 'gone']);
    assert.deepEqual(await users.findByEmail('a@example.com', 'one'), [made[results.indexOf('accepted')]]);
    const taken = newUser({ email: 'ADA@example.com' });
    assert.equal(await store.accept(invitation('b'), taken), 'duplicate email');
    assert.notEqual(await store.find('hash of b', NOW), null, 'it stays');
    const replaced = invitation('b', { secretHash: 'former' });
    assert.equal(await store.accept(replaced, newUser()), 'gone');
  });

  test(`InvitationStore (${name}): removed once, and with the tenant`, async (t) => {
    const { store, tenants } = await opened(t, [
      invitation('a'),
      invitation('b'),
      invitation('c', { tenantId: 'two', invitedBy: 'eve' }),
    ]);
    const removed = [await store.remove('two', 'a'), await store.remove('one', 'a'), await store.remove('one', 'a')];
    assert.deepEqual(removed, [false, true, false]);
    assert.equal((await tenants.remove('one'))?.invitations, 1);
    const left = [await store.find('hash of b', NOW), await store.find('hash of c', NOW)];
    assert.deepEqual(
      left.map((one) => one?.id),
      [undefined, 'c'],
    );
  });
}
