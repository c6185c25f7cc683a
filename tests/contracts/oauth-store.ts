import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OAuthRecord, OAuthStore, StoredClient, StoredGrant } from '../../src/core/access/oauth/store.ts';
import { openStores, type StateBackend } from './backend.ts';

type Backend = StateBackend<{ store: OAuthStore }>;

const ALL = { limit: 100, offset: 0 };
const OF_ONE: Parameters<OAuthStore['grants']>[0] = { tenantId: 'one', userId: null, now: 100 };

function client(id: string, members: Partial<StoredClient> = {}): StoredClient {
  const metadata = { redirect_uris: ['https://host.example.com/callback'] };
  return {
    id,
    kind: 'registered',
    name: 'Host',
    metadata,
    secretHash: null,
    createdAt: 10,
    lastUsedAt: null,
    ...members,
  };
}

function grant(id: string, members: Partial<StoredGrant> = {}): StoredGrant {
  return {
    id,
    tenantId: 'one',
    userId: 'ada',
    sessionVersion: null,
    clientId: 'host',
    clientName: 'Host',
    clientKind: 'registered',
    identityProvider: null,
    resource: 'https://runtime.example.com/mcp',
    scopes: ['mcp:read', 'knowledge:read'],
    createdAt: 10,
    expiresAt: 1_000,
    activatedAt: 20,
    lastUsedAt: null,
    endedAt: null,
    limits: null,
    ...members,
  };
}

function record(id: string, members: Partial<OAuthRecord> = {}): OAuthRecord {
  const content = { scope: 'mcp:read', aud: 'https://runtime.example.com/mcp' };
  return {
    kind: 'AccessToken',
    id,
    grantId: 'g1',
    content,
    createdAt: 10,
    expiresAt: 500,
    consumedAt: null,
    ...members,
  };
}

