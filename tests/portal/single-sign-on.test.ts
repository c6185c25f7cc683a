import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalText } from '../../portal/src/pages/login/refusals.ts';
import type { Provider } from '../../portal/src/pages/settings/sign-on/providers.ts';
import { emptyForm, formOf, requestOf, withPreset } from '../../portal/src/pages/settings/sign-on/state.ts';
import { createProviderSchema } from '../../src/core/access/sso/schema.ts';
import { REFUSALS } from '../../src/core/access/sso/sso-users.ts';
import { testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, openPage, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { startFaultyProvider } from '../support/identity/faulty-provider.ts';
import { CLIENT } from '../support/identity/provider.ts';
import { defineProvider, LOOPBACK, signOnOfThisFile, somebody } from '../support/identity/workspace.ts';
import { newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits } from './support.ts';

const setUp = signOnOfThisFile();
const EXPECTED = /401|request to http:\/\/localhost:/;

rareBrowserTest('Login: a button leads to the identity provider and back to the page', async (t) => {
  const { app, provider } = await setUp({ name: 'Corp' });
  const person = somebody({ name: 'Ada of Corp' });
  await provider.use(person);
  const page = await openPage(t, { origin: app.url, expected: EXPECTED });
  await page.goto(`${app.url}/connect?client=cursor`);
  await page.getByRole('link', { name: 'Continue with Corp' }).click();
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  assert.equal(page.url(), `${app.url}/connect?client=cursor`);
  await page.getByText('Ada of Corp').waitFor();
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies
      .map(({ name }) => name)
      .filter((name) => name.startsWith('ar_'))
      .sort(),
    ['ar_device', 'ar_session'],
  );
  assert.ok(cookies.every(({ name, httpOnly }) => !name.startsWith('ar_') || httpOnly));
});

browserTest('Login: a refusal is explained without a text of the address', async (t) => {
  const { app, provider } = await setUp({ name: 'Corp' });
  await provider.use('denied');
  const page = await openPage(t, { origin: app.url, expected: EXPECTED });
  await page.goto(`${app.url}/login`);
  await page.getByRole('link', { name: 'Continue with Corp' }).click();
  await page.getByRole('alert').getByText('You did not log in there').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.goto(`${app.url}/login?refused=${encodeURIComponent('Call +1 555 0100')}`);
  await page.getByRole('alert').getByText('The login was refused. Try again.').waitFor();
  assert.equal(await page.getByText('555').count(), 0);
});

browserTest('Login: buttons of identity providers fit a window of 320 pixels', async (t) => {
  const { app } = await setUp({ name: 'The identity provider of a corporation with a long name' });
  const page = await openPage(t, { origin: app.url, viewport: { width: 320, height: 640 } });
  await page.goto(`${app.url}/login`);
  await page.getByRole('link', { name: /Continue with/ }).waitFor();
  await assertFits(page);
});

