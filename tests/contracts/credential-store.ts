import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CredentialStore, StoredCredential } from '../../src/core/agents/connectors/store.ts';

export interface Opened {
  store: CredentialStore;
  close(): Promise<void>;
}

export interface Backend {
  name: string;
  directory(t: TestContext): string;
  /** Opens a backend with the tenants `one` and `two`; the same directory keeps its contents. */
  open(directory: string): Promise<Opened>;
}

let counter = 0;

export function storedCredential(members: Partial<StoredCredential> = {}): StoredCredential {
  counter += 1;
  return {
    name: `credential-${String(counter).padStart(6, '0')}`,
    username: null,
    sealed: `v1.AAAAAAAA.${counter}`,
    hosts: [],
    createdBy: null,
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

/** The contract of the port `CredentialStore`. Every backend runs it. */
export function testCredentialStore({ name, directory, open }: Backend): void {
  const opened = async (t: TestContext, at = directory(t)) => {
    const { store, close } = await open(at);
    t.after(close);
    return { store, close, at };
  };

  test(`CredentialStore (${name}): a credential is returned as put, alone and in the list`, async (t) => {
    const { store } = await opened(t);
    const plain = storedCredential();
    const full = storedCredential({
      username: `José "q" \\ '; DROP TABLE credentials;-- 😀`,
      hosts: ['api.example.com', '[::1]'],
      createdBy: 'ana',
    });
    for (const one of [plain, full]) assert.equal(await store.put('one', one), 'put');
    for (const one of [plain, full]) assert.deepEqual(await store.find('one', one.name), one);
    assert.deepEqual(await store.list('one'), [plain, full]);
    assert.equal(await store.find('one', plain.name.toUpperCase()), null, 'case matters');
    assert.equal(await store.find('one', 'nothing'), null);
    assert.equal(await store.put('nobody', plain), 'unknown tenant');
    assert.deepEqual(await store.list('nobody'), []);
  });

  test(`CredentialStore (${name}): the list is ordered by name`, async (t) => {
    const { store } = await opened(t);
    for (const one of ['b', 'a.1', 'a', 'c', 'B']) await store.put('one', storedCredential({ name: one }));
    assert.deepEqual(
      (await store.list('one')).map((one) => one.name),
      ['B', 'a', 'a.1', 'b', 'c'],
    );
  });

  test(`CredentialStore (${name}): putting the same name replaces, but keeps the creation`, async (t) => {
    const { store } = await opened(t);
    const made = { createdBy: 'ana', createdAt: 10 };
    const old = storedCredential({ name: 'same', username: 'old', hosts: ['a'], ...made });
    const other = storedCredential({ name: 'other' });
    const changed = storedCredential({ name: 'same', createdBy: 'bob', createdAt: 20, updatedAt: 20 });
    for (const one of [old, other, changed]) await store.put('one', one);
    assert.deepEqual(await store.find('one', 'same'), { ...changed, ...made });
    assert.deepEqual(await store.list('one'), [other, { ...changed, ...made }]);
  });

  test(`CredentialStore (${name}): remove succeeds once`, async (t) => {
    const { store } = await opened(t);
    const [gone, kept] = [storedCredential(), storedCredential()];
    for (const one of [gone, kept]) await store.put('one', one);
    assert.deepEqual([await store.remove('one', gone.name), await store.remove('one', gone.name)], [true, false]);
    assert.equal(await store.find('one', gone.name), null);
    assert.deepEqual(await store.list('one'), [kept]);
  });

  test(`CredentialStore (${name}): other tenants' credentials are invisible and unchanged`, async (t) => {
    const { store } = await opened(t);
    const [mine, theirs] = [storedCredential({ name: 'same' }), storedCredential({ name: 'same' })];
    await store.put('two', theirs);
    assert.equal(await store.find('one', 'same'), null);
    assert.deepEqual(await store.list('one'), []);
    assert.equal(await store.remove('one', 'same'), false);
    await store.put('one', mine);
    assert.deepEqual([await store.find('one', 'same'), await store.find('two', 'same')], [mine, theirs]);
  });

  test(`CredentialStore (${name}): puts are visible to other instances and after closing`, async (t) => {
    const { store, close, at } = await opened(t);
    const beside = await opened(t, at);
    const one = storedCredential();
    await store.put('one', one);
    assert.deepEqual(await beside.store.find('one', one.name), one);
    await beside.store.remove('one', one.name);
    assert.deepEqual(await store.list('one'), []);
    await store.put('one', one);
    await close();
    await beside.close();
    assert.deepEqual(await (await opened(t, at)).store.list('one'), [one]);
  });
}