export function testOAuthStore(backend: Backend): void {
  const { name } = backend;
  const opened = async (t: TestContext) => (await openStores(backend, t)).store;
  const idsOf = async (store: OAuthStore, of = OF_ONE) => (await store.grants(of, ALL)).items.map(({ id }) => id);

  test(`OAuthStore (${name}): clients, grants and records are found as stored`, async (t) => {
    const store = await opened(t);
    const [stored, allowed, token] = [client('host', { secretHash: 'a'.repeat(64) }), grant('g1'), record('secret')];
    await store.putClient(stored);
    await store.createGrant(allowed);
    await store.put(token, 100);
    assert.deepEqual(await store.findClient('host'), stored);
    assert.deepEqual(await store.findGrant('g1'), allowed);
    assert.deepEqual(await store.find('AccessToken', 'secret'), token);
    assert.deepEqual(
      [await store.findClient('other'), await store.findGrant('other'), await store.find('RefreshToken', 'secret')],
      [null, null, null],
    );
    await store.putClient({ ...stored, name: 'Renamed' });
    await store.put({ ...token, expiresAt: 600 }, 100);
    assert.equal((await store.findClient('host'))?.name, 'Renamed');
    assert.equal((await store.find('AccessToken', 'secret'))?.expiresAt, 600);
  });

  test(`OAuthStore (${name}): a page of grants has active ones, newest first`, async (t) => {
    const store = await opened(t);
    for (const one of [
      grant('old', { createdAt: 1 }),
      grant('new', { createdAt: 2 }),
      grant('unused', { activatedAt: null }),
      grant('ended', { endedAt: 50 }),
      grant('expired', { expiresAt: 100 }),
      grant('of eve', { userId: 'eve', sessionVersion: 7, createdAt: 3 }),
      grant('of a former version', { userId: 'eve', createdAt: 4 }),
      grant('elsewhere', { tenantId: 'two' }),
    ])
      await store.createGrant(one);
    assert.deepEqual(await idsOf(store), ['of eve', 'new', 'old']);
    assert.deepEqual(await idsOf(store, { ...OF_ONE, userId: 'ada' }), ['new', 'old']);
    assert.equal((await store.grants({ tenantId: null, userId: null, now: 100 }, ALL)).total, 4);
    const second = await store.grants(OF_ONE, { limit: 1, offset: 1 });
    assert.deepEqual(
      [second.items.map(({ id, email }) => [id, email]), second.total],
      [[['new', 'ada@example.com']], 3],
    );
  });

  test(`OAuthStore (${name}): the first activation counts, and each use`, async (t) => {
    const store = await opened(t);
    await store.createGrant(grant('g1', { activatedAt: null }));
    await store.activateGrant('g1', 30);
    await store.activateGrant('g1', 40);
    await store.touchGrant('g1', 50);
    const { activatedAt, lastUsedAt } = (await store.findGrant('g1'))!;
    assert.deepEqual([activatedAt, lastUsedAt], [30, 50]);
  });

  test(`OAuthStore (${name}): ending a grant removes its records once and for all`, async (t) => {
    const store = await opened(t);
    for (const id of ['g1', 'g2']) await store.createGrant(grant(id));
    await store.put(record('first'), 100);
    await store.put(record('second', { kind: 'RefreshToken' }), 100);
    await store.put(record('other', { grantId: 'g2' }), 100);
    assert.equal(await store.endGrant('g1', 60), true);
    assert.equal(await store.endGrant('g1', 70), false);
    assert.equal(await store.endGrant('none', 70), false);
    assert.equal((await store.findGrant('g1'))?.endedAt, 60);
    assert.deepEqual(
      [await store.find('AccessToken', 'first'), await store.find('RefreshToken', 'second')],
      [null, null],
    );
    assert.notEqual(await store.find('AccessToken', 'other'), null);
  });

  test(`OAuthStore (${name}): of a user and a client one asserted grant is live`, async (t) => {
    const first = await openStores(backend, t);
    const second = await openStores(backend, t, first.at);
    const { store } = first;
    const asserted = (id: string, members: Partial<StoredGrant> = {}) =>
      grant(id, { identityProvider: 'okta', activatedAt: null, ...members });
    await store.createGrant(grant('by the person'));
    const stores = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? first : second).store);
    const made = await Promise.all(stores.map((one, at) => one.renewGrant(asserted(`a${at}`))));
    const { id } = made[0]!;
    assert.deepEqual(new Set(made.map((one) => one.id)), new Set([id]));
    assert.equal(made.filter(({ former }) => former === null).length, 1);
    await store.activateGrant(id, 30);
    await store.touchGrant(id, 40);
    const newer = asserted('newer', {
      scopes: ['mcp:read'],
      createdAt: 50,
      expiresAt: 2_000,
      identityProvider: 'entra',
    });
    const { former } = await store.renewGrant(newer);
    assert.deepEqual([former?.id, former?.scopes], [id, ['mcp:read', 'knowledge:read']]);
    const times = { createdAt: 10, activatedAt: 30, lastUsedAt: 40 };
    assert.deepEqual(await store.findGrant(id), { ...newer, id, ...times });
    for (const [other, members] of [
      ['of eve', { userId: 'eve' }],
      ['of another client', { clientId: 'another' }],
    ] as const)
      assert.deepEqual(await store.renewGrant(asserted(other, members)), { id: other, former: null });
    assert.equal((await store.findGrant('by the person'))?.endedAt, null);
  });

  test(`OAuthStore (${name}): an ended or voided grant is not renewed`, async (t) => {
    const store = await opened(t);
    const asserted = (id: string, members: Partial<StoredGrant> = {}) =>
      grant(id, { identityProvider: 'a', ...members });
    await store.renewGrant(asserted('g1'));
    await store.put(record('token'), 100);
    const { id, former } = await store.renewGrant(asserted('g2', { sessionVersion: 7, createdAt: 60 }));
    assert.deepEqual([id, former?.id], ['g2', 'g1']);
    assert.equal((await store.findGrant('g1'))?.endedAt, 60);
    assert.equal(await store.find('AccessToken', 'token'), null);
    await store.endGrant('g2', 70);
    assert.deepEqual(await store.renewGrant(asserted('g3', { sessionVersion: 7 })), { id: 'g3', former: null });
    assert.equal((await store.findGrant('g2'))?.endedAt, 70);
  });

  test(`OAuthStore (${name}): a removed client takes its grants along`, async (t) => {
    const store = await opened(t);
    await store.putClient(client('host'));
    await store.createGrant(grant('g1'));
    await store.createGrant(grant('g2', { clientId: 'another' }));
    await store.put(record('token'), 100);
    const { removed, ended } = await store.removeClient('host', 60);
    assert.deepEqual([removed, ended.map(({ id, endedAt }) => [id, endedAt])], [true, [['g1', 60]]]);
    assert.deepEqual(await store.removeClient('host', 60), { removed: false, ended: [] });
    assert.equal((await store.removeClient('another', 60)).removed, false, 'a client with a document');
    assert.deepEqual([await idsOf(store), await store.find('AccessToken', 'token')], [[], null]);
  });

  test(`OAuthStore (${name}): of many that consume a record at once, one succeeds`, async (t) => {
    const first = await openStores(backend, t);
    const second = await openStores(backend, t, first.at);
    await first.store.put(record('code', { kind: 'AuthorizationCode', grantId: null }), 100);
    const stores = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? first : second).store);
    const consumed = await Promise.all(stores.map((store, at) => store.consume('AuthorizationCode', 'code', 30 + at)));
    assert.equal(consumed.filter(Boolean).length, 1);
    const at = (await second.store.find('AuthorizationCode', 'code'))?.consumedAt;
    assert.equal(await first.store.consume('AuthorizationCode', 'code', 99), false);
    assert.equal((await first.store.find('AuthorizationCode', 'code'))?.consumedAt, at);
    assert.equal(await first.store.consume('AuthorizationCode', 'unknown', 99), false);
  });

  test(`OAuthStore (${name}): the newest records of a kind and grant stay`, async (t) => {
    const store = await opened(t);
    for (let number = 0; number < 6; number += 1) await store.put(record(`t${number}`, { createdAt: number }), 3);
    await store.put(record('of another grant', { grantId: 'g2' }), 3);
    await store.put(record('of another kind', { kind: 'RefreshToken' }), 3);
    await store.put(record('without a grant', { kind: 'Interaction', grantId: null }), 0);
    const found = async (kind: string, ids: string[]) =>
      (await Promise.all(ids.map((id) => store.find(kind, id)))).flatMap((one) => (one ? [one.id] : []));
    assert.deepEqual(await found('AccessToken', ['t0', 't1', 't2', 't3', 't4', 't5', 'of another grant']), [
      't3',
      't4',
      't5',
      'of another grant',
    ]);
    assert.deepEqual(await found('RefreshToken', ['of another kind']), ['of another kind']);
    assert.deepEqual(await found('Interaction', ['without a grant']), ['without a grant']);
  });

  test(`OAuthStore (${name}): records are removed one by one, or by kind of a grant`, async (t) => {
    const store = await opened(t);
    for (const [kind, id] of [
      ['AccessToken', 'a'],
      ['AccessToken', 'b'],
      ['RefreshToken', 'c'],
      ['AuthorizationCode', 'd'],
    ] as const)
      await store.put(record(id, { kind }), 100);
    await store.remove('AuthorizationCode', 'd');
    await store.removeOfGrant('g1', 'AccessToken');
    const left = [
      store.find('AccessToken', 'a'),
      store.find('RefreshToken', 'c'),
      store.find('AuthorizationCode', 'd'),
    ];
    assert.deepEqual(
      (await Promise.all(left)).map((one) => one?.id ?? null),
      [null, 'c', null],
    );
  });

  test(`OAuthStore (${name}): a token is found with its grant and its user`, async (t) => {
    const store = await opened(t);
    await store.createGrant(grant('g1'));
    await store.createGrant(grant('g2', { userId: 'eve' }));
    await store.createGrant(grant('g3', { tenantId: 'two' }));
    await store.put(record('of ada'), 100);
    await store.put(record('of eve', { grantId: 'g2' }), 100);
    await store.put(record('of nobody', { grantId: 'g3' }), 100);
    await store.put(record('code', { kind: 'AuthorizationCode' }), 100);
    const user = { id: 'ada', email: 'ada@example.com', role: 'USER', isActive: true, sessionVersion: null };
    const { content } = record('');
    const { identityProvider, resource, createdAt, activatedAt, ...facts } = grant('g1');
    assert.deepEqual(await store.findToken('of ada'), {
      grant: facts,
      content,
      expiresAt: 500,
      user,
      timezone: 'UTC',
      roleLimits: null,
    });
    assert.deepEqual((await store.findToken('of eve'))?.user, {
      id: 'eve',
      email: 'eve@example.com',
      role: 'VIEWER',
      isActive: false,
      sessionVersion: 7,
    });
    assert.equal(await store.findToken('of nobody'), null, 'a user of another tenant');
    assert.equal(await store.findToken('code'), null, 'no access token');
  });

  test(`OAuthStore (${name}): pruning removes what is over, and unused registered clients`, async (t) => {
    const store = await opened(t);
    for (const one of [
      client('unused', { createdAt: 10 }),
      client('new', { createdAt: 90 }),
      client('idle', { createdAt: 10, lastUsedAt: 20 }),
      client('host', { createdAt: 10, lastUsedAt: 20 }),
      client('used', { createdAt: 10, lastUsedAt: 60 }),
      client('configured', { kind: 'configured', createdAt: 10 }),
    ])
      await store.putClient(one);
    await store.createGrant(grant('live'));
    await store.createGrant(grant('expired', { clientId: 'x', expiresAt: 30 }));
    await store.createGrant(grant('ended', { clientId: 'x', endedAt: 30 }));
    await store.createGrant(grant('never used', { clientId: 'x', activatedAt: null, createdAt: 30 }));
    await store.createGrant(grant('just made', { clientId: 'x', activatedAt: null, createdAt: 90 }));
    await store.put(record('old', { expiresAt: 30 }), 100);
    await store.put(record('valid', { expiresAt: 90 }), 100);
    await store.prune({ records: 50, grants: 50, unusedGrants: 50, unusedClients: 50, idleClients: 50 });
    const clients = (await store.clients(ALL)).items.map(({ id }) => id);
    assert.deepEqual(clients, ['new', 'configured', 'host', 'used']);
    assert.equal((await store.clients({ ...ALL, kind: 'configured' })).total, 1);
    const grants = await Promise.all(
      ['live', 'expired', 'ended', 'never used', 'just made'].map((id) => store.findGrant(id)),
    );
    assert.deepEqual(
      grants.map((one) => one?.id ?? null),
      ['live', null, null, null, 'just made'],
    );
    assert.deepEqual(
      [await store.find('AccessToken', 'old'), (await store.find('AccessToken', 'valid'))?.id],
      [null, 'valid'],
    );
  });
}
