import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { AppSettings } from '../support/app.ts';
import { browserTest } from '../support/browser.ts';
import { type ChatApp, chatApp } from '../support/chat.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

const PATH = '/chat';

/** Its providers `local` and `other` are a fake upstream. */
async function newApp(t: TestContext, settings: AppSettings = {}): Promise<ChatApp> {
  const app = await chatApp(t, { rateLimit: 0, ...settings }, { price: { inputPerMillion: 1, outputPerMillion: 2 } });
  await app.runtime.providers.apply(app.tenantId, {
    name: 'other',
    provider: 'custom',
    baseUrl: app.upstream.baseUrl('custom'),
    allowPrivateNetwork: true,
  });
  return app;
}

const answerOf = (page: Page, model: string) => page.getByRole('region', { name: `Answer of ${model}` }).last();

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

browserTest('Chat: a newcomer compares two models and reviews one answer', async (t) => {
  const app = await newApp(t);
  const page = await portalPage(t, app);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('heading', { name: 'Try a model' }).waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: /^A customer asks for a refund/ }).click();
  await page.getByRole('group', { name: 'Model', exact: true }).getByLabel('Model').fill('llama3.2');
  await page.getByRole('button', { name: 'Compare with another model' }).click();
  await page.getByRole('group', { name: 'Model 2' }).getByLabel('Model', { exact: true }).fill('qwen3');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const [one, other] = [answerOf(page, 'local/llama3.2'), answerOf(page, 'other/qwen3')];
  await one.getByText('Olá mundo 🌍').waitFor();
  await other.getByText('Olá mundo 🌍').waitFor();
  await one.getByText('$0.000022').waitFor();
  await other.getByText('unknown price').waitFor();
  await assertFits(page);

  await one.getByRole('button', { name: 'Review', exact: true }).click();
  const form = page.getByRole('form', { name: 'The review' });
  await form.getByLabel('Good').check();
  await form.getByLabel('Comment').fill('Kind, and short enough.');
  await form.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The review was saved');
  await one.getByText('Rated good').waitFor();

  await one.getByRole('link', { name: 'Open the execution' }).click();
  await page.getByText('Kind, and short enough.').waitFor();
  await page.goBack();
  await one.getByText('Olá mundo 🌍').waitFor();
  assert.equal(app.upstream.requests.length, 2);
});
