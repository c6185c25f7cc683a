import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  differencesOf,
  emptyForm,
  formOf,
  jsonOf,
  mergedForm,
  PATHS,
  requestOf,
  requestOfJson,
} from '../../portal/src/pages/settings/providers/state.ts';
import { putModelProviderSchema } from '../../src/core/agents/providers/shown.ts';
import type { AppSettings } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { type ChatApp, chatApp } from '../support/chat.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

const PATH = '/settings/providers';
const KEY = 'sk-the-key-of-the-page';
const GATEWAY = { name: 'gateway', provider: 'custom', baseUrl: 'https://llm.example.com/v1', apiKey: KEY };

/** Its provider `local` is a fake upstream. */
const newApp = (t: TestContext, settings: AppSettings = {}): Promise<ChatApp> =>
  chatApp(t, { rateLimit: 0, ...settings }, { price: { inputPerMillion: 1, outputPerMillion: 2 } });

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your providers' }).getByRole('listitem').filter({ hasText: name });

browserTest('LLM providers: an administrator adds, edits, tests and deletes one', async (t) => {
  const app = await newApp(t);
  const page = await portalPage(t, app, { path: PATH, expected: /400|422/ });
  const vendors = page.getByRole('list', { name: 'Vendors' });
  await vendors.getByText('have the operator set GROQ_API_KEY').waitFor();
  assert.equal(await vendors.getByRole('listitem').count(), 7);

  await page.getByRole('button', { name: 'Models of OpenAI', exact: true }).click();
  const models = page.getByRole('dialog', { name: 'Models of OpenAI' });
  await models.getByRole('row', { name: 'gpt-4.1-nano $0.1 $0.4 1M' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add provider of OpenAI-compatible server' }).click();
  const form = page.getByRole('dialog', { name: 'Add an LLM provider' });
  await form.getByLabel('Name').fill('gateway');
  await form.getByLabel('Base URL').fill('http://127.0.0.1:1/v1');
  await form.getByLabel('API key').fill(KEY);
  await form.getByLabel('Timeout').fill('soon');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText(/^Must be a number/).waitFor();
  await form.getByLabel('Timeout').fill('2.5');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('Is in a private network').waitFor();
  await form.getByLabel('Base URL').fill('https://llm.example.com/v1');
  await form.getByLabel('Fallbacks').fill('local llama3.2');
  await form.getByRole('button', { name: 'Add' }).click();
  await announced(page, 'The provider gateway was added');
  await row(page, 'gateway').getByText('Key stored').waitFor();

  await page.getByRole('button', { name: 'Edit gateway' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit gateway' });
  assert.equal(await edit.getByLabel('API key').inputValue(), '');
  await edit.getByLabel('Base URL').fill('https://other.example.com/v1');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText('apiKey: send it with the new baseUrl').waitFor();
  await edit.getByLabel('Base URL').fill('https://llm.example.com/v1');
  await edit.getByLabel('Temperature').fill('0.5');
  await edit.getByRole('button', { name: 'All members as JSON' }).click();
  const json = edit.getByLabel('Definition as JSON');
  await json.fill((await json.inputValue()).replace('"strict": false', '"strict": true'));
  await edit.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The provider gateway was saved');
  const configured = await app.runtime.providers.configured(app.tenantId, 'gateway');
  assert.deepEqual([configured.connection.apiKey, configured.strict, configured.timeoutMs], [KEY, true, 2_500]);
  assert.deepEqual(configured.defaults, { temperature: 0.5 });

  await page.getByRole('button', { name: 'Test local' }).click();
  const tried = page.getByRole('dialog', { name: 'Test of local' });
  await tried.getByLabel('Model').fill('llama3.2');
  await tried.getByRole('button', { name: 'Test' }).click();
  await tried.getByText('US$ 0.000022').waitFor();
  await tried.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Delete gateway' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await announced(page, 'The provider gateway was deleted');
  await assertFits(page);
});

rareBrowserTest('LLM providers: two people edit the same, and nobody’s work is lost', async (t) => {
  const app = await newApp(t);
  await app.runtime.providers.apply(app.tenantId, GATEWAY);
  const expected = /412/;
  const [one, other] = [
    await portalPage(t, app, { path: PATH, expected }),
    await portalPage(t, app, { path: PATH, expected }),
  ];
  const opened = async (page: Page) => {
    await page.getByRole('button', { name: 'Edit gateway' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit gateway' });
    await dialog.getByLabel('Timeout').waitFor();
    return dialog;
  };
  const [mine, theirs] = [await opened(one), await opened(other)];
  await theirs.getByLabel('Timeout').fill('9');
  await theirs.getByLabel('Most tokens').fill('700');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await announced(other, 'The provider gateway was saved');
  await mine.getByLabel('Timeout').fill('4');
  await mine.getByLabel('Temperature').fill('1');
  await mine.getByRole('button', { name: 'Save' }).click();
  const both = mine.getByRole('region', { name: 'Both versions' });
  await both.getByRole('row', { name: 'Timeout 4 9' }).waitFor();
  await both.getByRole('row', { name: 'Temperature 1 None' }).waitFor();
  assert.equal(await both.getByRole('row').count(), 3, 'what only they have changed is taken over');
  assert.equal(await mine.getByText('was changed in the meantime').count(), 0);
  assert.equal((await app.runtime.providers.configured(app.tenantId, 'gateway')).timeoutMs, 9_000);
  await assertFits(one);
  await mine.getByRole('button', { name: 'Take theirs' }).press('Enter');
  assert.equal(await mine.getByLabel('Timeout').inputValue(), '9');
  assert.equal(await mine.getByText('was changed in the meantime').count(), 0);
  await mine.getByLabel('Timeout').fill('5');
  await mine.getByRole('button', { name: 'Save' }).click();
  await announced(one, 'The provider gateway was saved');
  const { timeoutMs, connection } = await app.runtime.providers.configured(app.tenantId, 'gateway');
  assert.deepEqual([timeoutMs, connection.apiKey], [5_000, KEY]);

  await one.getByRole('button', { name: 'Add provider', exact: true }).click();
  const form = one.getByRole('dialog', { name: 'Add an LLM provider' });
  await form.getByLabel('Name').fill('gateway');
  await form.getByLabel('Base URL').fill('https://new.example.com/v1');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByText('The provider "gateway" exists already').waitFor();
});

rareBrowserTest('LLM providers: the keyboard alone adds and tests one', async (t) => {
  const app = await newApp(t);
  app.upstream.script({ fault: { type: 'refusedKey' } });
  const page = await portalPage(t, app, { path: PATH });
  const add = page.getByRole('button', { name: 'Add provider', exact: true });
  await add.focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Add an LLM provider' });
  await form.getByLabel('Name').waitFor();
  await page.keyboard.type('gateway');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('https://llm.example.com/v1');
  await page.keyboard.press('Enter');
  await announced(page, 'The provider gateway was added');
  const reason = 'The environment has no key to test.';
  const refused = page.getByRole('button', { name: 'Test OpenAI', exact: true });
  await refused.focus();
  assert.equal(await refused.getAttribute('aria-disabled'), 'true');
  assert.equal(await refused.getAttribute('title'), reason);
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('button', { name: 'Test local' }).focus();
  await page.keyboard.press('Enter');
  const tried = page.getByRole('dialog', { name: 'Test of local' });
  await tried.getByLabel('Model').focus();
  await page.keyboard.type('llama3.2');
  await page.keyboard.press('Enter');
  await tried.getByText('local does not accept the key').waitFor();
  await page.keyboard.press('Escape');
  await tried.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await tried.waitFor();
});

rareBrowserTest('LLM providers: the page and its dialogs fit 320 and 1280 pixels', async (t) => {
  const app = await newApp(t);
  const name = 'a-provider-with-a-rather-long-name-'.repeat(2);
  const baseUrl = `https://${'long.'.repeat(20)}example.com/v1`;
  await app.runtime.providers.apply(app.tenantId, [
    { ...GATEWAY, name, baseUrl },
    ...Array.from({ length: 8 }, (_, index) => ({ ...GATEWAY, name: `gateway-${index}` })),
  ]);
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { path: PATH, viewport: { width, height: 700 } });
    await row(page, name).waitFor();
    await assertFits(page);
    await page.getByRole('button', { name: 'Models of Amazon Bedrock' }).click();
    await page.getByRole('rowheader', { name: 'amazon.nova-micro-v1:0' }).waitFor();
    await assertFits(page);
    await page.keyboard.press('Escape');
    for (const act of ['Edit', 'Test', 'Models of', 'Delete']) {
      await page.getByRole('button', { name: `${act} ${name}` }).click();
      const dialog = page.getByRole('dialog');
      const end =
        act === 'Models of'
          ? dialog.getByText('No model is known')
          : dialog.getByRole('button', { name: /^(Cancel|Close)$/ });
      await end.waitFor();
      await assertFits(page);
      if (act === 'Edit') {
        await dialog.getByRole('button', { name: 'All members as JSON' }).click();
        await assertFits(page);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByLabel('Search providers').fill('gateway-3');
    await page.waitForURL(/search=gateway-3/);
    await row(page, 'gateway-4').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'gateway-3').waitFor();
    assert.equal(await page.getByRole('list', { name: 'Your providers' }).getByRole('listitem').count(), 1);
    await page.getByLabel('Search providers').fill('nothing');
    await page.getByText('No provider matches').waitFor();
  }
});

rareBrowserTest('LLM providers: what is the operator’s, and others’ roles, are explained', async (t) => {
  const app = await newApp(t);
  const page = await portalPage(t, app, { path: PATH });
  const edit = page.getByRole('button', { name: 'Edit local' });
  await edit.waitFor();
  assert.match((await edit.getAttribute('title')) ?? '', /^It uses the server's environment or network/);
  await page.getByRole('button', { name: 'Add provider', exact: true }).click();
  assert.ok(await page.getByLabel('It may be in a private network').isDisabled());
  const viewer = await portalPage(t, app, { path: PATH, role: 'VIEWER' });
  await viewer.getByText('Only administrators see LLM providers. Your role is Viewer').waitFor();
  await assertFits(viewer);
});

const STORED = {
  ...{ version: 1 as const, name: 'gateway', provider: 'custom' as const, baseUrl: 'https://llm.example.com/v1' },
  ...{ apiKey: 'set' as const, headers: { 'x-a': 'set' as const }, defaults: { temperature: 0, seed: 7 } },
  ...{ capabilities: { files: false }, price: { inputPerMillion: 0, outputPerMillion: 2 }, timeout: 3 },
  fallbacks: [
    { provider: 'openai' as const, model: 'gpt-5' },
    { provider: 'custom' as const, providerName: 'local', model: 'meta/llama 3' },
    { provider: 'custom' as const, providerName: 'groq', model: 'm' },
  ],
  ...{ allowPrivateNetwork: false, allowPrivateImages: false, strict: true },
};
const vendorOf = (name: string) => (name === 'local' ? ('custom' as const) : undefined);

test('provider form: a stored definition comes back as it was, without its key', () => {
  const { name: _, apiKey: __, ...rest } = STORED;
  assert.deepEqual(requestOf(formOf(STORED), vendorOf), rest);
  assert.deepEqual(requestOf({ ...formOf(STORED), apiKey: ' new ' }, vendorOf), { ...rest, apiKey: 'new' });
  assert.equal(requestOf({ ...formOf(STORED), removesKey: true }, vendorOf).apiKey, null);
  const ofVariable = { ...STORED, apiKey: { env: 'KEY' } };
  assert.deepEqual(requestOf(formOf(ofVariable), vendorOf).apiKey, { env: 'KEY' });
});

test('provider form: JSON has every member, and leads back to the fields', () => {
  const text = jsonOf(requestOf(formOf(STORED), vendorOf), true);
  const { name: _, ...members } = STORED;
  assert.deepEqual(JSON.parse(text), members);
  assert.deepEqual(Object.keys(JSON.parse(text)).slice(0, 3), ['provider', 'baseUrl', 'apiKey']);
  assert.deepEqual(formOf({ ...requestOfJson(text), name: 'gateway' }), formOf(STORED));
  assert.throws(() => requestOfJson('{'), /^Error: This is not JSON yet/);
  assert.throws(() => requestOfJson('[]'), /A provider is an object/);
});

test('provider form: what it sends has the shape that the server takes', () => {
  const request = requestOf({ ...formOf(STORED), temperature: '0,7', apiKey: KEY }, vendorOf);
  assert.equal(putModelProviderSchema.parse(request).defaults.temperature, 0.7);
  const wrong = putModelProviderSchema.safeParse(requestOf({ ...emptyForm('openai'), maxTokens: 'many' }, vendorOf));
  assert.deepEqual(
    wrong.error?.issues.map(({ path }) => path.join('.')),
    ['defaults.maxTokens'],
  );
  assert.ok(PATHS.includes('defaults.maxTokens'));
});

test('provider form: what only the other person has changed is theirs', () => {
  const [start, theirs] = [formOf(STORED), formOf({ ...STORED, timeout: 9, headers: {}, strict: false })];
  const mine = formOf({ ...STORED, timeout: 4, defaults: { temperature: 1, seed: 8 } });
  const merged = requestOf(mergedForm(mine, start, theirs), vendorOf);
  assert.deepEqual(
    [merged.timeout, merged.defaults, merged.headers, merged.strict],
    [4, { temperature: 1, seed: 8 }, {}, false],
  );
  const { headers: _, ...without } = mine.rest;
  assert.equal(mergedForm({ ...mine, rest: without }, start, theirs).rest.headers, undefined);
});

test('provider form: differences name the members', () => {
  const [mine, theirs] = [formOf(STORED), { ...formOf(STORED), timeout: '9', rest: {} }];
  const differing = differencesOf(mine, theirs).filter((one) => one.mine !== one.theirs);
  assert.deepEqual(
    differing.map(({ label }) => label),
    ['Timeout', 'Other members'],
  );
});
