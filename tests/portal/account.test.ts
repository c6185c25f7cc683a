import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { browserName } from '../../portal/src/pages/account/browser-name.ts';
import { messageFor } from '../../portal/src/second-factor/messages.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, openPage, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';
import { logIn } from './support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });

const PASSWORD = 'correct horse battery staple';

const localhost = (app: TestApp) => app.url.replace('127.0.0.1', 'localhost');

const epoch = () => Math.floor(Date.now() / 1_000);

/** The code of the next step, which is accepted and was not used to add the app. */
const nextCode = (secret: string) => generate({ secret, epoch: epoch() + 30 });

async function accountPage(t: Parameters<typeof openPage>[0], app: TestApp, role: 'ADMIN' | 'USER' = 'USER') {
  const origin = localhost(app);
  const { email, id } = await newUser(app, { password: PASSWORD, role });
  const page = await openPage(t, { origin, expected: /40[13]|422/ });
  await page.goto(`${origin}/login?to=/account`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  return { page, email, id, origin };
}

/** Adds an authenticator app on the account page; the secret is what the user could type. */
async function addApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await dialog.getByText('Enter a key instead').click();
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(await generate({ secret, epoch: epoch() }));
  await dialog.getByRole('button', { name: 'Add' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const shown = await codes.allInnerTexts();
  assert.equal(shown.length, 10);
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('This is shown only now').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return { secret, codes: shown };
}

/** A security key in Chromium, which verifies its user and answers at once. */
async function virtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

rareBrowserTest('Account: an authenticator app is added, and the login asks for its code', async (t) => {
  const app = await sharedApp();
  const { page, email, origin } = await accountPage(t, app);
  const { secret, codes } = await addApp(page);
  await page.getByText('10 of 10 are left').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await scrollsSideways(page), false);
  await page.setViewportSize({ width: 1280, height: 860 });

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${origin}/login?to=/account`);
  await logIn(page, email, PASSWORD);
  const code = page.getByLabel('Code of your authenticator app');
  await code.waitFor();
  assert.equal(await code.getAttribute('autocomplete'), 'one-time-code');
  assert.deepEqual(await accessibilityFaults(page), []);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The code is wrong').waitFor();
  await code.fill(await nextCode(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();

  await page.getByRole('button', { name: 'Log out' }).click();
  await logIn(page, email, PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Your account/ }).click();
  await page.getByText('9 of 10 are left').waitFor();
});

rareBrowserTest('Account: a passkey is the second factor, and logs in alone', async (t) => {
  const app = await sharedApp();
  const { page, email, origin } = await accountPage(t, app);
  await virtualAuthenticator(page);
  await page.getByRole('button', { name: 'Passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue key');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('passkey for localhost').waitFor();
  await page.getByRole('button', { name: 'Rename Blue key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Red key');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Red key' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Log out' }).click();
  await logIn(page, email, PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${origin}/login?to=/account`);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.getByText('Red key').waitFor();
});

rareBrowserTest('Account: a change asks for the second factor, and is then made', async (t) => {
  const app = await sharedApp();
  const user = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const { page, secret, codes } = await loggedInWithApp(t, app, user.email);
  // As ten minutes later.
  const [session] = (await app.runtime.sessions.list(await callerOf(app, page), { limit: 1, offset: 0 })).items;
  await forgetSecondFactor(app, session!.id);
  await page.getByRole('link', { name: 'MCP clients', exact: true }).click();
  await page.getByRole('button', { name: 'Make a read key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').getByText('needs your second factor').waitFor();
  await page.getByRole('button', { name: 'Make a read key' }).click();
  await dialog.getByLabel('Code of your authenticator app').fill(await nextCode(secret));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This is shown once').waitFor();

  await page.goto(`${localhost(app)}/account`);
  await forgetSecondFactor(app, session!.id);
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog.getByRole('textbox').fill(codes[0]!);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have kept them' }).click();

  await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('your password alone logs nobody in').waitFor();
});

async function loggedInWithApp(t: Parameters<typeof openPage>[0], app: TestApp, email: string) {
  const page = await openPage(t, { origin: localhost(app), expected: /40[13]|422/ });
  await page.goto(`${localhost(app)}/login?to=/account`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  return { page, ...(await addApp(page)) };
}

async function callerOf(app: TestApp, page: Page) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'ar_session');
  return app.runtime.sessions.authenticate(cookie!.value);
}

function forgetSecondFactor(app: TestApp, session: string): Promise<unknown> {
  return app.runtime.sessionStore.recordSecondFactor(session, Date.now() - 11 * 60_000);
}

rareBrowserTest('Account: where a second factor is required, the login adds one', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.runtime.tenants.changeSettings('default', { secondFactor: 'everyone' }, null);
  const origin = localhost(app);
  const { email } = await newUser(app, { password: PASSWORD });
  const page = await openPage(t, { origin, expected: /422/ });
  await page.goto(`${origin}/login`);
  await logIn(page, email, PASSWORD);
  await page.getByText('Your tenant requires a second factor').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  await page.getByText('Enter a key instead').click();
  const secret = (await page.locator('details code').innerText()).replaceAll(' ', '');
  await page.getByRole('textbox', { name: 'Code' }).fill(await generate({ secret, epoch: epoch() }));
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await scrollsSideways(page), false);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Menu' }).waitFor();
});

rareBrowserTest('Account: at an IP address it says why there are no passkeys', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/account', role: 'USER' });
  const { port } = new URL(app.url);
  await page.getByRole('link', { name: `http://localhost:${port}/account` }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Passkey' }).count(), 0);
});

browserTest('Account: other sessions are ended, and a new password ends all', async (t) => {
  const app = await sharedApp();
  const { page, id } = await accountPage(t, app);
  const user = (await app.runtime.userStore.find(id))!;
  for (const address of ['198.51.100.7', '198.51.100.8', '198.51.100.9'])
    await app.runtime.sessions.open(user, { address });
  await page.reload();
  await page.getByRole('button', { name: 'End the session from 198.51.100.7' }).click();
  await page.getByText('198.51.100.7').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByText('198.51.100.9').waitFor({ state: 'detached' });
  await page.getByText('this one', { exact: true }).waitFor();

  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('seven green bicycles');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').getByText('is not your password').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('Account: sessions are named by browser and system', () => {
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} CriOS/156.0 Safari/604.1`, 'Chrome on iPhone'],
    [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/156.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['curl/8.9.1', 'curl/8.9.1'],
    [null, 'Unknown client'],
  ] as const) {
    assert.equal(browserName(userAgent), name);
  }
});

test('Passkey: the refusals of browsers are explained', () => {
  const said = (name: string) => messageFor({ name, message: 'technical' }, 'kpi.example.com');
  assert.match(said('NotAllowedError'), /cancelled/);
  assert.match(said('InvalidStateError'), /has a passkey/);
  assert.match(said('SecurityError'), /at kpi\.example\.com alone/);
  assert.match(said('UnknownError'), /technical/);
});
