import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connectorDefinitionSchema } from '../../src/core/agents/connectors/definition/schema.ts';
import type { ConnectorStore, StoredConnector } from '../../src/core/agents/connectors/store.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import { connector as definition } from '../support/connectors.ts';
import { openStores, type StateBackend } from './backend.ts';
import { testNamedStore, testPutOfSeveral } from './named-store.ts';

let counter = 0;

function connector({
  slug = `connector-${String(++counter).padStart(6, '0')}`,
  name = 'Same name',
  members = {},
  ...rest
}: Partial<StoredConnector> & { name?: string; members?: object } = {}): StoredConnector {
  counter += 1;
  const stored = parse(connectorDefinitionSchema, definition({ slug, name, ...members }));
  // Absent members stay absent.
  const kept = JSON.parse(JSON.stringify(stored)) as StoredConnector['definition'];
  return { slug, definition: kept, createdBy: null, createdAt: counter, updatedAt: counter, ...rest };
}

export function testConnectorStore(backend: StateBackend<{ store: ConnectorStore }>): void {
  const { name } = backend;
  const full = connector({
    createdBy: 'ana',
    members: {
      description: "Robert'); DROP TABLE connectors;-- \u2028 😀",
      credentials: ['main'],
      headers: { 'x-a': { credential: 'main' }, 'x-b': 'b' },
      allowPrivateNetworks: ['10.0.0.0/8'],
      schemas: { Pet: JSON.parse('{"properties": {"__proto__": {"const": null}}}') },
      resources: {
        add: {
          method: 'POST',
          path: '/pets/{id}',
          parameters: { body: { $ref: '#/schemas/Pet' } },
          mock: { body: [0.1, null, { a: 'b' }] },
        },
      },
    },
  });
  testNamedStore(backend, {
    port: 'ConnectorStore',
    put: (store, tenantId, items) => store.put(tenantId, items),
    create: (slug) => connector(slug === undefined ? {} : { slug }),
    nameOf: ({ slug }) => slug,
    full,
    ordered: ['0', 'a', 'a-1', 'b'],
  });
  testPutOfSeveral(backend, 'ConnectorStore', () => connector());
  const opened = (t: TestContext, at?: string) => openStores(backend, t, at);

  test(`ConnectorStore (${name}): a member named __proto__ is kept`, async (t) => {
    const { store } = await opened(t);
    await store.put('one', [full]);
    assert.match(JSON.stringify(await store.find('one', full.slug)), /"__proto__":\{"const":null\}/);
  });

  test(`ConnectorStore (${name}): a slug precedes a name, of which the first slug counts`, async (t) => {
    const { store } = await opened(t);
    const [b, a, c] = [connector({ slug: 'b' }), connector({ slug: 'a' }), connector({ slug: 'c', name: 'b' })];
    await store.put('one', [b, a, c]);
    assert.deepEqual(await store.find('one', 'Same name'), a);
    assert.equal(await store.find('two', 'Same name'), null, 'another tenant has none');
    assert.deepEqual(await store.find('one', 'b'), b, 'c, whose name is b, is found as c alone');
    await store.remove('one', 'b');
    assert.deepEqual(await store.find('one', 'b'), c, 'until there is no such slug');
    assert.equal(await store.find('one', 'same name'), null, 'case matters');
  });

  test(`ConnectorStore (${name}): the names are ordered by slug, within a tenant`, async (t) => {
    const { store } = await opened(t);
    for (const slug of ['b', 'a-1', 'a', '0']) await store.put('one', [connector({ slug, name: `N ${slug}` })]);
    const slugs = ['0', 'a', 'a-1', 'b'];
    assert.deepEqual(await store.names('two'), []);
    assert.deepEqual(
      await store.names('one'),
      slugs.map((slug) => ({ slug, name: `N ${slug}` })),
    );
  });

  test(`ConnectorStore (${name}): putting the same slug replaces, but keeps the creation`, async (t) => {
    const { store } = await opened(t);
    const old = connector({ slug: 'same', name: 'Old', createdBy: 'ana', createdAt: 10, updatedAt: 10 });
    const other = connector({ slug: 'other' });
    const changed = connector({ slug: 'same', name: 'New', createdBy: 'bob', createdAt: 20, updatedAt: 20 });
    await store.put('one', [old, other]);
    await store.put('one', [changed]);
    assert.deepEqual(await store.find('one', 'same'), { ...changed, createdAt: 10, createdBy: 'ana' });
    assert.equal(await store.find('one', 'Old'), null);
    assert.equal((await store.find('one', 'New'))?.slug, 'same');
    assert.deepEqual(await store.find('one', 'other'), other, 'the others stay');
    assert.equal((await store.list('one')).length, 2);
  });

  test(`ConnectorStore (${name}): replace stores only over the version that was seen`, async (t) => {
    const { store } = await opened(t);
    const first = connector({ slug: 'same', createdAt: 10, updatedAt: 10 });
    assert.equal(await store.replace('one', first, null), 'put');
    assert.equal(await store.replace('one', connector({ slug: 'same' }), null), 'stale', 'there is one already');
    const tool = { list: { method: 'GET', path: '/pets', exposeAsTool: true } };
    const second = connector({ slug: 'same', name: 'New', members: { resources: tool }, createdAt: 10, updatedAt: 20 });
    assert.equal(await store.replace('two', second, first), 'stale', 'that of another tenant');
    const both = await Promise.all([1, 2].map(() => store.replace('one', second, first)));
    assert.deepEqual(both.toSorted(), ['put', 'stale']);
    assert.deepEqual(await store.find('one', 'New'), second);
    assert.deepEqual(await store.withTools('one'), ['same']);
    assert.equal(await store.replace('one', connector({ slug: 'gone' }), second), 'stale', 'removed in the meantime');
    assert.equal(await store.replace('nobody', first, null), 'unknown tenant');
  });

  test(`ConnectorStore (${name}): a known connector is returned itself until it changes`, async (t) => {
    const { store, at } = await opened(t);
    const beside = await opened(t, at);
    const put = (description: string, slug = 'same') =>
      beside.store.put('one', [connector({ slug, members: { description }, createdAt: 10, updatedAt: 10 })]);
    await put('first');
    const first = (await store.find('one', 'same'))!;
    assert.equal(await store.find('one', 'same', first), first);
    assert.equal(await store.find('one', 'Same name', first), first, 'by its name, too');
    await put('other', 'other');
    assert.equal((await store.find('one', 'other', first))?.slug, 'other', 'another one is not it');
    await put('second');
    const second = (await store.find('one', 'same', first))!;
    assert.equal(second.definition.description, 'second');
    await put('third');
    assert.equal((await store.find('one', 'same', second))?.definition.description, 'third');
    await beside.store.remove('one', 'same');
    assert.equal(await store.find('one', 'same', second), null);
  });

  test(`ConnectorStore (${name}): withTools lists those that expose a tool now`, async (t) => {
    const { store } = await opened(t);
    const list = { method: 'GET', path: '/pets' };
    const exposing = { resources: { list, shown: { ...list, exposeAsTool: true } } };
    await store.put('one', [
      connector({ slug: 'b', members: exposing }),
      connector({ slug: 'a', members: exposing }),
      connector({ slug: 'c' }),
    ]);
    await store.put('two', [connector({ slug: 'd', members: exposing })]);
    assert.deepEqual(await store.withTools('one'), ['a', 'b']);
    await store.put('one', [connector({ slug: 'a' }), connector({ slug: 'c', members: exposing })]);
    await store.remove('one', 'b');
    assert.deepEqual(await store.withTools('one'), ['c']);
  });

  test(`ConnectorStore (${name}): which credentials the connectors list`, async (t) => {
    const { store } = await opened(t);
    const listing = (slug: string, ...credentials: string[]) => connector({ slug, members: { credentials } });
    await store.put('one', [listing('b', 'main', 'other'), listing('a', 'main'), listing('none')]);
    await store.put('two', [listing('theirs', 'main')]);
    const listed = (await store.listedCredentials('one')).map(({ slug, credential }) => `${slug} ${credential}`);
    assert.deepEqual(listed.sort(), ['a main', 'b main', 'b other']);
    assert.deepEqual(await store.listedCredentials('nobody'), []);
  });

  test(`ConnectorStore (${name}): remove takes a slug alone`, async (t) => {
    const { store } = await opened(t);
    const gone = connector({ name: 'Gone' });
    await store.put('one', [gone]);
    assert.equal(await store.remove('one', 'Gone'), false);
    assert.equal(await store.remove('one', gone.slug), true);
    assert.equal(await store.find('one', 'Gone'), null);
  });
}
