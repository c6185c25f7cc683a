import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { storedKey } from '../contracts/key-store.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, focused } from './support.ts';

const PATH = '/settings/keys';

/** A key of the app's tenant. */
async function addKey({ runtime, tenantId }: TestApp, id: string, members: Parameters<typeof storedKey>[1] = {}) {
  await runtime.keyStore.create(storedKey(id, { tenantId, createdAt: Date.now(), ...members }));
}

const refused = ({ runtime }: TestApp, key: string) =>
  runtime.keyAuthenticator.authenticate(key).then(
    () => false,
    () => true,
  );

async function shownKey(page: Page): Promise<string> {
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  assert.match(key, /^ar_\w{12}_\w{43}$/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return key;
}

browserTest('API keys: made from a preset, rotated with an overlap, found and revoked', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH, expected: /400|500/ });
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('radio', { name: 'Send events' }).check();
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByText('Must not be empty').waitFor();
  await form.getByLabel('Label').fill('Website');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click();
  assert.equal(await form.getByLabel('Label').inputValue(), 'Website');
  await form.getByRole('button', { name: 'Make the key' }).click();
  const made = page.getByRole('dialog', { name: 'The key Website is made' });
  await made.getByText('it is not shown again').waitFor();
  assert.match(await made.getByRole('region', { name: 'Setup' }).innerText(), /curl .*\n.*x-api-key: ar_/);
  await page.keyboard.press('Escape');
  await made.getByRole('alert').getByText('This is shown only now').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const first = await shownKey(page);
  const { scopes } = await app.runtime.keyAuthenticator.authenticate(first);
  assert.deepEqual(scopes, ['events:write']);

  const row = page.getByRole('listitem').filter({ hasText: 'Website' });
  await row.getByRole('button', { name: 'Rotate Website' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate Website?' });
  await rotation.getByLabel('The old secret works').selectOption({ label: '1 day' });
  await rotation.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByText('The old secret works until').waitFor();
  const second = await shownKey(page);
  await row.getByText('The secret before the rotation works until').waitFor();
  assert.deepEqual([await refused(app, first), await refused(app, second)], [false, false]);

  await page.getByRole('searchbox').fill(second);
  await page.waitForURL(`**${PATH}?search=${second.split('_')[1]}`);
  await page.getByText('1 key', { exact: true }).waitFor();
  await assertFits(page);
  await row.getByRole('button', { name: 'Revoke Website' }).click();
  const revocation = page.getByRole('dialog', { name: 'Revoke Website?' });
  await revocation.getByText('Record events').waitFor();
  await focused(revocation);
  await page.keyboard.press('Escape');
  await focused(row.getByRole('button', { name: 'Revoke Website' }));
  await page.keyboard.press('Enter');
  const body = { statusCode: 500, error: 'Internal Server Error', message: 'Internal error', requestId: 'r-1' };
  await page.route('**/api/v1/portal/keys/*', (route) => route.fulfill({ status: 500, json: body }), { times: 1 });
  await revocation.getByRole('button', { name: 'Revoke' }).click();
  await revocation.getByText('Request r-1').waitFor();
  await focused(revocation.getByRole('button', { name: 'Revoke' }));
  await page.keyboard.press('Enter');
  await announced(page, 'The key was revoked');
  assert.deepEqual([await refused(app, first), await refused(app, second)], [true, true]);
  await page.getByText('No key matches').waitFor();
  await page.getByLabel('State').selectOption('revoked');
  await row.getByText('Revoked', { exact: true }).waitFor();
  await page.reload();
  await row.getByText('Revoked', { exact: true }).waitFor();
});

rareBrowserTest("Newcomer: a key for a colleague's agent, from an empty workspace", async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.ingest([{ eventName: 'order_paid', properties: { amount: 9.5 } }]);
  const page = await portalPage(t, app);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label', { exact: true }).fill("Grace's agent");
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('region', { name: 'Setup' }).waitFor();
  await page.goBack();
  await page.getByRole('alert').getByText('This is shown only now').waitFor();
  assert.equal(new URL(page.url()).pathname, PATH);
  const setup = await page.getByRole('region', { name: 'Setup' }).innerText();
  const [, url, key] = /(http\S+\/mcp) .*x-api-key: (ar_\w+)/s.exec(setup)!;
  assert.equal(url, `${app.url}/mcp`);
  await shownKey(page);

  const client = await app.mcpClient(key!);
  const { content } = await client.callTool({
    name: 'aggregate_events',
    arguments: { eventName: 'order_paid', aggregation: 'count', agentId: '*' },
  });
  assert.match(JSON.stringify(content), /1/);
  await page.reload();
  await page
    .getByRole('listitem')
    .filter({ hasText: "Grace's agent" })
    .getByText(/last used/)
    .waitFor();
});

