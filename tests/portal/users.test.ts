import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, openPage, rareBrowserTest } from '../support/browser.ts';
import { startFaultyProvider } from '../support/identity/faulty-provider.ts';
import { defineProvider, LOOPBACK } from '../support/identity/workspace.ts';
import { authorize, callMcp, connect, exchange, registerClient } from '../support/oauth.ts';
import { newPerson, newUser, type Person, PORTAL } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';
import { announced, assertFits, focused, logIn } from './support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
const PASSWORD = 'eleven orange tricycles';
const USERS = '/settings/users';
const LONG_NAME = 'Dr. Ada Wolfeschlegelsteinhausenbergerdorff of the Department of Numbers and Charts, Lisbon';

/** A page of the person, who is logged in. */
async function pageOf(t: TestContext, app: TestApp, { token }: Person, path: string, expected?: RegExp): Promise<Page> {
  const page = await openPage(t, { origin: app.url, ...(expected && { expected }) });
  await page.context().addCookies([{ name: 'ar_session', value: token, url: app.url, sameSite: 'Strict' }]);
  await page.goto(app.url + path);
  return page;
}

/** The administrator invites somebody; the link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await dialog.getByRole('radio', { name: /^Member/ }).check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByRole('heading', { name: `The link for ${email}` }).waitFor();
  return dialog.getByRole('region', { name: 'Invitation link' }).innerText();
}

async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'You are invited' }).waitFor();
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join the workspace' }).click();
}

browserTest('Users: somebody is invited by a link, joins, and is found', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: USERS });
  await page.getByRole('button', { name: 'Invite somebody' }).waitFor();
  await assertFits(page);
  const link = await invite(page, 'bea@example.com');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('This is shown only now').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Open invitations (1)' }).click();
  await page.getByText(/Invited by Person/).waitFor();
  assert.match(page.url(), /state=invited/);
  await page.getByLabel('Search by name or e-mail').fill('nobody');
  await page.getByText('No open invitation matches').waitFor();
  await page.getByRole('link', { name: 'Show all open invitations' }).click();
  await page.getByText(/Invited by Person/).waitFor();

  const guest = await openPage(t, { origin: app.url, expected: /401|422/ });
  await guest.goto(link);
  await guest.getByText(/invites you to the workspace default as member/).waitFor();
  assert.equal(new URL(guest.url()).hash, '', 'the secret leaves the address');
  await assertFits(guest);
  await guest.reload();
  await guest.getByText(/invites you to the workspace default as member/).waitFor();
  await guest.getByLabel('Your name').fill('Bea Rocha');
  await guest.getByLabel('Password', { exact: true }).fill('bea@example.com');
  await guest.keyboard.press('Enter');
  await guest.getByText(/Is easy to guess/).waitFor();
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.keyboard.press('Enter');
  await guest.getByRole('link', { name: /Bea Rocha/ }).waitFor();

  await page.getByLabel('State').selectOption({ label: 'Active' });
  await page.getByLabel('Search by name or e-mail').fill('rocha');
  await page.getByRole('link', { name: 'Bea Rocha' }).waitFor();
  await page.waitForURL(/search=rocha/);
  await page.reload();
  await page.getByText('One user').waitFor();
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Viewer' });
  await page.getByText('Nobody matches').waitFor();
  await page.goto(`${app.url}${USERS}?page=99`);
  await page.getByText('There is no such page').waitFor();
  await page.getByRole('link', { name: 'Show the first page' }).click();
  await page.getByRole('link', { name: 'Bea Rocha' }).waitFor();
});

browserTest("User: two people edit one, and nobody's work is lost", async (t) => {
  const app = await sharedApp();
  const user = await newUser(app, { name: 'Carla' });
  const [one, other] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { role: 'ADMIN' })];
  const page = await pageOf(t, app, one, `${USERS}/${user.id}`, /412/);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone').fill('+55 11 91234-5678');
  await dialog.getByLabel('Name', { exact: true }).fill('Carla Mine');
  const theirs = { name: 'Carla Theirs', email: 'carla.theirs@example.com' };
  assert.equal((await other.request('PATCH', `${PORTAL}/users/${user.id}`, theirs)).status, 200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const both = dialog.getByRole('region', { name: 'Both versions' });
  await both.waitFor();
  assert.match(await both.innerText(), /Name\s+Carla Mine\s+Carla Theirs/);
  assert.doesNotMatch(await both.innerText(), /E-mail/, 'only what both have edited');
  await focused(dialog.getByRole('button', { name: 'Save' }));
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Carla Mine', level: 1 }).waitFor();
  const stored = (await other.request('GET', `${PORTAL}/users/${user.id}`)).body;
  assert.deepEqual([stored.name, stored.email, stored.phone], ['Carla Mine', theirs.email, '+55 11 91234-5678']);
  await assertFits(page);
});

browserTest('Security: a rule is set, and sessions of others are found and ended', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const [admin, bea] = [await newPerson(app, { role: 'ADMIN' }), await newPerson(app, { name: 'Bea Rocha' })];
  const carla = await newPerson(app, { name: 'Carla Sá' });
  const page = await pageOf(t, app, admin, '/settings/security');
  await page.getByText('3 sessions').waitFor();
  await assertFits(page);
  await page.getByRole('radio', { name: /^Administrators need one/ }).check();
  await page.getByRole('button', { name: 'Save …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The rule is saved');
  assert.equal((await admin.request('GET', `${PORTAL}/settings`)).body.secondFactor, 'administrators');
  await page.getByLabel('Search by user').fill('bea');
  await page.getByText('1 session', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End all sessions of Bea Rocha' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByText('No session matches').waitFor();
  assert.equal((await bea.request('GET', `${PORTAL}/me`)).status, 401);
  await page.getByRole('link', { name: 'Show all sessions' }).click();
  await page.getByText('2 sessions').waitFor();
  await page.goto(`${app.url}/settings/security?page=99`);
  await page.getByText('There is no such page').waitFor();
  await page.getByRole('button', { name: 'End all but mine …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByText('1 session', { exact: true }).waitFor();
  assert.equal((await carla.request('GET', `${PORTAL}/me`)).status, 401);
});

rareBrowserTest('Users, Security: they fit 320 pixels, and the keyboard does it all', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const admin = await newPerson(app, { role: 'ADMIN', name: LONG_NAME });
  const user = await newPerson(app, { name: 'Bea Rocha with a rather long name that does not fit a line' });
  const page = await pageOf(t, app, admin, USERS);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'E-mail' }).waitFor();
  await page.keyboard.type('someone.with.a.long.address@department.example.com');
  await page.keyboard.press('Tab');
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowDown');
  assert.equal(await dialog.getByRole('radio', { name: /^Member/ }).isChecked(), true);
  await assertFits(page);
  await page.keyboard.press('Enter');
  await dialog.getByRole('region', { name: 'Invitation link' }).waitFor();
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await page.goto(`${app.url}${USERS}?state=invited`);
  await page.getByRole('button', { name: /^Revoke/ }).waitFor();
  await assertFits(page);
  await page.goto(`${app.url}${USERS}/${user.user.id}`);
  await page.getByRole('button', { name: 'End the session from a test' }).waitFor();
  await assertFits(page);
  await page.goto(`${app.url}/settings/security`);
  await page.getByText('2 sessions').waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  const account = page.getByRole('link', { name: /^Your account/ });
  await account.getByTitle(LONG_NAME).waitFor();
  assert.ok((await account.boundingBox())!.height < 60, 'a long name leaves the room to the pages');
});

rareBrowserTest('User: deactivated with their keys, and reactivated', async (t) => {
  const app = await sharedApp();
  const leaver = await newPerson(app, { name: 'Leaver', role: 'USER' });
  const { tokens } = await connect(app, leaver);
  const key = (await leaver.request('POST', `${PORTAL}/keys`, { label: 'own', scopes: ['mcp:read'] })).body;
  const page = await portalPage(t, app, { path: `${USERS}/${leaver.user.id}` });
  await page.getByRole('button', { name: 'Deactivate …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('what connected applications may do for them').waitFor();
  await focused(dialog);
  await assertFits(page);
  await dialog.getByRole('checkbox', { name: /Revoke their API keys/ }).check();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Deactivated: this user cannot log in.').waitFor();
  assert.equal((await leaver.request('GET', `${PORTAL}/me`)).status, 401);
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
  const { status } = await app.request('GET', '/api/v1/portal/me', undefined, { 'x-api-key': key.key });
  assert.equal(status, 401, 'the key is void');
  await page.getByRole('button', { name: 'Reactivate …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('button', { name: 'Deactivate …' }).waitFor();
});

rareBrowserTest('User: what one may not do is disabled, with the reason', async (t) => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const chief = await newUser(app, { role: 'SUPER_ADMIN' });
  const page = await pageOf(t, app, admin, `${USERS}/${admin.user.id}`);
  const isRefused = async (name: string, reason: RegExp) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
    assert.match((await button.getAttribute('title')) ?? '', reason);
  };
  await isRefused('Deactivate …', /another administrator can/);
  await isRefused('Set a password …', /“Your account”/);
  await page.goto(`${app.url}${USERS}/${chief.id}`);
  await isRefused('Deactivate …', /Only a super administrator/);
  await isRefused('Set a password …', /Only a super administrator/);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('E-mail').getAttribute('readonly'), '');
  await dialog.getByText('Cancel').click();
  const viewer = await portalPage(t, app, { path: USERS, role: 'VIEWER' });
  await viewer.getByText(/Only administrators see users. Your role is Viewer/).waitFor();
});

rareBrowserTest('Invitation: a used link leads to the login; a revoked one says so', async (t) => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'ADMIN' });
  const page = await pageOf(t, app, admin, USERS);
  const link = await invite(page, 'twice@example.com');
  await assertFits(page);
  const guest = await openPage(t, { origin: app.url, expected: /401|410/ });
  await join(guest, link, 'Twice');
  await guest.getByRole('link', { name: /Twice/ }).waitFor();
  await guest.goto(new URL('/invitation', link).href);
  await guest.getByRole('heading', { name: 'Open the link from your invitation again' }).waitFor();
  await assertFits(guest);
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'This invitation works no more' }).waitFor();
  await assertFits(guest);
  await guest.getByRole('link', { name: 'log in' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await guest.goto(await invite(page, 'once@example.com'));
  await guest.getByText('You are logged in as Twice in this browser. Joining logs you out there.').waitFor();
  assert.equal(new URL(guest.url()).hash, '');
  await assertFits(guest);
});

rareBrowserTest('Invitation: a required second factor is added before the first page', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const link = await invite(await pageOf(t, app, admin, USERS), 'factor@example.com');
  await app.runtime.tenants.changeSettings(app.tenantId, { secondFactor: 'everyone' }, null);
  const guest = await openPage(t, { origin: app.url, expected: /401/ });
  await join(guest, link, 'Factor');
  await guest.getByText('Your tenant requires a second factor.').waitFor();
  await assertFits(guest);
  await guest.getByRole('button', { name: 'Authenticator app' }).click();
  await guest.getByText('Enter a key instead').click();
  const secret = (await guest.locator('code').innerText()).replaceAll(' ', '');
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) });
  await guest.getByRole('textbox', { name: 'Code' }).fill(code);
  await guest.getByRole('button', { name: 'Add' }).click();
  await guest.getByRole('button', { name: 'I have kept them' }).click();
  await guest.getByRole('link', { name: /Factor/ }).waitFor();
});

rareBrowserTest('Invitation: without passwords it leads to the identity provider', async (t) => {
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK });
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { name: 'Corp', issuer: provider.issuer, allowedDomains: ['example.com'] });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const link = await invite(await pageOf(t, app, admin, USERS), 'sso@example.com');
  await app.runtime.tenants.changeSettings(app.tenantId, { passwordLogin: false }, null);
  const guest = await openPage(t, { origin: app.url, expected: /401/ });
  await guest.goto(link);
  await guest.getByText(/This workspace has no passwords/).waitFor();
  await guest.getByLabel('Your name').fill('Sso');
  await guest.getByRole('button', { name: 'Continue to the login' }).click();
  await guest.getByRole('link', { name: 'Continue with Corp' }).waitFor();
  const [user] = await app.runtime.userStore.findByEmail('sso@example.com', app.tenantId);
  assert.equal(user?.role, 'USER');
});

/** An MCP host that waits for its code. */
async function host(t: TestContext) {
  const server = createServer((_request, response) => response.end('You can close this page.'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { redirectUri, answer: once(server, 'request').then(([{ url }]) => new URL(url, redirectUri)) };
}

rareBrowserTest('Newcomer: a colleague is invited, and connects a client by login', async (t) => {
  const app = await testApp(t);
  const admin = await newPerson(app, { role: 'ADMIN' });
  const link = await invite(await pageOf(t, app, admin, USERS), 'colleague@example.com');
  const { redirectUri, answer } = await host(t);
  const guest = await openPage(t, { origin: app.url, expected: new RegExp(`401|^request to ${redirectUri}`) });
  await join(guest, link, 'Colleague');
  await guest.getByRole('link', { name: /Colleague/ }).waitFor();
  await guest.getByRole('button', { name: 'Log out' }).click();
  await guest.getByLabel('Password').waitFor();

  const { body } = await registerClient(app, { redirect_uris: [redirectUri], client_name: 'Claude Code' });
  const asked = { clientId: body.client_id, redirectUri, scope: 'mcp:read' };
  const { verifier, address } = await authorize(app, asked);
  await guest.goto(address);
  await logIn(guest, 'colleague@example.com', PASSWORD);
  await guest.getByRole('heading', { name: 'Connect Claude Code?' }).waitFor();
  await guest.getByRole('button', { name: 'Allow' }).click();
  const code = (await answer).searchParams.get('code') ?? '';
  const begun = { id: '', cookies: [], clientId: body.client_id, redirectUri, verifier };
  const { body: tokens } = await exchange(app, begun, code);
  assert.equal((await callMcp(app, tokens.access_token)).status, 200);
});
