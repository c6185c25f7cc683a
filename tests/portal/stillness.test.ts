import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, demoOfThisFile } from './support.ts';

const demo = demoOfThisFile();

/** Adds up the shifts of what was shown already, except those that follow a press or a key. */
const OBSERVE = `
  globalThis.shifted = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) globalThis.shifted.push(value + ' ' + sources.map(({ node }) => node?.className ?? node?.nodeName).join());
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

async function entries(page: Page): Promise<string[]> {
  await page.locator('nav.navigation a').first().waitFor({ state: 'attached' });
  return page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('nav.navigation a[href]'), ({ pathname }) => pathname)",
  );
}

rareBrowserTest('Pages: nothing moves while they load, and each fits, wide and narrow', async (t) => {
  const app = await demo();
  const page = await portalPage(t, app);
  await page.addInitScript(OBSERVE);
  const paths = (await entries(page)).filter((path) => path !== '/docs');
  const moved: string[] = [];
  for (const path of [...paths, '/explore?view=table', '/explore?view=feed', '/account']) {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(app.url + path);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      await page.locator('.skeleton').waitFor({ state: 'detached' });
      moved.push(...(await page.evaluate<string[]>('shifted')).map((shift) => `${path} at ${width}: ${shift}`));
      await assertFits(page);
    }
  }
  assert.deepEqual(moved, []);
});

rareBrowserTest('Pages: each opens for every role, and none asks for what is refused', async (t) => {
  const app = await demo();
  for (const role of ['VIEWER', 'USER', 'ADMIN', 'SUPER_ADMIN'] as const) {
    const page = await portalPage(t, app, { role });
    for (const path of (await entries(page)).filter((one) => one !== '/docs')) {
      await page.goto(app.url + path);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0, `${role} at ${path}`);
    }
  }
});
