import assert from 'node:assert/strict';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';
import { announced, assertFits } from './support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
const BRAZIL = { propertyKey: 'country', operator: 'eq', value: 'BR' } as const;
const NARROW = { width: 320, height: 640 };

browserTest('Limits: a key is held to an agent and to events that pass a filter', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/settings/keys' });
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByLabel('Label').fill('Brazil');
  await form.getByText('Hold it to a part of the tenant').click();
  await form.getByLabel('Only this agent').fill('support');
  await form.getByRole('button', { name: 'Add filter' }).click();
  await form.getByLabel('Property of filter 1').fill('country');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByText('Each filter needs a property and a value').waitFor();
  await form.getByLabel('Value of filter 1').fill('BR');
  await form.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  const { limits } = await app.runtime.keyAuthenticator.authenticate(key);
  assert.deepEqual(limits, [{ agents: ['support'], filters: [BRAZIL] }]);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('Only agent support; only country is BR').waitFor();
});

rareBrowserTest('Limits: an administrator holds a role, which sees it wherever it cannot go on', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/settings/users', expected: /400/ });
  await page.getByText('What roles may see').click();
  await page.getByRole('button', { name: 'Change what the role Viewer may see' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Only this agent').fill('x'.repeat(300));
  await form.getByRole('button', { name: 'Save' }).click();
  await form.locator('.field-error').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await form.getByLabel('Only this agent').fill('support');
  await form.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'What the role Viewer may see is saved');
  await page.getByText('Only agent support').waitFor();
  await assertFits(page);
  const { roleLimits } = await app.runtime.tenants.get(app.tenantId);
  assert.deepEqual(roleLimits, { VIEWER: { agents: ['support'] } });

  const held = await portalPage(t, app, { path: '/account', role: 'VIEWER', viewport: NARROW, expected: /403/ });
  await held.getByText('Only agent support').waitFor();
  await assertFits(held);
  for (const path of ['/reviews', '/annotations']) {
    await held.goto(app.url + path);
    await held.getByText(/You are held to a part of the tenant: only agent support|limits\.agents/).waitFor();
    await assertFits(held);
  }
  const { body } = await app.request(
    'POST',
    '/api/v1/runtime/observability/alerts',
    { title: 'No orders', question: { eventName: 'order', aggregation: 'count' }, condition: { type: 'no_data' } },
    { 'x-api-key': await app.newKey({ limits: { agents: ['support'] } }) },
  );
  for (const reader of [held, page]) {
    await reader.goto(`${app.url}/alerts/${body.alert.id}`);
    await reader.getByText('It is held to a part of the tenant: only agent support.').waitFor();
    await reader.getByRole('heading', { name: 'Messages' }).waitFor();
    await assertFits(reader);
  }
  await held.getByRole('heading', { name: 'Last 30 days' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Last 30 days' }).count(), 0, 'a line of other events');
  await held.goto(`${app.url}/settings/keys`);
  await held.getByRole('button', { name: 'New key' }).click();
  const own = held.getByRole('dialog', { name: 'New API key' });
  await own.getByText('only agent support. It is held to that, too').waitFor();
  await own.getByLabel('Label').fill('More');
  await own.getByText('Hold it to a part of the tenant').click();
  await own.getByLabel('Only this agent').fill('sales');
  await own.getByRole('button', { name: 'Add filter' }).click();
  await assertFits(held);
  await own.getByRole('button', { name: 'Remove filter 1' }).click();
  await own.getByRole('button', { name: 'Make the key' }).click();
  await own.getByText('limits.agents: you are held to less').waitFor();
});
