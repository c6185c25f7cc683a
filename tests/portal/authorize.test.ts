import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, openPage, rareBrowserTest } from '../support/browser.ts';
import { authorize, callMcp, connect, exchange, registerClient } from '../support/oauth.ts';
import { newPerson, newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, logIn } from './support.ts';

const PASSWORD = 'correct horse battery';

async function application(t: TestContext): Promise<{ redirectUri: string; answer: Promise<URL> }> {
  const server = createServer((_request, response) => response.end('You can close this page.'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const answer = once(server, 'request').then(([{ url }]) => new URL(url, redirectUri));
  return { redirectUri, answer };
}

browserTest('Portal: a person logs in, looks, allows less, and the application gets it', async (t) => {
  const app = await testApp(t);
  const { email } = await newUser(app, { password: PASSWORD, role: 'USER' });
  const { redirectUri, answer } = await application(t);
  const { body } = await registerClient(app, { redirect_uris: [redirectUri], client_name: 'Claude Code' });
  const asked = { clientId: body.client_id, redirectUri, scope: 'mcp:read knowledge:read chat:write' };
  // Only its verifier is used: the browser begins a request of its own with the same challenge.
  const { verifier, address } = await authorize(app, asked);
  const page = await openPage(t, { origin: app.url, expected: new RegExp(`401|^request to ${redirectUri}`) });
  await page.goto(address);
  await logIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'Connect Claude Code?' }).waitFor();
  assert.match(await page.getByRole('main').innerText(), /Gave itself this name: not verified/);
  assert.match(await page.getByRole('main').innerText(), new RegExp(`goes to ${new URL(redirectUri).origin}`));
  assert.equal(await page.getByRole('checkbox', { name: /Chat with language models/ }).isDisabled(), true);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('checkbox', { name: /Search documents/ }).uncheck();
  await page.getByLabel('For how long').selectOption({ label: '7 days' });
  await page.getByRole('button', { name: 'Allow' }).click();
  const { searchParams } = await answer;
  const code = searchParams.get('code') ?? '';
  const { body: tokens } = await exchange(
    app,
    { id: '', cookies: [], clientId: body.client_id, redirectUri, verifier },
    code,
  );
  assert.equal(tokens.scope, 'mcp:read');
  assert.equal((await callMcp(app, tokens.access_token)).status, 200);
});

browserTest('Portal: a request is refused, and is over then', async (t) => {
  const app = await testApp(t);
  const { redirectUri, answer } = await application(t);
  const { body } = await registerClient(app, { redirect_uris: [redirectUri] });
  const { address } = await authorize(app, { clientId: body.client_id, redirectUri });
  const expected = new RegExp(`^request to ${redirectUri}|404`);
  const page = await portalPage(t, app, { expected });
  await page.goto(address);
  const ofRequest = page.url();
  const path = new URL(ofRequest).pathname;
  const other = await portalPage(t, app, { path, expected: /401/ });
  await other.getByRole('button', { name: 'Use another account' }).click();
  await other.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.equal(new URL(other.url()).searchParams.get('to'), path);
  await page.getByRole('button', { name: 'Refuse' }).click();
  assert.equal((await answer).searchParams.get('error'), 'access_denied');
  await page.waitForURL(new RegExp(`^${redirectUri}`));
  await page.goto(ofRequest);
  await page.getByRole('heading', { name: 'This request is over' }).waitFor();
});

rareBrowserTest('Portal: connected applications are listed, and their access is ended', async (t) => {
  const app = await testApp(t);
  const person = await newPerson(app);
  const { tokens } = await connect(app, person);
  const page = await portalPage(t, app, { path: '/applications' });
  await page.getByText('Test Host').waitFor();
  assert.match(await page.getByRole('main').innerText(), new RegExp(person.user.email));
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'End access of Test Host' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByText('No application is connected').waitFor();
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
});

rareBrowserTest('Portal: an application is held to less than the person, and its grant says so', async (t) => {
  const app = await testApp(t);
  const filters = [{ propertyKey: 'country', operator: 'eq' as const, value: 'BR' }];
  await app.runtime.tenants.changeSettings(app.tenantId, { roleLimits: { USER: { filters } } }, null);
  const { redirectUri, answer } = await application(t);
  const { body } = await registerClient(app, { redirect_uris: [redirectUri], client_name: 'Claude Code' });
  const asked = { clientId: body.client_id, redirectUri, scope: 'mcp:read' };
  const { verifier, address } = await authorize(app, asked);
  const viewport = { width: 320, height: 640 };
  const page = await portalPage(t, app, { role: 'USER', viewport, expected: new RegExp(`^request to ${redirectUri}`) });
  await page.goto(address);
  await page.getByText('You are held to a part of the tenant: only country is BR').waitFor();
  await page.getByText('Hold it to a part of the tenant').click();
  await page.getByLabel('Only this agent').fill('support');
  await page.keyboard.press('Tab');
  await assertFits(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  const code = (await answer).searchParams.get('code') ?? '';
  await exchange(app, { id: '', cookies: [], clientId: body.client_id, redirectUri, verifier }, code);
  await page.waitForURL(new RegExp(`^${redirectUri}`));
  await page.goto(`${app.url}/applications`);
  await page.getByText('Only agent support; only country is BR').waitFor();
  await assertFits(page);
});
