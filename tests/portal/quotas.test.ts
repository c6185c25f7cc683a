import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedWith } from '../../portal/src/editor/values.ts';
import { changesOf, formOf, readAs } from '../../portal/src/pages/settings/quotas/state.ts';
import { parseKey } from '../../src/core/access/auth/secrets.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

const PATH = '/settings/quotas';

async function spend(app: TestApp, tokens: number): Promise<void> {
  const amounts = { tokens, nanos: tokens * 1_000_000 };
  const chat = { id: `chat of ${tokens}`, tenantId: app.tenantId, keyId: parseKey(app.key)!.id, at: Date.now() };
  await app.runtime.budgetStore.reserve({ ...chat, ...amounts }, []);
  await app.runtime.budgetStore.settle(chat.id, amounts);
}

browserTest('Quotas: limits of the tenant and a key are set, and their use is shown', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await spend(app, 850);
  const page = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN', expected: /400/ });
  await page.getByText('No limits are set').waitFor();
  await page.getByRole('button', { name: 'Change limits', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Limits of the tenant' });
  await form.getByLabel('Tokens a day').fill('many');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Must be a whole number').waitFor();
  await form.getByText('Write digits alone: 100000.').waitFor();
  await form.getByLabel('Tokens a day').fill('1000');
  await form.getByLabel('Stored documents (MB)').fill('1.5');
  await form.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The limits are saved');
  const meter = page.getByRole('meter', { name: 'Tokens a day, the tenant' });
  assert.equal(await meter.getAttribute('aria-valuetext'), '850 used · 150 left of 1,000 tokens');
  await page.getByText('Nearly reached').waitFor();
  await page.getByText(/resets on/).waitFor();
  const { tenant } = await app.runtime.quotas.ofTenant(app.tenantId);
  assert.deepEqual(tenant, { documents: 1_500_000, 'tokens-per-day': 1_000 });

  await page.getByRole('img', { name: /850/ }).waitFor();
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('region', { name: 'Tokens by day, data' }).getByRole('cell', { name: '850' }).waitFor();
  await page.getByRole('button', { name: 'Change limits of test' }).click();
  const ofKey = page.getByRole('dialog', { name: 'Limits of test' });
  assert.equal(await ofKey.getByLabel('Stored events').count(), 0);
  await ofKey.getByLabel('Cost a day (US dollars)').fill('0.5');
  await ofKey.getByRole('button', { name: 'Save' }).click();
  const ofKeyMeter = page.getByRole('meter', { name: 'Cost a day, test' });
  await ofKeyMeter.waitFor();
  await page.getByText('Reached', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Usage of test' }).click();
  await page.getByRole('heading', { name: 'Usage by day of test' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Usage by day of test' }).waitFor();
  await assertFits(page);
  await page.goto(`${app.url}${PATH}?page=99`);
  await page.getByText('There is no such page').waitFor();
});

rareBrowserTest('Quotas: two people edit one limit, and nobody loses work without a word', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const keyId = parseKey(app.key)!.id;
  const page = await portalPage(t, app, { path: PATH, role: 'ADMIN', expected: /412/ });
  await page.getByRole('button', { name: 'Change limits of test' }).click();
  const form = page.getByRole('dialog', { name: 'Limits of test' });
  await form.getByLabel('Tokens a day').fill('100');
  const key = { id: keyId, tenantId: app.tenantId };
  await app.runtime.quotas.changeKey(key, { 'tokens-per-day': 200, 'cost-per-day': 3 });
  await form.getByRole('button', { name: 'Save' }).click();
  const both = form.getByRole('region', { name: 'Both versions' });
  await both.getByRole('row', { name: 'Tokens a day 100 200' }).waitFor();
  // What only the other person has set is taken over.
  assert.equal(await both.getByRole('row').count(), 2);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await form.getByLabel('Cost a day (US dollars)').inputValue(), '3');
  await form.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The limits are saved');
  const { keys } = await app.runtime.quotas.ofTenant(app.tenantId);
  assert.deepEqual(keys.get(keyId), { 'tokens-per-day': 100, 'cost-per-day': 3 });

  await page.getByRole('button', { name: 'Change limits of test' }).click();
  await form.getByLabel('Tokens a day').fill('7');
  await app.runtime.quotas.changeKey(key, { 'tokens-per-day': 8 });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('button', { name: 'Take theirs' }).press('Enter');
  assert.equal(await form.getByLabel('Tokens a day').inputValue(), '8');
  assert.equal(await form.getByText('was changed in the meantime').count(), 0);
  assert.equal(
    await page.evaluate("document.activeElement.closest('form') !== null"),
    true,
    'the focus is in the form',
  );
});

rareBrowserTest('Quotas: an ADMIN sees why the limits of the tenant are not theirs', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, { events: 10 });
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { path: PATH, viewport: { width, height: 800 } });
    const change = page.getByRole('button', { name: 'Change limits', exact: true });
    assert.equal(await change.getAttribute('aria-disabled'), 'true');
    await change.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('paragraph').filter({ hasText: 'Only who operates the installation' }).waitFor();
    await page.getByRole('button', { name: 'Change limits of test' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Limits of test' }).getByLabel('Tokens a day').waitFor();
    await assertFits(page);
    await page.keyboard.press('Escape');
    await assertFits(page);
    await page.close();
  }
  const viewer = await portalPage(t, app, { path: PATH, role: 'VIEWER' });
  await viewer.getByText('Only administrators see quotas.').waitFor();
});

test('Quotas: a request has the members that were edited, in the units of the API', () => {
  const before = formOf({ documents: 2_500_000, 'tokens-per-day': 10 });
  assert.equal(before.documents, '2.5');
  const form = { ...before, documents: '3', 'tokens-per-day': ' ', 'cost-per-day': '0.5', events: 'x' };
  const tenant = { kind: 'tenant' } as const;
  assert.deepEqual(changesOf(form, before, tenant), {
    ...{ documents: 3_000_000, 'tokens-per-day': null, 'cost-per-day': 0.5, events: 'x' },
  });
  assert.deepEqual(changesOf(form, before, { kind: 'key', id: 'a', label: 'b' }), {
    ...{ 'tokens-per-day': null, 'cost-per-day': 0.5 },
  });
  const grouped = { ...before, 'tokens-per-day': '100.000', events: '1,000' };
  assert.deepEqual(changesOf(grouped, before, tenant), { events: '1,000', 'tokens-per-day': '100.000' }, 'refused');
  const current = formOf({ documents: 9_000_000, 'tokens-per-day': 11 });
  assert.equal(mergedWith(form, before, current).documents, '3');
  assert.equal(mergedWith({ ...before, events: '1' }, before, current)['tokens-per-day'], '11');
});

test('Quotas: the form repeats how it reads an amount', () => {
  assert.equal(readAs('tokens-per-day', ' 100000 '), `Read as ${(100_000).toLocaleString()} tokens.`);
  assert.equal(readAs('tokens-per-day', '100.000'), 'Write digits alone: 100000.');
  assert.equal(readAs('documents', '1.5'), 'Read as 1.5 MB.');
  assert.equal(readAs('cost-per-day', '2,5'), 'Write digits and a point: 2.5.');
  assert.equal(readAs('events', ' '), undefined);
});