browserTest('Login: without passwords there is no form, but login links work', async (t) => {
  const app = await testApp(t, { identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  const page = await openPage(t, { origin: app.url, expected: /401/ });
  await page.goto(`${app.url}/login`);
  await page.getByRole('link', { name: 'Continue with Corp' }).waitFor();
  assert.equal(await page.getByLabel('Password').count(), 0);
  const admin = await newUser(app, { role: 'ADMIN' });
  const { secret } = await app.runtime.logins.issueOperatorLink(admin, 10);
  await page.goto(`${app.url}/healthz`);
  await page.goto(`${app.url}/login#link=${secret}`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

rareBrowserTest('Single sign-on: an administrator adds, tests, edits and deletes a provider', async (t) => {
  const app = await testApp(t, { identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  const page = await portalPage(t, app, { path: '/single-sign-on', expected: /400|412|422/ });
  await page.getByText('No identity provider yet').waitFor();
  await page.getByRole('button', { name: 'Add identity provider' }).click();
  const form = page.getByRole('dialog', { name: 'Add an identity provider' });
  await form.getByLabel('Product').selectOption('keycloak');
  assert.equal(await form.getByLabel('Name').inputValue(), 'Keycloak');
  await form.getByLabel('Issuer').fill('no issuer');
  await form.getByLabel('Client id').fill(CLIENT.clientId);
  await form.getByLabel('Client secret').fill('a wrong one');
  await form.getByLabel('Claim with groups or roles').fill('realm_access.roles');
  await form.getByLabel('Roles by values of the claim').fill('cn=admins = ADMIN\nstaff = USER');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('Must be an https URL').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByLabel('Issuer').fill(provider.issuer);
  await form.getByRole('button', { name: 'Add' }).click();
  const row = page.getByRole('listitem').filter({ hasText: provider.issuer });
  await row.getByText('/keycloak/callback').waitFor();
  const [stored] = await app.runtime.identityProviders.list(app.tenantId, null);
  assert.deepEqual(stored?.roleMapping, [
    { value: 'cn=admins', role: 'ADMIN' },
    { value: 'staff', role: 'USER' },
  ]);

  await row.getByRole('button', { name: 'Test Keycloak' }).click();
  const test = page.getByRole('dialog', { name: 'Test of Keycloak' });
  await test.getByText('refuses the client').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Edit Keycloak' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Keycloak' });
  await edit.getByLabel('Client secret').fill(CLIENT.clientSecret);
  const theirs = { allowedDomains: ['corp.example'], enabled: false };
  await app.runtime.identityProviders.change(app.tenantId, 'keycloak', theirs, null);
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByRole('row', { name: 'Client secret A new one The stored one' }).waitFor();
  assert.equal(await edit.getByLabel('Allowed e-mail domains').inputValue(), 'corp.example');
  assert.deepEqual(await accessibilityFaults(page), []);
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  await row.getByText('Off', { exact: true }).waitFor();
  const [saved] = await app.runtime.identityProviders.list(app.tenantId, null);
  assert.deepEqual([saved?.allowedDomains, saved?.enabled], [['corp.example'], false], 'nothing of theirs is lost');
  await row.getByRole('button', { name: 'Test Keycloak' }).click();
  await test.getByText('accepts the client id').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(await accessibilityFaults(page), []);
  await row.getByRole('button', { name: 'Delete Keycloak' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No identity provider yet').waitFor();
  const viewer = await portalPage(t, app, { path: '/settings/sign-on', role: 'VIEWER' });
  await viewer.getByText('Only administrators see identity providers. Your role is VIEWER').waitFor();
});

rareBrowserTest('Single sign-on: passwords are switched off only from a session of a provider', async (t) => {
  const { app, provider } = await setUp({
    name: 'Corp',
    roleClaim: 'groups',
    roleMapping: [{ value: 'a', role: 'ADMIN' }],
  });
  await provider.use(somebody({ groups: ['a'] }));
  const byPassword = await portalPage(t, app, { path: '/settings/security', expected: /409/ });
  await byPassword.getByRole('button', { name: 'Switch off …' }).click();
  await byPassword.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await byPassword.getByText('log in with an identity provider of the tenant first').waitFor();
  const page = await openPage(t, { origin: app.url, expected: EXPECTED, viewport: { width: 320, height: 700 } });
  await page.goto(`${app.url}/login?to=/single-sign-on`);
  await page.getByRole('link', { name: 'Continue with Corp' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Switch off …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('heading', { name: 'Password logins are off' }).waitFor();
  assert.equal(await scrollsSideways(page), false);
  await page.getByRole('button', { name: 'Switch on …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('heading', { name: 'Password logins are on' }).waitFor();
});

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
  ...{ redirectUri: '', backchannelLogoutUri: '', createUsers: true, linkByEmail: false, enabled: true, mcp: true },
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
  const { id, name, preset, issuer, clientId, createUsers, linkByEmail, enabled, mcp } = STORED;
  const { allowedDomains, allowedDirectories, roleClaim, roleMapping, defaultRole } = STORED;
  assert.deepEqual(requestOf(formOf(STORED)), {
    ...{ id, name, preset, issuer, clientId, createUsers, linkByEmail, enabled, mcp },
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
