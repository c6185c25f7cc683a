import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TenantStore } from '../../src/core/access/auth/store.ts';
import type { SecondFactorStore, StoredPasskey, StoredTotp } from '../../src/core/access/second-factor/store.ts';
import type { UserStore } from '../../src/core/access/users/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newUser } from './user-store.ts';

type Backend = StateBackend<{ store: SecondFactorStore; users: UserStore; tenants: TenantStore }>;

const FIRST = { recoveryCodes: ['h1', 'h2'], onlyFirst: false };
const NOTHING = { totp: null, passkeys: [], recoveryCodes: 0 };

function totp(members: Partial<StoredTotp> = {}): StoredTotp {
  return {
    ...{ tenantId: 'one', userId: 'ada', sealed: 'v1.x', lastStep: 10, createdAt: 5, lastUsedAt: null },
    ...members,
  };
}

function passkey(id: string, members: Partial<StoredPasskey> = {}): StoredPasskey {
  return {
    ...{ id, tenantId: 'one', userId: 'ada', credentialId: `credential of ${id}`, publicKey: 'key', counter: 0 },
    ...{ transports: ['usb'], host: 'localhost', name: id, createdAt: 5, lastUsedAt: null },
    ...members,
  };
}

export function testSecondFactorStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext) => {
    const first = await openStores(backend, t);
    for (const [id, tenantId] of [
      ['ada', 'one'],
      ['bob', 'one'],
      ['eve', 'two'],
    ] as const) {
      await first.users.create(newUser({ id, tenantId }));
    }
    return first;
  };

  test(`SecondFactorStore (${name}): the first factor brings the recovery codes`, async (t) => {
    const { store, at } = await opened(t);
    assert.deepEqual([await store.find('ada'), await store.has('ada')], [NOTHING, false]);
    assert.equal(await store.addPasskey(passkey('a'), FIRST), 'first');
    assert.equal(await store.addTotp(totp(), { ...FIRST, recoveryCodes: ['h3'] }), 'further');
    const second = await openStores(backend, t, at);
    assert.deepEqual(await second.store.find('ada'), { totp: totp(), passkeys: [passkey('a')], recoveryCodes: 2 });
    assert.deepEqual([await second.store.has('ada'), await second.store.has('bob')], [true, false]);
    const another = totp({ sealed: 'v1.y', createdAt: 6 });
    assert.equal(await store.addTotp(another, FIRST), 'further');
    assert.deepEqual((await store.find('ada')).totp, another, 'it replaces the former one');
  });

  test(`SecondFactorStore (${name}): of two first factors at once, one is added`, async (t) => {
    const { store, at } = await opened(t);
    const second = await openStores(backend, t, at);
    const first = { ...FIRST, onlyFirst: true };
    const added = await Promise.all([store.addTotp(totp(), first), store.addPasskey(passkey('a'), first)]);
    assert.deepEqual(added.toSorted(), ['first', 'not first']);
    assert.equal(await second.store.addPasskey(passkey('b'), first), 'not first');
    const { totp: app, passkeys } = await store.find('ada');
    assert.equal((app ? 1 : 0) + passkeys.length, 1);
  });

  test(`SecondFactorStore (${name}): a credential is unique, and its user exists`, async (t) => {
    const { store } = await opened(t);
    await store.addPasskey(passkey('a'), FIRST);
    const stolen = passkey('b', { userId: 'bob', credentialId: 'credential of a' });
    assert.equal(await store.addPasskey(stolen, FIRST), 'duplicate');
    assert.deepEqual(await store.find('bob'), NOTHING);
    assert.equal(await store.addTotp(totp({ userId: 'nobody' }), FIRST), 'unknown user');
    assert.deepEqual(await store.findPasskey('credential of a'), passkey('a'));
    assert.equal(await store.findPasskey('another'), null);
  });

  test(`SecondFactorStore (${name}): a time step is used once, in any process`, async (t) => {
    const { store, at } = await opened(t);
    const second = await openStores(backend, t, at);
    await store.addTotp(totp(), FIRST);
    const seen = totp();
    assert.deepEqual([await store.useTotp(seen, 10, 7), await store.useTotp(seen, 9, 7)], [false, false]);
    const used = await Promise.all([store, second.store, store].map((one) => one.useTotp(seen, 11, 8)));
    assert.deepEqual(used.toSorted(), [false, false, true]);
    assert.deepEqual((await store.find('ada')).totp, totp({ lastStep: 11, lastUsedAt: 8 }));
    await store.addTotp(totp({ createdAt: 9, lastStep: 1 }), FIRST);
    assert.equal(await store.useTotp(seen, 12, 10), false, 'a code of the former app');
  });

  test(`SecondFactorStore (${name}): a counter is used once, in any process`, async (t) => {
    const { store, at } = await opened(t);
    const second = await openStores(backend, t, at);
    await store.addPasskey(passkey('a', { counter: 3 }), FIRST);
    const seen = passkey('a', { counter: 3 });
    const used = await Promise.all([store, second.store].map((one) => one.usePasskey(seen, 4, 8)));
    assert.deepEqual(used.toSorted(), [false, true]);
    assert.deepEqual((await store.find('ada')).passkeys, [passkey('a', { counter: 4, lastUsedAt: 8 })]);
  });

  test(`SecondFactorStore (${name}): a recovery code is used once, by its user`, async (t) => {
    const { store, at } = await opened(t);
    const second = await openStores(backend, t, at);
    await store.addTotp(totp(), FIRST);
    assert.equal(await store.useRecoveryCode('bob', 'h1'), false);
    const used = await Promise.all([store, second.store].map((one) => one.useRecoveryCode('ada', 'h1')));
    assert.deepEqual(used.toSorted(), [false, true]);
    assert.equal((await store.find('ada')).recoveryCodes, 1);
    await store.replaceRecoveryCodes('one', 'ada', ['h3', 'h4', 'h5']);
    assert.equal(await store.useRecoveryCode('ada', 'h2'), false);
    assert.equal((await store.find('ada')).recoveryCodes, 3);
  });

  test(`SecondFactorStore (${name}): the last factor takes the codes, unless one is kept`, async (t) => {
    const { store } = await opened(t);
    const [any, keepsOne] = [{ keepsOne: false }, { keepsOne: true }];
    await store.addTotp(totp(), FIRST);
    await store.addPasskey(passkey('a'), FIRST);
    assert.equal(await store.removePasskey('bob', 'a', any), 'unknown');
    const both = await Promise.all([store.removePasskey('ada', 'a', keepsOne), store.removeTotp('ada', keepsOne)]);
    assert.deepEqual(both.toSorted(), ['last', 'removed']);
    assert.equal((await store.find('ada')).recoveryCodes, 2);
    assert.equal(await store.has('ada'), true);
    const removed = [await store.removePasskey('ada', 'a', any), await store.removeTotp('ada', any)];
    assert.deepEqual(removed.toSorted(), ['removed', 'unknown']);
    assert.deepEqual(await store.find('ada'), NOTHING);
  });

  test(`SecondFactorStore (${name}): all of a user, or of a tenant, are removed`, async (t) => {
    const { store, tenants } = await opened(t);
    for (const [userId, tenantId] of [
      ['ada', 'one'],
      ['bob', 'one'],
      ['eve', 'two'],
    ] as const) {
      await store.addTotp(totp({ userId, tenantId }), FIRST);
      await store.addPasskey(passkey(`of ${userId}`, { userId, tenantId }), FIRST);
    }
    assert.deepEqual([await store.removeAll('ada'), await store.removeAll('ada')], [2, 0]);
    assert.deepEqual(await store.find('ada'), NOTHING);
    assert.equal((await store.find('bob')).recoveryCodes, 2);
    await tenants.remove('one');
    assert.deepEqual(await store.find('bob'), NOTHING);
    assert.equal((await store.find('eve')).passkeys.length, 1);
  });

  test(`SecondFactorStore (${name}): a passkey is renamed by its user`, async (t) => {
    const { store } = await opened(t);
    await store.addPasskey(passkey('a'), FIRST);
    assert.equal(await store.renamePasskey('bob', 'a', 'mine'), null);
    assert.deepEqual(await store.renamePasskey('ada', 'a', 'Red key'), passkey('a', { name: 'Red key' }));
  });
}
