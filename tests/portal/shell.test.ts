import assert from 'node:assert/strict';
import { accessibilityFaults, browserTest, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();

browserTest('Shell: the keyboard reaches the content, a page and the theme', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');

  await page.getByRole('link', { name: 'Events' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');

  const theme = page.getByRole('button', { name: 'Theme: system' });
  await theme.press('Enter');
  await page.getByRole('button', { name: 'Theme: light' }).press('Enter');
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  await page.reload();
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark');
});

browserTest('Shell: every page of the navigation opens', async (t) => {
  const page = await portalPage(t, await sharedApp());
  await page.locator('#main h1').waitFor();
  const addresses = await page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('nav.navigation a'), ({ pathname }) => pathname)",
  );
  const opened = addresses.filter((path) => path !== '/docs');
  assert.ok(opened.length > 12, opened.join());
  for (const path of opened) {
    await page.locator(`nav.navigation a[href="${path}"]`).click();
    await page.waitForURL((url) => url.pathname === path);
    await page.locator('#main h1').waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  }
});

rareBrowserTest('Palette: finds pages and actions by their names', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  await page.keyboard.type('kpi');
  await page.getByRole('option', { name: /KPI of events/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'KPI', level: 1 }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

browserTest('Shell: pages work where the browser forbids storage', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  await page.addInitScript(`for (const place of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, place, { get() { throw new DOMException('denied', 'SecurityError'); } });
  }`);
  await page.reload();
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).waitFor();
  await page.getByRole('link', { name: 'Dashboards' }).click();
  await page.getByRole('heading', { name: 'Create your first card' }).waitFor();
});

browserTest('Shell: says that the browser is offline, and that it is back', async (t) => {
  const page = await portalPage(t, await sharedApp(), {
    path: '/connect',
    expected: /ERR_INTERNET_DISCONNECTED|could not be loaded/,
  });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline').waitFor();
  await page.getByRole('link', { name: 'Events' }).hover();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByText('This page could not be loaded.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'hidden' });
});

browserTest('Shell: after an update of the server, a missing chunk reloads the page once', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, {
    path: '/connect',
    expected: /404|could not be loaded|dynamically imported|Failed to load/,
  });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  let missing = 0;
  await page.route(/\/assets\/combobox[^/]*\.js$/, async (route) => {
    if (missing++ === 0) await route.fulfill({ status: 404, body: '{}' });
    else await route.continue();
  });
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  assert.ok(missing > 1, 'the chunk was missing, then found');
});

browserTest('Shell: fits a window of 320 pixels', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect', viewport: { width: 320, height: 640 } });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  assert.equal(await scrollsSideways(page), false);
});

browserTest('Shell: an unknown address shows that there is no such page', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/no/such/page' });
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
});
