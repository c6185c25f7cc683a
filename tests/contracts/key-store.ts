import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiKey, KeyState } from '../../src/core/access/auth/schema.ts';
import { hashSecret } from '../../src/core/access/auth/secrets.ts';
import type { KeyStore, KeysPage } from '../../src/core/access/auth/store.ts';
import type { UserStore } from '../../src/core/access/users/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newUser } from './user-store.ts';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

/** A key of the tenant `one`, with the label as its id. */
export function storedKey(label: string, members: Partial<ApiKey> = {}): ApiKey {
  return {
    ...{ id: label, tenantId: 'one', agentId: null, label, scopes: ['events:read'], secretHash: hashSecret(label) },
    ...{ createdAt: NOW, expiresAt: null, lastUsedAt: null, revokedAt: null, createdBy: null },
    ...{ formerHash: null, formerUntil: null, limits: null },
    ...members,
  };
}

export function testKeyStore(backend: StateBackend<{ store: KeyStore; users: UserStore }>): void {
  const title = `KeyStore (${backend.name})`;
  const opened = async (t: TestContext) => {
    const { store, users } = await openStores(backend, t);
    const all: KeysPage = { createdBy: null, search: '', state: 'all', leavers: false, now: NOW, limit: 50, offset: 0 };
    const found = async (asked: Partial<KeysPage> = {}, tenantId = 'one') => {
      const { items, total } = await store.page(tenantId, { ...all, ...asked });
      return { ids: items.map(({ id }) => id), total, items };
    };
    const add = async (...keys: ApiKey[]) => {
      for (const key of keys) await store.create(key);
    };
    return { store, users, found, add };
  };

  test(`${title}: a page is newest first, within the tenant, with the total of all that match`, async (t) => {
    const { found, add } = await opened(t);
    await add(storedKey('b'), storedKey('a'), storedKey('new', { createdAt: NOW + 1 }));
    await add(storedKey('theirs', { tenantId: 'two' }));
    const page = await found({ limit: 2, offset: 1 });
    assert.deepEqual([page.ids, page.total], [['a', 'b'], 3]);
    assert.deepEqual((await found({}, 'two')).ids, ['theirs']);
  });

  test(`${title}: a page of one state`, async (t) => {
    const { found, add } = await opened(t);
    await add(
      storedKey('everlasting', { createdAt: 5 }),
      storedKey('later', { createdAt: 4, expiresAt: NOW + 30 * DAY_MS + 1 }),
      storedKey('soon', { createdAt: 3, expiresAt: NOW + 30 * DAY_MS }),
      storedKey('expired', { createdAt: 2, expiresAt: NOW }),
      storedKey('revoked', { createdAt: 1, revokedAt: 1, expiresAt: NOW - 1 }),
    );
    const expected: Record<KeyState, string[]> = {
      active: ['everlasting', 'later', 'soon'],
      expiring: ['soon'],
      expired: ['expired'],
      revoked: ['revoked'],
      all: ['everlasting', 'later', 'soon', 'expired', 'revoked'],
    };
    for (const [state, ids] of Object.entries(expected)) {
      const page = await found({ state: state as KeyState });
      assert.deepEqual([page.ids, page.total], [ids, ids.length], state);
    }
  });

  test(`${title}: a search finds parts of labels and ids, and no patterns`, async (t) => {
    const { found, add } = await opened(t);
    await add(
      storedKey('AbC', { label: 'Nightly 100% import', createdAt: NOW + 1 }),
      storedKey('xyz', { label: 'other_one' }),
    );
    for (const [search, ids] of [
      ['nightly', ['AbC']],
      ['abc', ['AbC']],
      ['100%', ['AbC']],
      ['O', ['AbC', 'xyz']],
      ['_', ['xyz']],
      ['%other', []],
      ['\\', []],
    ] as const) {
      assert.deepEqual((await found({ search })).ids, ids, search);
    }
  });

  test(`${title}: keys come with their makers, of their own tenant alone`, async (t) => {
    const { store, users, found, add } = await opened(t);
    const ana = newUser({ id: 'ana', email: 'ana@example.com', name: 'Ana' });
    await users.put(ana);
    await users.put(newUser({ id: 'bob', tenantId: 'two', email: 'bob@example.com' }));
    await add(storedKey('operator', { createdAt: 3 }), storedKey('of-ana', { createdAt: 2, createdBy: 'ana' }));
    await add(storedKey('of-nobody', { createdAt: 1, createdBy: 'bob' }));
    const makers = (await found()).items.map(({ maker }) => maker);
    const known = { id: 'ana', name: 'Ana', email: 'ana@example.com', isActive: true };
    assert.deepEqual(makers, [null, known, { id: 'bob', name: null, email: null, isActive: false }]);
    assert.deepEqual(
      (await store.list('one')).map(({ maker }) => maker),
      makers,
    );
    assert.deepEqual((await found({ createdBy: 'ana' })).ids, ['of-ana']);
  });

  test(`${title}: keys of leavers are active ones whose maker is inactive or gone`, async (t) => {
    const { users, found, add } = await opened(t);
    await users.put(newUser({ id: 'here', email: 'here@example.com' }));
    await users.put(newUser({ id: 'left', email: 'left@example.com', isActive: false }));
    await add(storedKey('operator'), storedKey('kept', { createdBy: 'here' }));
    await add(storedKey('a', { createdBy: 'left', expiresAt: NOW + 1 }), storedKey('b', { createdBy: 'gone' }));
    await add(storedKey('over', { createdBy: 'left', expiresAt: NOW }));
    await add(storedKey('void', { createdBy: 'left', revokedAt: 1 }));
    const page = await found({ leavers: true });
    assert.deepEqual([page.ids, page.total], [['a', 'b'], 2]);
    assert.deepEqual((await found({ leavers: true, state: 'revoked' })).ids, []);
  });

  test(`${title}: the replaced secret is kept for an overlap, and ends with a revocation`, async (t) => {
    const { store, add } = await opened(t);
    await add(storedKey('a', { createdBy: 'ana' }), storedKey('b', { createdBy: 'ana' }));
    const rotate = (secret: string, formerUntil: number | null) =>
      store.replaceSecret('a', { secretHash: hashSecret(secret), createdBy: 'ana', formerUntil });
    const secrets = async (id = 'a') => {
      const { secretHash, formerHash, formerUntil } = (await store.find(id))!;
      return [secretHash, formerHash, formerUntil];
    };
    assert.equal(await rotate('second', NOW + 1), true);
    assert.deepEqual(await secrets(), [hashSecret('second'), hashSecret('a'), NOW + 1]);
    await rotate('third', NOW + 2);
    assert.deepEqual(await secrets(), [hashSecret('third'), hashSecret('second'), NOW + 2]);
    await rotate('fourth', null);
    assert.deepEqual(await secrets(), [hashSecret('fourth'), null, null]);
    await rotate('fifth', NOW + 3);
    await store.revoke('a', NOW);
    assert.deepEqual(await secrets(), [hashSecret('fifth'), null, null]);
    await store.replaceSecret('b', { secretHash: hashSecret('new'), createdBy: 'ana', formerUntil: NOW + 1 });
    await store.revokeOf('one', 'ana', NOW);
    assert.deepEqual(await secrets('b'), [hashSecret('new'), null, null]);
    assert.equal(await store.replaceSecret('nothing', { secretHash: '', createdBy: null, formerUntil: null }), false);
  });
}