rareBrowserTest('API keys: the keys of somebody who left are found and revoked together', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const left = await newUser(app, { isActive: false, name: 'Who Left' });
  for (const id of ['first', 'second']) await addKey(app, id, { createdBy: left.id });
  await addKey(app, 'of the operator');
  const here = await newUser(app, { name: 'Who Stays' });
  await addKey(app, 'kept', { createdBy: here.id });
  const page = await portalPage(t, app, { path: PATH });
  await page.getByRole('listitem').filter({ hasText: 'first' }).getByRole('link', { name: 'Who Left' }).click();
  await page.waitForURL(`**${PATH}?maker=${left.id}`);
  await page.getByRole('link', { name: 'Show the keys of everybody' }).click();
  await page.getByText('of the operator').first().waitFor();
  await page.getByRole('button', { name: 'Keys of people who left' }).click();
  await page.waitForURL(`**${PATH}?leavers=true`);
  await page.getByText('2 keys', { exact: true }).waitFor();
  assert.equal(await page.getByText('of the operator').count(), 0);
  assert.equal(await page.getByText('Who Stays').count(), 0);
  await assertFits(page);
  await page.getByRole('button', { name: 'Revoke all keys of Who Left' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke all keys of Who Left?' });
  await dialog.getByText('2 working keys that Who Left made').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Revoke all' }).click();
  await page.getByText('Nobody who left has a working key').waitFor();
  await page.goBack();
  await page.waitForURL(`**${PATH}?maker=${left.id}`);
  await page.getByText('No key matches').waitFor();
});

rareBrowserTest('API keys: a viewer makes their own, and reads why nothing more', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await addKey(app, 'of the operator');
  const page = await portalPage(t, app, {
    path: PATH,
    role: 'VIEWER',
    viewport: { width: 320, height: 640 },
    expected: /400/,
  });
  await page.getByText('No working key').waitFor();
  const leavers = page.getByRole('button', { name: 'Keys of people who left' });
  assert.equal(await leavers.getAttribute('aria-disabled'), 'true');
  assert.match((await leavers.getAttribute('title')) ?? '', /Administrators see those/);
  await assertFits(page);
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  const server = form.getByRole('radio', { name: 'Server' });
  assert.ok(await server.isDisabled());
  await form.getByText('Your role does not have: Record events · Record runs').waitFor();
  await form.getByRole('radio', { name: 'Own choice' }).check();
  assert.ok(await form.getByRole('checkbox', { name: 'Everything' }).isDisabled());
  await form.getByLabel('Label').fill('Reader');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByText('Needs at least one scope').waitFor();
  await focused(form.getByRole('checkbox', { disabled: false }).first());
  await form.getByRole('checkbox', { name: 'Read dashboards' }).check();
  await form.getByLabel('Expires').selectOption({ label: 'In 30 days' });
  await assertFits(page);
  await form.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('region', { name: 'Setup' }).waitFor();
  await assertFits(page);
  const { scopes } = await app.runtime.keyAuthenticator.authenticate(await shownKey(page));
  assert.deepEqual(scopes, ['dashboards:read']);
  await page.getByText(/Expires in (29|30) days/).waitFor();
  await assertFits(page);
});

rareBrowserTest('API keys: the keyboard alone makes, rotates and revokes one', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH });
  await page.getByRole('button', { name: 'New key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Label').focus();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByRole('radio', { name: 'Send events' }).isChecked());
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'The key By keys is made' }).waitFor();
  await tabTo(page, 'I have copied it');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, 'Rotate By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rotate By keys?' }).waitFor();
  await tabTo(page, 'Rotate');
  await page.keyboard.press('Enter');
  await page.getByText('The old secret works until').waitFor();
  await tabTo(page, 'I have copied it');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, 'Revoke By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Revoke By keys?' }).waitFor();
  await tabTo(page, 'Revoke');
  await page.keyboard.press('Enter');
  await announced(page, 'The key was revoked');
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
});

/** Presses Tab until the button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(document.activeElement.ariaLabel ?? document.activeElement.textContent)`;
  for (let presses = 0; presses < 60; presses++) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${name}.`);
}

rareBrowserTest('API keys: 5,000 keys appear at once, page by page', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const [left, now] = [await newUser(app, { isActive: false, name: 'Who Left' }), Date.now()];
  for (let number = 0; number < 5_000; number++) {
    const createdBy = number % 10 === 0 ? left.id : null;
    const revokedAt = number < 4_000 ? now : null;
    await addKey(app, `key-${number}`, { createdAt: now - 5_000 + number, createdBy, revokedAt });
  }
  const page = await portalPage(t, app, { path: `${PATH}?state=all` });
  await page.getByText('5,001 keys · page 1 of 101').waitFor();
  const started = performance.now();
  await page.reload({ waitUntil: 'commit' });
  await page.getByText('5,001 keys · page 1 of 101').waitFor();
  t.diagnostic(`milliseconds until the page shows its first rows: ${Math.round(performance.now() - started)}`);
  for (const [query, first] of [
    ['state=all&page=100', 'key-49'],
    ['state=all&search=key-17', 'key-1799'],
    ['leavers=true', 'key-4990'],
  ] as const) {
    await page.goto(`${app.url}${PATH}?${query}`);
    await page.getByRole('listitem').filter({ hasText: first }).first().waitFor();
  }
  await assertFits(page);
  const took = await page.evaluate<
    number[]
  >(`Promise.all(['', 'state=active', 'leavers=true', 'search=key-17', 'offset=4900'].map(async (query) => {
    const started = performance.now();
    await (await fetch('/api/v1/portal/keys?' + query, { headers: { 'x-requested-with': 'portal' } })).json();
    return Math.round(performance.now() - started);
  }))`);
  t.diagnostic(`milliseconds until the rows are there, five requests at once: ${took.join(', ')}`);
});
