import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SessionStore, TenantStore } from '../../src/core/access/auth/store.ts';
import type { IdentityProviderStore, IdentityStore, StoredIdentityProvider } from '../../src/core/access/sso/store.ts';
import type { StoredUser, UserStore } from '../../src/core/access/users/store.ts';
import { openStores, type StateBackend } from './backend.ts';
import { newUser } from './user-store.ts';

interface Stores {
  providers: IdentityProviderStore;
  identities: IdentityStore;
  tenants: TenantStore;
  users: UserStore;
  sessions: SessionStore;
}

function provider(uid: string, members: Partial<StoredIdentityProvider> = {}): StoredIdentityProvider {
  return {
    ...{
      uid,
      tenantId: 'one',
      id: uid,
      sealedSecret: 'v1.sealed',
      authority: 'ADMIN',
      revision: 1,
      createdAt: 1,
      updatedAt: 1,
    },
    ...{
      name: 'Corp',
      preset: 'other',
      issuer: 'https://login.example.com',
      clientId: 'client',
      clientAuthentication: 'auto',
    },
    ...{ scopes: ['openid'], allowedDomains: ['corp.example'], allowedDirectories: [], roleClaim: 'groups' },
    ...{ roleMapping: [{ value: 'a', role: 'USER' }], defaultRole: null, createUsers: true, linkByEmail: false },
    ...{ enabled: true, mcp: false, tenantClaim: null, tenantMapping: [] },
    ...members,
  };
}

function user(id: string, members: Partial<StoredUser> = {}): StoredUser {
  return newUser({ id, email: `${id}@corp.example`, metadata: { idp_created: true }, ...members });
}

const identity = (subject: string, members = {}) => ({
  ...{ providerUid: 'p', issuer: 'https://login.example.com', subject, tenantId: 'one' },
  ...members,
});

