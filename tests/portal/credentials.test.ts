import assert from 'node:assert/strict';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { connector } from '../support/connectors.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

const PATH = '/settings/credentials';
const SECRET = 'the-secret-itself';

const stored = async ({ runtime, tenantId }: TestApp, name: string) =>
  (await runtime.credentials.list(tenantId)).find((one) => one.name === name);

browserTest('Credentials: set, replaced, sent to other hosts, and removed once none lists it', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { runtime, tenantId } = app;
  const page = await portalPage(t, app, { path: PATH, expected: /400|409/ });
  await page.getByText('No credential yet').waitFor();
  await page.getByRole('button', { name: 'New credential' }).click();
  const form = page.getByRole('dialog', { name: 'New credential' });
  await form.getByRole('button', { name: 'Set' }).click();
  await form.getByText('Must not be empty').waitFor();
  await form.getByLabel('Name', { exact: true }).fill('pets');
  await form.getByLabel('Hosts').fill('https://pets.example.com');
  await form.getByLabel('Secret', { exact: true }).fill(SECRET);
  await form.getByRole('button', { name: 'Set' }).click();
  await form.getByText('Must be a host name').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByLabel('Hosts').fill('pets.example.com\nauth.example.com');
  await form.getByRole('button', { name: 'Set' }).click();
  await announced(page, 'The credential was set');
  const row = page.getByRole('listitem').filter({ hasText: 'pets' });
  await row.getByText('No connector lists it').waitFor();
  await row.getByText('no call has used it').waitFor();
  assert.equal((await runtime.credentials.secretOf(tenantId, 'pets')).secret, SECRET);

  await row.getByRole('button', { name: 'Replace the secret of pets' }).click();
  const replace = page.getByRole('dialog', { name: 'Replace the secret of pets' });
  await replace.getByLabel('New secret').fill('another');
  await replace.getByRole('button', { name: 'Replace' }).click();
  await announced(page, 'The secret was replaced');
  assert.deepEqual((await stored(app, 'pets'))?.hosts, ['pets.example.com', 'auth.example.com']);

  await row.getByRole('button', { name: 'Change the hosts of pets' }).click();
  const hosts = page.getByRole('dialog', { name: 'Change the hosts of pets' });
  await hosts.getByLabel('Hosts', { exact: true }).fill('api.example.com');
  await hosts.getByLabel('Secret', { exact: true }).fill('another');
  await hosts.getByRole('button', { name: 'Change' }).click();
  await row.getByText('Sent to api.example.com').waitFor();

  const environments = { production: { baseUrl: 'https://api.example.com' } };
  await runtime.connectors.apply(tenantId, [connector({ environments, credentials: ['pets'] })], null);
  // The list still says that none does.
  await row.getByRole('button', { name: 'Remove pets' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove pets?' });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('alert').getByText('connector "pets" lists it. Change that first.').waitFor();
  await page.reload();
  await row.getByText('Connector pets lists it.').waitFor();
  await row.getByText('last used').waitFor();
  const remove = row.getByRole('button', { name: 'Remove pets' });
  assert.equal(await remove.getAttribute('title'), 'Connector pets lists it: change that first.');
  assert.ok(!(await page.content()).includes(SECRET));
  await assertFits(page);
  await runtime.connectors.remove(tenantId, 'pets', null);
  await page.reload();
  await row.getByRole('button', { name: 'Remove pets' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No credential yet').waitFor();
});

rareBrowserTest('Credentials: found by name, host and connector, on a narrow window', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { runtime, tenantId } = app;
  for (let number = 10; number < 65; number++) {
    const hosts = [`host-${number}.example.com`];
    await runtime.credentials.set(tenantId, { name: `credential-${number}`, secret: SECRET, hosts }, null);
  }
  await runtime.connectors.apply(tenantId, [connector({ slug: 'shop', credentials: ['credential-11'] })], null);
  const viewport = { width: 320, height: 640 };
  const page = await portalPage(t, app, { path: PATH, expected: /412/, viewport });
  await page.getByText('credential-10', { exact: true }).waitFor();
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await assertFits(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('credential-64', { exact: true }).waitFor();
  for (const [search, found] of [
    ['HOST-20', 'credential-20'],
    ['shop', 'credential-11'],
  ] as const) {
    await page.getByRole('searchbox').fill(search);
    await page.waitForURL(`**${PATH}?search=${search}`);
    await page.getByText(found, { exact: true }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Credentials' }).getByRole('listitem').count(), 1);
  }
  await page.reload();
  await page.getByText('credential-11', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('nothing');
  await page.getByRole('link', { name: 'Show all credentials' }).click();
  await page.getByText('credential-10', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New credential' }).click();
  const form = page.getByRole('dialog', { name: 'New credential' });
  // Set by a colleague since the list was read.
  await runtime.credentials.set(tenantId, { name: 'theirs', secret: SECRET, hosts: ['api.example.com'] }, null);
  await form.getByLabel('Name', { exact: true }).fill('theirs');
  await form.getByLabel('Hosts').fill('other.example.com');
  await form.getByLabel('Secret', { exact: true }).fill('another');
  await form.getByRole('button', { name: 'Set' }).click();
  await form.getByRole('alert').getByText('There is a credential "theirs" already').waitFor();
  assert.equal((await runtime.credentials.secretOf(tenantId, 'theirs')).secret, SECRET);
  await assertFits(page);
});

rareBrowserTest('Credentials: the keyboard alone sets one', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH });
  await page.getByText('No credential yet').waitFor();
  await page.getByRole('button', { name: 'New credential' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('pets');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('pets.example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type(SECRET);
  await page.keyboard.press('Enter');
  await announced(page, 'The credential was set');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual((await stored(app, 'pets'))?.hosts, ['pets.example.com']);
});

rareBrowserTest('Credentials: others read that administrators see them', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH, role: 'USER' });
  await page.getByText('Only administrators see credentials. Your role is Member').waitFor();
  await assertFits(page);
});
