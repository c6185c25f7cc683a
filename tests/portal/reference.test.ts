import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, openPage, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { assertFits } from './support.ts';

let started: Promise<TestApp> | undefined;
const wholeFile = scopeOfThisFile();
const sharedApp = () => {
  started ??= testApp(wholeFile).then(async (app) => {
    // In a checkout, the first request for a page builds all pages.
    await fetch(`${app.url}/docs`, { headers: { accept: 'text/html' } });
    return app;
  });
  return started;
};

async function open(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: 'Agent Runtime API' }).waitFor();
}

async function openFeed(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /Tracked events/ })
    .first()
    .click();
  await page
    .getByRole('link', { name: /Newest events/ })
    .first()
    .click();
  await page.getByRole('button', { name: /Test Request.*feed/ }).click();
}

function send(page: Page): Promise<void> {
  return page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
}

rareBrowserTest('Reference: an operation is tried with a key, which is not stored', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'ticket_resolved', properties: { topic: 'from the reference' } }]);
  const page = await openPage(t, { origin: app.url });
  await open(page, app.url);
  await page
    .getByLabel(/^Value/)
    .first()
    .fill(app.key);
  await openFeed(page);
  const sent = page.waitForRequest(/\/events\/feed/);
  await send(page);
  await page.getByText('200 OK').waitFor();
  await page.getByRole('dialog').getByText('from the reference').waitFor();
  assert.equal((await sent).headers()['x-api-key'], app.key);
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.ok(!stored.includes(app.key), stored);
});

rareBrowserTest('Reference: at 320 px nothing is wider than the page, and requests are sent', async (t) => {
  const app = await sharedApp();
  const page = await openPage(t, { origin: app.url, viewport: { width: 320, height: 640 }, expected: /401/ });
  await open(page, app.url);
  await assertFits(page);
  await page.getByRole('button', { name: /menu/i }).first().click();
  await openFeed(page);
  await send(page);
  await page.getByText('401 Unauthorized').waitFor();
  assert.equal(await scrollsSideways(page), false);
});

rareBrowserTest('Reference: without scripts, a link leads to the page that needs none', async (t) => {
  const app = await sharedApp();
  const page = await openPage(t, { origin: app.url, javaScriptEnabled: false });
  await page.goto(`${app.url}/docs`);
  await page.getByRole('link', { name: 'The same reference without scripts' }).click();
  await page.getByRole('heading', { name: 'Tracked events' }).waitFor();
  await page.getByRole('link', { name: '/docs', exact: true }).waitFor();
});

browserTest('Reference: without scripts it fits 320 pixels and has two themes', async (t) => {
  const { url } = await sharedApp();
  const page = await openPage(t, { origin: url, viewport: { width: 320, height: 640 } });
  await page.goto(`${url}/docs/plain`);
  await page.getByRole('heading', { name: /^Agent Runtime API/ }).waitFor();
  assert.equal(await scrollsSideways(page), false);
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 24, 31)');
});
