import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ProviderStore, StoredModelProvider } from '../../src/core/agents/providers/store.ts';

export interface Opened {
  store: ProviderStore;
  close(): Promise<void>;
}

export interface Backend {
  name: string;
  directory(t: TestContext): string;
  /** Opens a backend with the tenants `one` and `two`; the same directory keeps its contents. */
  open(directory: string): Promise<Opened>;
}

let counter = 0;

function provider(members: Partial<StoredModelProvider> = {}): StoredModelProvider {
  counter += 1;
  const name = members.name ?? `provider-${String(counter).padStart(6, '0')}`;
  return {
    name,
    definition: {
      version: 1,
      name,
      provider: 'custom',
      baseUrl: `http://localhost:${counter}/v1`,
      defaults: {},
      capabilities: {},
      fallbacks: [],
      allowPrivateNetwork: true,
      allowPrivateImages: false,
      strict: false,
    },
    createdAt: counter,
    updatedAt: counter,
    ...members,
  };
}

/** The contract of the port `ProviderStore`. Every backend runs it. */
export function testProviderStore({ name, directory, open }: Backend): void {
  const opened = async (t: TestContext, at = directory(t)) => {
    const { store, close } = await open(at);
    t.after(close);
    return { store, close, at };
  };

  test(`ProviderStore (${name}): a provider is returned as put, by name and in the list`, async (t) => {
    const { store } = await opened(t);
    const plain = provider();
    const full = provider({
      definition: {
        ...plain.definition,
        provider: 'bedrock',
        apiKey: { sealed: 'v1.AAAAAAAA."q"\\\'; --' },
        headers: { 'x-a': { sealed: 'v1.b' }, 'X-B': { env: 'B' } },
        region: 'eu-central-1',
        defaults: { temperature: 0.25, stop: ['\u2028', '😀'], instructions: "Robert'); DROP TABLE providers;--" },
        capabilities: { stop: 0, maxOutputTokens: null, serverTools: [] },
        fallbacks: [{ provider: 'openai', model: 'm' }],
        timeout: 0.01,
      },
    });
    assert.equal(await store.put('one', [plain, full]), 'put');
    for (const one of [plain, full]) assert.deepEqual(await store.find('one', one.name), one);
    assert.deepEqual(await store.list('one'), [plain, full]);
    assert.equal(await store.find('one', plain.name.toUpperCase()), null, 'case matters');
    assert.equal(await store.find('one', 'nothing'), null);
  });

  test(`ProviderStore (${name}): the list is ordered by name`, async (t) => {
    const { store } = await opened(t);
    for (const one of ['b', 'a.1', 'a', 'c', 'B']) await store.put('one', [provider({ name: one })]);
    assert.deepEqual(
      (await store.list('one')).map((one) => one.name),
      ['B', 'a', 'a.1', 'b', 'c'],
    );
  });

  test(`ProviderStore (${name}): putting the same name replaces, but keeps the creation`, async (t) => {
    const { store } = await opened(t);
    const old = provider({ name: 'same', createdAt: 10, updatedAt: 10 });
    const other = provider({ name: 'other' });
    const changed = provider({ name: 'same', createdAt: 20, updatedAt: 20 });
    await store.put('one', [old, other]);
    await store.put('one', [changed]);
    assert.deepEqual(await store.find('one', 'same'), { ...changed, createdAt: 10 });
    assert.deepEqual(await store.find('one', 'other'), other, 'the others stay');
    assert.equal((await store.list('one')).length, 2);
  });

  test(`ProviderStore (${name}): put is atomic for several`, async (t) => {
    const { store } = await opened(t);
    const unstorable = provider();
    (unstorable.definition as unknown as Record<string, unknown>).itself = unstorable;
    await assert.rejects(store.put('one', [provider(), unstorable]));
    assert.deepEqual(await store.list('one'), []);
    assert.equal(await store.put('one', []), 'put', 'none is some too');
    assert.equal(await store.put('nobody', [provider()]), 'unknown tenant');
    assert.deepEqual(await store.list('nobody'), []);
  });

  test(`ProviderStore (${name}): remove succeeds once`, async (t) => {
    const { store } = await opened(t);
    const [gone, kept] = [provider(), provider()];
    await store.put('one', [gone, kept]);
    assert.deepEqual([await store.remove('one', gone.name), await store.remove('one', gone.name)], [true, false]);
    assert.equal(await store.find('one', gone.name), null);
    assert.deepEqual(await store.list('one'), [kept]);
  });

  test(`ProviderStore (${name}): other tenants' providers are invisible and unchanged`, async (t) => {
    const { store } = await opened(t);
    const [mine, theirs] = [provider({ name: 'same' }), provider({ name: 'same' })];
    await store.put('two', [theirs]);
    assert.equal(await store.find('one', 'same'), null);
    assert.deepEqual(await store.list('one'), []);
    assert.equal(await store.remove('one', 'same'), false);
    await store.put('one', [mine]);
    assert.deepEqual([await store.find('one', 'same'), await store.find('two', 'same')], [mine, theirs]);
  });

  test(`ProviderStore (${name}): puts are visible to other instances and after closing`, async (t) => {
    const { store, close, at } = await opened(t);
    const beside = await opened(t, at);
    const one = provider();
    await store.put('one', [one]);
    assert.deepEqual(await beside.store.find('one', one.name), one);
    await beside.store.remove('one', one.name);
    assert.deepEqual(await store.list('one'), []);
    await store.put('one', [one]);
    await close();
    await beside.close();
    assert.deepEqual(await (await opened(t, at)).store.list('one'), [one]);
  });
}
