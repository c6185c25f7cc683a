import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  claimValues,
  emailOf,
  mayAdmit,
  mayLink,
  nameFromClaims,
  roleOf,
  tenantFromClaims,
  whyOutside,
} from '../../../../src/core/access/sso/claims.ts';
import { safePath } from '../../../../src/core/access/sso/pending.ts';
import { isGoogle, isOfSeveralDirectories, mayUseHttp } from '../../../../src/core/access/sso/rules.ts';
import type { IdentityProviderDefinition } from '../../../../src/core/access/sso/schema.ts';

const claims = (members: object) => ({ iss: 'https://login.example.com', sub: 's', ...members });
const DIRECTORY = '0f0e0d0c-0b0a-4988-8766-554433221100';

const provider = (members: Partial<IdentityProviderDefinition> = {}): IdentityProviderDefinition => ({
  ...{
    name: 'Corp',
    preset: 'other',
    issuer: 'https://login.example.com',
    clientId: 'a',
    clientAuthentication: 'auto',
  },
  ...{ scopes: [], allowedDomains: [], allowedDirectories: [], roleClaim: null, roleMapping: [], defaultRole: null },
  ...{ createUsers: false, linkByEmail: false, enabled: true, mcp: false, tenantClaim: null, tenantMapping: [] },
  ...members,
});

test('claimValues: lists, single texts, numbers, nested members and names with dots', () => {
  const given = {
    groups: ['a', 'b', 3, null, { c: 1 }, true],
    one: 'x',
    realm_access: { roles: ['admin'] },
    'https://example.com/roles': ['y'],
    'a.b': ['whole'],
    a: { b: ['nested'] },
  };
  assert.deepEqual(claimValues(given, 'groups'), ['a', 'b', '3']);
  assert.deepEqual(claimValues(given, 'one'), ['x']);
  assert.deepEqual(claimValues(given, 'realm_access.roles'), ['admin']);
  assert.deepEqual(claimValues(given, 'https://example.com/roles'), ['y']);
  assert.deepEqual(claimValues(given, 'a.b'), ['whole'], 'the whole name counts first');
  for (const missing of ['other', 'realm_access.other', 'one.more', '__proto__', 'constructor', 'groups.length', '']) {
    assert.deepEqual(claimValues(given, missing), [], missing);
  }
});

test('roleOf: the highest of the mapped values, else the default role', () => {
  const roleMapping: IdentityProviderDefinition['roleMapping'] = [
    { value: 'v', role: 'VIEWER' },
    { value: 'u', role: 'USER' },
    { value: 'a', role: 'ADMIN' },
    { value: 's', role: 'SUPER_ADMIN' },
    { value: 'h', role: 'HUB_USER' },
  ];
  const of = (groups: unknown, defaultRole: IdentityProviderDefinition['defaultRole'] = null) =>
    roleOf({ roleClaim: 'groups', roleMapping, defaultRole }, claims({ groups })).role;
  assert.equal(of(['v', 'a', 'u']), 'ADMIN');
  assert.equal(of(['a', 's']), 'SUPER_ADMIN');
  assert.equal(of(['v', 'h']), 'HUB_USER');
  assert.equal(of('u'), 'USER');
  assert.equal(of(['A', ' a']), null, 'values count exactly');
  assert.equal(of([]), null);
  assert.equal(of(undefined, 'VIEWER'), 'VIEWER');
  assert.deepEqual(roleOf({ roleClaim: null, roleMapping: [], defaultRole: 'USER' }, claims({ groups: ['a'] })), {
    role: 'USER',
    isManaged: false,
  });
});

test('roleOf: claims of any shape give no role beyond the mapping', () => {
  const settings = { roleClaim: 'a.b', roleMapping: [{ value: 'x', role: 'USER' as const }], defaultRole: null };
  fc.assert(
    fc.property(fc.object({ key: fc.constantFrom('a', 'b', '__proto__', 'c') }), (given) => {
      const { role } = roleOf(settings, claims(given));
      assert.ok(role === null || role === 'USER');
    }),
  );
});

test('tenantFromClaims: exactly one tenant, or none', () => {
  const settings = {
    tenantClaim: 'org',
    tenantMapping: [
      { value: 'acme', tenant: 't1' },
      { value: 'acme-eu', tenant: 't1' },
      { value: 'beta', tenant: 't2' },
    ],
  };
  const of = (org: unknown) => tenantFromClaims(settings, claims({ org }));
  assert.deepEqual(
    [of('acme'), of(['acme', 'acme-eu']), of(['acme', 'beta']), of('other'), of(undefined)],
    ['t1', 't1', null, null, null],
  );
  assert.equal(
    tenantFromClaims({ tenantClaim: null, tenantMapping: settings.tenantMapping }, claims({ org: 'acme' })),
    null,
  );
});

test('emailOf: one that the provider calls unverified counts as none', () => {
  const of = (email: unknown, verified?: unknown) => emailOf(claims({ email, email_verified: verified }));
  assert.deepEqual(of('a@b.c', true), { address: 'a@b.c', isVerified: true });
  assert.deepEqual(of('a@b.c', 'true'), { address: 'a@b.c', isVerified: true });
  assert.deepEqual(of('a@b.c'), { address: 'a@b.c', isVerified: false });
  for (const verified of [false, 'false', null, 0, 1, {}]) assert.equal(of('a@b.c', verified), null, String(verified));
  for (const email of [undefined, '', 1, ['a@b.c'], null]) assert.equal(of(email, true), null);
});

