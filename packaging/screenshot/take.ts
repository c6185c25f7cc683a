import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { ROOT } from '../paths.ts';
import { takeAll } from './all.ts';
import { withDemo } from './demo.ts';

/*
 * `npm run screenshot`: writes the screenshots of the README, taken of the dashboards of `agent-runtime demo`.
 * `npm run screenshot -- all`: takes every page, to be looked at.
 */

const IMAGES = join(ROOT, 'docs/images');
const WINDOW = { width: 1280, height: 800 };

await withDemo(async (link) => {
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await (process.argv[2] === 'all' ? all(context, new URL(link).origin) : forReadme(context));
  await browser.close();
});

async function all(context: BrowserContext, origin: string): Promise<void> {
  process.stdout.write(`${await takeAll(context, origin)}\n`);
}

async function forReadme(context: BrowserContext): Promise<void> {
  const [page] = context.pages();
  mkdirSync(IMAGES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page!.emulateMedia({ colorScheme });
    await page!.waitForLoadState('networkidle');
    await page!.screenshot({ path: join(IMAGES, `dashboard-${colorScheme}.png`) });
  }
}