export function testIdentityStores(backend: StateBackend<Stores>): void {
  const { name } = backend;
  const opened = (t: TestContext) => openStores(backend, t);

  test(`IdentityProviderStore (${name}): one is found as stored, within its tenant`, async (t) => {
    const { providers } = await opened(t);
    const [own, theirs, wide] = [
      provider('p'),
      provider('q', { tenantId: 'two', id: 'p', enabled: false, sealedSecret: null }),
      provider('r', { tenantId: null, id: 'p', tenantClaim: 'org', tenantMapping: [{ value: 'a', tenant: 'one' }] }),
    ];
    for (const one of [own, theirs, wide]) assert.equal(await providers.create(one, 2), 'created');
    assert.equal(await providers.create(provider('s', { id: 'p' }), 2), 'duplicate');
    assert.equal(await providers.create(provider('t', { tenantId: null, id: 'p' }), 2), 'duplicate');
    assert.equal(await providers.create(provider('u', { tenantId: 'three' }), 2), 'unknown tenant');
    assert.equal(await providers.create(provider('v'), 1), 'too many');
    assert.deepEqual(await providers.find('one', 'p'), own);
    assert.deepEqual(await providers.list('two'), [theirs]);
    assert.deepEqual(await providers.list(null), [wide]);
    assert.equal(await providers.find('one', 'q'), null);
  });

  test(`IdentityProviderStore (${name}): those of an issuer are found in every tenant`, async (t) => {
    const { providers } = await opened(t);
    const [own, theirs, wide] = [
      provider('p', { createdAt: 3 }),
      provider('q', { tenantId: 'two', enabled: false, issuer: 'https://login.example.com/', createdAt: 2 }),
      provider('r', { tenantId: null, tenantClaim: 'org' }),
    ];
    for (const one of [own, theirs, wide, provider('s', { issuer: 'https://login.example.com/two' })])
      await providers.create(one, 9);
    for (const issuer of [own.issuer, theirs.issuer])
      assert.deepEqual(await providers.ofIssuer(issuer), [wide, theirs, own]);
    assert.deepEqual(await providers.ofIssuer(''), []);
  });

  test(`IdentityProviderStore (${name}): a change of another revision is stale`, async (t) => {
    const { providers } = await opened(t);
    await providers.create(provider('p'), 2);
    const changes = ['a', 'b', 'c'].map((text) => providers.change(provider('p', { name: text, revision: 2 }), 1));
    assert.deepEqual((await Promise.all(changes)).sort(), ['changed', 'stale', 'stale']);
    assert.equal(await providers.change(provider('gone', { revision: 2 }), 1), 'stale');
    assert.equal(await providers.remove('p'), 'removed');
    assert.equal(await providers.remove('p'), 'unknown');
  });

  test(`IdentityProviderStore (${name}): without passwords the last provider stays`, async (t) => {
    const { providers, tenants } = await opened(t);
    const off = () => tenants.change('one', { passwordLogin: false });
    assert.equal(await off(), 'no other login');
    await providers.create(provider('p', { enabled: false }), 9);
    await providers.create(provider('theirs', { tenantId: 'two' }), 9);
    assert.equal(await off(), 'no other login');
    await providers.change(provider('p', { revision: 2 }), 1);
    assert.equal(await off(), 'changed');
    assert.equal((await tenants.find('one'))?.passwordLogin, false);
    assert.equal(await providers.remove('p'), 'last');
    assert.equal(await providers.change(provider('p', { enabled: false, revision: 3 }), 2), 'last');
    assert.equal(await providers.remove('theirs'), 'removed');
    await providers.create(provider('elsewhere', { tenantId: null, tenantClaim: 'org' }), 9);
    assert.equal(await providers.remove('p'), 'last', 'the one of the installation maps other tenants alone');
    const tenantMapping = [{ value: 'one', tenant: 'one' }];
    await providers.create(provider('wide', { tenantId: null, tenantClaim: 'org', tenantMapping }), 9);
    assert.equal(await providers.remove('p'), 'removed', 'the one of the installation is there');
    assert.equal(await providers.remove('wide'), 'last');
    assert.equal(await tenants.change('one', { passwordLogin: true }), 'changed');
    assert.equal(await providers.remove('wide'), 'removed');
    assert.equal(await tenants.change('three', { passwordLogin: false }), 'unknown');
  });

  test(`IdentityStore (${name}): an identity belongs to one user of a provider`, async (t) => {
    const { providers, identities, users } = await opened(t);
    await providers.create(provider('p'), 9);
    assert.equal(await identities.createUser(user('ada'), identity('s1')), 'created');
    assert.equal(await identities.createUser(user('bob'), identity('s1')), 'duplicate identity');
    assert.equal(await users.find('bob'), null, 'neither user nor identity');
    assert.equal(
      await identities.createUser(user('carl', { email: 'ADA@corp.example' }), identity('s2')),
      'duplicate email',
    );
    assert.equal(
      await identities.createUser(user('dora', { tenantId: 'three' }), identity('s3', { tenantId: 'three' })),
      'unknown tenant',
    );
    assert.equal(await identities.userOf(identity('s1')), 'ada');
    for (const other of [{ issuer: 'https://b.example' }, { tenantId: 'two' }, { providerUid: 'q' }]) {
      assert.equal(await identities.userOf(identity('s1', other)), null);
    }
    await users.create(user('erin'));
    assert.equal(await identities.link(identity('s1'), 'erin', 5), 'taken');
    const both = ['s4', 's5'].map((subject) => identities.link(identity(subject), 'erin', 5));
    assert.deepEqual((await Promise.all(both)).toSorted(), ['linked', 'other account']);
    assert.equal(await identities.link(identity('s5', { issuer: 'https://b.example' }), 'erin', 5), 'linked');
    await providers.remove('p');
    assert.equal(await identities.userOf(identity('s4')), null);
    assert.notEqual(await users.find('erin'), null);
  });

  test(`IdentityStore (${name}): ends the live sessions of a subject, a session, or both`, async (t) => {
    const { identities, sessions } = await opened(t);
    const open = async (id: string, userId: string, subject: string, idpSession: string | null, members = {}) => {
      const common = { tenantId: 'one', sessionVersion: null, createdAt: 1, lastSeenAt: 1, expiresAt: 100 };
      const session = {
        id,
        userId,
        ...common,
        address: 'here',
        userAgent: null,
        revokedAt: null,
        secondFactorAt: null,
      };
      const of = { providerUid: 'p', issuer: 'i', subject, idpSession, ...members };
      await sessions.create(session, 10, of);
    };
    await open('a', 'ada', 's1', 'x');
    await open('b', 'ada', 's1', 'y');
    await open('c', 'bob', 's2', 'x', { providerUid: 'q' });
    await open('d', 'ada', 's1', null, { issuer: 'j' });
    const end = (subject: string | null, idpSession: string | null, now = 50) =>
      identities.endSessions({ providerUid: 'p', issuer: 'i', subject, idpSession }, now);
    assert.deepEqual(await end('s1', 'x', 100), [], 'expired');
    assert.deepEqual(await end('s2', 'x'), []);
    assert.deepEqual(await end(null, 'x'), [{ tenantId: 'one', userId: 'ada', sessions: 1 }]);
    assert.deepEqual(await end('s1', null), [{ tenantId: 'one', userId: 'ada', sessions: 1 }]);
    assert.deepEqual(await end('s1', null), []);
    const revoked = await Promise.all(['a', 'b', 'c', 'd'].map(async (id) => (await sessions.find(id))?.revokedAt));
    assert.deepEqual(revoked, [50, 50, null, null]);
    assert.equal(await identities.providerOfSession('c'), 'q');
    assert.equal(await identities.providerOfSession('e'), null);
    await sessions.prune(200);
    assert.equal(await identities.providerOfSession('c'), null);
  });

  test(`IdentityStore (${name}): a name is used once, by one of several processes`, async (t) => {
    const first = await openStores(backend, t);
    const second = await openStores(backend, t, first.at);
    const used = await Promise.all([first, second, first].map(({ identities }) => identities.useOnce('a', 100, 1)));
    assert.deepEqual(used.sort(), [false, false, true]);
    assert.equal(await second.identities.useOnce('b', 100, 1), true);
    assert.equal(await second.identities.useOnce('a', 300, 200), true, 'forgotten once it has expired');
  });
}
