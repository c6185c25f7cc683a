import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalText } from '../../portal/src/pages/login/refusals.ts';
import type { Provider } from '../../portal/src/pages/sign-on/providers.ts';
import { emptyForm, formOf, requestOf, withPreset } from '../../portal/src/pages/sign-on/state.ts';
import { createProviderSchema } from '../../src/core/access/sso/schema.ts';
import { REFUSALS } from '../../src/core/access/sso/sso-users.ts';

const STORED: Provider = {
  ...{ id: 'corp', name: 'Corp', preset: 'microsoft', issuer: 'https://login.example.com', clientId: 'client' },
  ...{
    clientAuthentication: 'auto',
    scopes: ['openid'],
    hasSecret: true,
    authority: 'ADMIN',
    createdAt: '',
    updatedAt: '',
  },
  ...{ redirectUri: '', backchannelLogoutUri: '', createUsers: true, linkByEmail: false, enabled: true },
  allowedDomains: ['a.example', 'b.example'],
  allowedDirectories: ['0f0e0d0c-0b0a-4988-8766-554433221100'],
  roleClaim: 'roles',
  roleMapping: [
    { value: 'cn=admins', role: 'ADMIN' },
    { value: 'staff', role: 'USER' },
  ],
  defaultRole: null,
};

test('sign-on form: a stored provider comes back as it was, without its secret', () => {
  const { id, name, preset, issuer, clientId, createUsers, linkByEmail, enabled } = STORED;
  const { allowedDomains, allowedDirectories, roleClaim, roleMapping, defaultRole } = STORED;
  assert.deepEqual(requestOf(formOf(STORED)), {
    ...{ id, name, preset, issuer, clientId, createUsers, linkByEmail, enabled },
    ...{ allowedDomains, allowedDirectories, roleClaim, roleMapping, defaultRole },
  });
  assert.equal(requestOf({ ...formOf(STORED), clientSecret: 'new' }).clientSecret, 'new');
  assert.deepEqual(requestOf({ ...formOf(STORED), roleClaim: ' ' }).roleMapping, [], 'no claim, no mapping');
});

test('sign-on form: a preset brings its values, and keeps what was written', () => {
  const google = emptyForm();
  assert.deepEqual([google.id, google.issuer], ['google', 'https://accounts.google.com']);
  const okta = withPreset(google, 'okta');
  assert.deepEqual([okta.id, okta.name, okta.issuer], ['okta', 'Okta', '']);
  const written = withPreset({ ...okta, name: 'Corp', issuer: 'https://corp.okta.com' }, 'keycloak');
  assert.deepEqual([written.id, written.name, written.issuer], ['keycloak', 'Corp', 'https://corp.okta.com']);
});

test('sign-on form: what it sends has the shape that the server takes', () => {
  const form = { ...formOf(STORED), clientSecret: 'secret', roleMapping: 'a=USER\n\n b = ADMIN \n' };
  const parsed = createProviderSchema.parse(requestOf(form));
  assert.deepEqual(parsed.roleMapping, [
    { value: 'a', role: 'USER' },
    { value: 'b', role: 'ADMIN' },
  ]);
  const wrong = createProviderSchema.safeParse(requestOf({ ...form, roleMapping: 'no role' }));
  assert.deepEqual(wrong.error?.issues[0]?.path, ['roleMapping', 0, 'role']);
});

test('login page: each refusal has a text of its own', () => {
  const texts = REFUSALS.map((refusal) => refusalText(refusal));
  assert.equal(new Set(texts).size, REFUSALS.length);
  assert.equal(refusalText(undefined), null);
  for (const unknown of ['', 'other', '__proto__', 'constructor', '<b>']) {
    assert.equal(refusalText(unknown), 'The login was refused. Try again.');
  }
});
