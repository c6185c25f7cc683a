import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchChromium } from '../chromium.ts';
import { ROOT } from '../paths.ts';

/* `npm run screenshot`: writes the screenshots of the README, taken of the dashboards of `agent-runtime demo`. */

const IMAGES = join(ROOT, 'docs/images');
const WINDOW = { width: 1280, height: 800 };

const demo = spawn(process.execPath, [join(ROOT, 'bin/agent-runtime.js'), 'demo', '--keep-serving'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const link = await linkIn(demo.stdout);
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  mkdirSync(IMAGES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(IMAGES, `dashboard-${colorScheme}.png`) });
  }
  await browser.close();
} finally {
  demo.kill();
}

async function linkIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const link = /http:\S+\/login#link=\S+/.exec(line)?.[0];
    if (link !== undefined) return link;
  }
  throw new Error('The demo ended without a link.');
}