test('mayLink: a verified e-mail of an allowed domain, or the switch', () => {
  const verified = { address: 'ada@Corp.Example', isVerified: true };
  assert.equal(mayLink(provider({ allowedDomains: ['corp.example'] }), verified), true);
  assert.equal(mayLink(provider({ allowedDomains: ['corp.example'] }), { ...verified, isVerified: false }), false);
  assert.equal(mayLink(provider(), verified), false);
  assert.equal(mayLink(provider({ linkByEmail: true }), { ...verified, isVerified: false }), true);
  const trick = { address: 'ada@evil.example@corp.example.evil', isVerified: true };
  assert.equal(mayLink(provider({ allowedDomains: ['corp.example'] }), trick), false);
});

test('whyOutside: domains, Workspaces of Google and directories of Microsoft', () => {
  const google = provider({ issuer: 'https://accounts.google.com', allowedDomains: ['corp.example', 'gmail.com'] });
  const at = (email: string, more: object = {}) => claims({ email, email_verified: true, ...more });
  assert.equal(whyOutside(google, at('ada@corp.example', { hd: 'corp.example' })), null);
  assert.equal(whyOutside(google, at('ada@corp.example')), 'another Google Workspace', 'an account of a person');
  assert.equal(whyOutside(google, at('ada@corp.example', { hd: 'evil.example' })), 'another Google Workspace');
  assert.equal(whyOutside(google, at('ada@gmail.com')), null);
  assert.equal(whyOutside(google, at('ada@sub.corp.example', { hd: 'corp.example' })), 'another e-mail domain');
  const several = provider({
    issuer: 'https://login.microsoftonline.com/organizations/v2.0',
    allowedDirectories: [DIRECTORY],
  });
  assert.equal(whyOutside(several, claims({ tid: DIRECTORY.toUpperCase() })), null);
  assert.equal(whyOutside(several, claims({ tid: '9188040d-6c67-4c5b-b112-36a304b66dad' })), 'another directory');
  assert.equal(whyOutside(several, claims({})), 'another directory');
  assert.equal(whyOutside({ ...several, allowedDirectories: [] }, claims({ tid: DIRECTORY })), 'another directory');
  assert.equal(whyOutside(provider(), claims({})), null);
  assert.equal(whyOutside(provider({ allowedDomains: ['a.example'] }), claims({})), 'no verified e-mail');
});

test('nameFromClaims: a name that a user may have, whatever the provider tells', () => {
  assert.equal(nameFromClaims(claims({ name: ' Ada\n Lima ' }), 'a@b.c'), 'Ada Lima');
  assert.equal(nameFromClaims(claims({ given_name: 'Ada', family_name: 'Lima' }), 'a@b.c'), 'Ada Lima');
  assert.equal(nameFromClaims(claims({ name: 'X', preferred_username: 'ada' }), 'a@b.c'), 'ada');
  assert.equal(nameFromClaims(claims({}), 'a@b.c'), 'a@b.c');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const made = nameFromClaims(claims({ name }), 'a@b.c');
      assert.ok([...made].length >= 2 && [...made].length <= 100 && made.isWellFormed() && !/\p{Cc}/u.test(made));
    }),
  );
});

test('mayAdmit: a provider that an ADMIN wrote lets no SUPER_ADMIN in', () => {
  assert.equal(mayAdmit({ authority: 'ADMIN' }, 'SUPER_ADMIN'), false);
  assert.equal(mayAdmit({ authority: 'ADMIN' }, 'ADMIN'), true);
  assert.equal(mayAdmit({ authority: 'SUPER_ADMIN' }, 'SUPER_ADMIN'), true);
});

test('issuers: whose they are, and where http is used', () => {
  assert.equal(isGoogle('https://accounts.google.com'), true);
  assert.equal(isGoogle('https://accounts.google.com.evil.example'), false);
  for (const path of ['common', 'organizations/v2.0', 'consumers/v2.0', 'Common/v2.0']) {
    assert.equal(isOfSeveralDirectories(`https://login.microsoftonline.com/${path}`), true, path);
  }
  assert.equal(isOfSeveralDirectories(`https://login.microsoftonline.com/${DIRECTORY}/v2.0`), false);
  const networks = ['10.0.0.0/8', '::1/128'];
  assert.equal(mayUseHttp('http://10.1.2.3:8080', networks), true);
  assert.equal(mayUseHttp('http://[::1]:8080', networks), true);
  assert.equal(mayUseHttp('http://keycloak:8080/realms/a', networks), true);
  for (const issuer of ['http://192.168.0.1', 'http://8.8.8.8', 'http://login.example.com', 'http://2130706433']) {
    assert.equal(mayUseHttp(issuer, networks), false, issuer);
  }
  assert.equal(mayUseHttp('http://localhost', []), false);
});

test('safePath: paths of this site alone', () => {
  for (const path of ['/', '/events', '/events?name=a&b=%2F#x', '/cards/1']) assert.equal(safePath(path), path);
  const others = [
    '',
    'events',
    '//a',
    '/\\a',
    '/%0a\n',
    'https://a',
    '/a b',
    '/ä',
    '/./a',
    '/a/../../b',
    undefined,
    1,
    ['/a'],
  ];
  for (const path of others) assert.equal(safePath(path), '/', String(path));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const url = new URL(safePath(`/${text}`), 'https://here.example/base');
      assert.equal(url.origin, 'https://here.example');
    }),
  );
});
