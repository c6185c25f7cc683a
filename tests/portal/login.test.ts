import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, openPage, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';
import { assertFits } from './support.ts';

const sharedApp = appOfThisFile();

const PASSWORD = 'correct horse battery staple';

browserTest('Login: leads to the requested page, and logging out ends the session', async (t) => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const page = await openPage(t, { origin: app.url, expected: /401|ERR_FAILED/ });
  await page.goto(`${app.url}/connect?client=cursor`);
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  assert.equal(await page.getByText('Your session has ended').count(), 0, 'there was none');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  assert.equal(page.url(), `${app.url}/connect?client=cursor`);
  assert.equal(await page.getByRole('tab', { name: 'Cursor' }).getAttribute('aria-selected'), 'true');
  const [session] = (await page.context().cookies()).filter(({ name }) => name === 'ar_session');
  assert.deepEqual([session?.httpOnly, session?.sameSite], [true, 'Strict']);

  await page.route('**/portal/logout', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('status').getByText('The server cannot be reached.').waitFor();
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor();
  await page.goto(`${app.url}/logout`);
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.goto(`${app.url}/connect`);
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});

browserTest('Login: reports a wrong password, and redirects to no other site', async (t) => {
  const app = await sharedApp();
  const { email } = await newUser(app, { password: PASSWORD });
  const page = await openPage(t, { origin: app.url, expected: /401/ });
  await page.goto(`${app.url}/login?to=//elsewhere.example/steal`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('wrong').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.equal(new URL(page.url()).origin, app.url);
});

browserTest('Login: a link logs in once, and its secret leaves the address', async (t) => {
  const app = await sharedApp();
  const user = await newUser(app, { role: 'ADMIN' });
  const page = await openPage(t, { origin: app.url, expected: /401/ });
  const link = `${app.url}/login#link=${await app.runtime.logins.issueLink(user, 60_000)}`;
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.equal(page.url(), `${app.url}/`);

  const again = await openPage(t, { origin: app.url, expected: /401/ });
  await again.goto(link);
  await again.getByRole('alert').getByText('used already').waitFor();
  assert.doesNotMatch(again.url(), /link=/);
});

browserTest('Login: fits a window of 320 pixels', async (t) => {
  const app = await sharedApp();
  const page = await openPage(t, { origin: app.url, viewport: { width: 320, height: 640 } });
  await page.goto(`${app.url}/login`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  assert.equal(await scrollsSideways(page), false);
});

rareBrowserTest('Login: over plain http from another address, instructions replace the form', async (t) => {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return t.skip('this machine has no address but its own');
  const app = await testApp(t, { host: '0.0.0.0' });
  const { port } = new URL(app.url);
  const origin = `http://${address}:${port}`;
  const user = await newUser(app, { role: 'ADMIN' });
  const secret = await app.runtime.logins.issueLink(user, 60_000);
  const viewport = { width: 320, height: 640 };
  const page = await openPage(t, { origin, viewport, expected: /401|Cross-Origin-Opener-Policy|Origin-Agent-Cluster/ });
  await page.goto(`${origin}/connect`);
  await page.getByText('works over https').waitFor();
  assert.equal(await page.getByLabel('Password').count(), 0);
  await page.getByText(`ssh -L 3000:127.0.0.1:${port} ${address}`).waitFor();
  await assertFits(page);

  await page.goto(`${origin}/login#link=${secret}`);
  const local = page.getByRole('link', { name: 'http://127.0.0.1:3000' });
  assert.equal(await local.getAttribute('href'), `http://127.0.0.1:3000/login#link=${secret}`);
  const tunnel = await openPage(t, { origin: app.url });
  await tunnel.goto(`${app.url}/login#link=${secret}`);
  await tunnel.getByRole('navigation', { name: 'Main' }).waitFor();
});

browserTest('Session: an ended session leads to the login, which knows the way back', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/connect', expected: /401/ });
  await page.getByLabel('Label').fill('mine');
  // A request of the page itself would find the ended session first.
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Make a read key' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('to'), '/connect');
  await page.getByText('Your session has ended.').waitFor();
});

rareBrowserTest('Session: one that ends keeps the changed form of a dialog', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/settings/keys', expected: /401/ });
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByLabel('Label').fill('Kept');
  await page.waitForLoadState('networkidle');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await form.getByRole('button', { name: 'Make the key' }).click();
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await ended.getByRole('button', { name: 'Stay here' }).click();
  await ended.waitFor({ state: 'detached' });
  await page.context().addCookies(cookies);
  await form.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('dialog', { name: 'The key Kept is made' }).waitFor();
});

rareBrowserTest('Session: one that ends keeps an unsaved card, to be saved after a new login', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'visit', agentId: 'default' }]);
  const page = await portalPage(t, app, { path: '/cards/new', expected: /401/ });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('combobox', { name: 'Event', exact: true }).fill('visit');
  await page.getByRole('option', { name: /^visit/ }).click();
  await page.getByRole('img').waitFor();
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('Last 7 days');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('link', { name: 'Log in in a new tab' }).waitFor();
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  assert.equal(await page.getByRole('combobox', { name: 'Event', exact: true }).inputValue(), 'visit');
  assert.ok(asked.filter((url) => url.endsWith('/portal/me')).length < 5, 'it does not ask again and again');

  await page.context().addCookies(cookies);
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByText(/was added/).waitFor();
});

browserTest('Session: a change after its end leads to the login', async (t) => {
  const app = await sharedApp();
  const tab = { agentId: 'support', name: 'Sales' };
  const made = await app.request('POST', '/api/v1/runtime/observability/dashboard-tabs', tab);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const page = await portalPage(t, app, { expected: /401/ });
  await page.getByRole('button', { name: 'New tab' }).click();
  await page.context().clearCookies();
  await page.getByRole('textbox', { name: 'Name' }).fill('Late');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});
