import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStores, type StateBackend } from './backend.ts';

interface NamedStore<Stored> {
  find(tenantId: string, name: string): Promise<Stored | null>;
  list(tenantId: string): Promise<Stored[]>;
  remove(tenantId: string, name: string): Promise<boolean>;
}

interface Named<Store, Stored> {
  port: string;
  put(store: Store, tenantId: string, items: Stored[]): Promise<string>;
  create(name?: string): Stored;
  nameOf(stored: Stored): string;
  full: Stored;
  /** Names in their order. */
  ordered: string[];
}

/** What every store of named things holds. The contracts of their ports add what is their own. */
export function testNamedStore<Stored, Store extends NamedStore<Stored>>(
  backend: StateBackend<{ store: Store }>,
  { port, put, create, nameOf, full, ordered }: Named<Store, Stored>,
): void {
  const title = `${port} (${backend.name})`;
  const opened = (t: TestContext, at?: string) => openStores(backend, t, at);

  test(`${title}: one is returned as put, by name and in the list`, async (t) => {
    const { store } = await opened(t);
    const plain = create();
    assert.equal(await put(store, 'one', [full, plain]), 'put');
    for (const one of [plain, full]) assert.deepEqual(await store.find('one', nameOf(one)), one);
    assert.deepEqual(await store.list('one'), [full, plain]);
    assert.equal(await store.find('one', nameOf(plain).toUpperCase()), null, 'case matters');
    assert.equal(await store.find('one', 'nothing'), null);
    assert.equal(await put(store, 'nobody', [plain]), 'unknown tenant');
    assert.deepEqual(await store.list('nobody'), []);
  });

  test(`${title}: the list is ordered by name`, async (t) => {
    const { store } = await opened(t);
    for (const name of ordered.toReversed()) await put(store, 'one', [create(name)]);
    assert.deepEqual((await store.list('one')).map(nameOf), ordered);
  });

  test(`${title}: remove succeeds once`, async (t) => {
    const { store } = await opened(t);
    const [gone, kept] = [create(), create()];
    await put(store, 'one', [gone, kept]);
    const removed = [await store.remove('one', nameOf(gone)), await store.remove('one', nameOf(gone))];
    assert.deepEqual(removed, [true, false]);
    assert.equal(await store.find('one', nameOf(gone)), null);
    assert.deepEqual(await store.list('one'), [kept]);
  });

  test(`${title}: those of other tenants are invisible and unchanged`, async (t) => {
    const { store } = await opened(t);
    const [mine, theirs] = [create('same'), create('same')];
    await put(store, 'two', [theirs]);
    assert.equal(await store.find('one', 'same'), null);
    assert.deepEqual(await store.list('one'), []);
    assert.equal(await store.remove('one', 'same'), false);
    await put(store, 'one', [mine]);
    assert.deepEqual([await store.find('one', 'same'), await store.find('two', 'same')], [mine, theirs]);
  });

  test(`${title}: puts are visible to other instances and after closing`, async (t) => {
    const { store, close, at } = await opened(t);
    const beside = await opened(t, at);
    const one = create();
    await put(store, 'one', [one]);
    assert.deepEqual(await beside.store.find('one', nameOf(one)), one);
    await beside.store.remove('one', nameOf(one));
    assert.deepEqual(await store.list('one'), []);
    await put(store, 'one', [one]);
    await close();
    await beside.close();
    assert.deepEqual(await (await opened(t, at)).store.list('one'), [one]);
  });
}

export function testPutOfSeveral<Stored extends { definition: object }>(
  backend: StateBackend<{ store: NamedStore<Stored> & { put(tenantId: string, items: Stored[]): Promise<string> } }>,
  port: string,
  create: () => Stored,
): void {
  test(`${port} (${backend.name}): put is atomic for several`, async (t) => {
    const { store } = await openStores(backend, t);
    const unstorable = create();
    Object.assign(unstorable.definition, { itself: unstorable });
    await assert.rejects(store.put('one', [create(), unstorable]));
    assert.deepEqual(await store.list('one'), []);
    assert.equal(await store.put('one', []), 'put', 'none is some too');
  });
}
