import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { BUILD } from '../paths.ts';

const DIRECTORY = join(BUILD, 'screenshots');
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 844;

/** Takes every page of the portal in both themes and widths, and writes an index page that shows them. */
export async function takeAll(context: BrowserContext, origin: string): Promise<string> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  const paths = await pathsOf(context, origin);
  const page = await context.newPage();
  for (const path of paths) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.goto(origin + path);
      await settled(page);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(DIRECTORY, fileOf(path, colorScheme, width)), fullPage: true });
      }
    }
  }
  const index = join(DIRECTORY, 'index.html');
  writeFileSync(index, indexOf(paths));
  return index;
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page
    .locator('.skeleton')
    .waitFor({ state: 'detached' })
    .catch(() => undefined);
}

/** The pages with an entry, those behind the first row of a list, and those without the shell. */
async function pathsOf(context: BrowserContext, origin: string): Promise<string[]> {
  const first = async (path: string, list: string, key: string) => {
    const response = await context.request.get(origin + path, { headers: { 'sec-fetch-site': 'same-origin' } });
    const body = (await response.json()) as Record<string, Record<string, unknown>[] | undefined>;
    return body[list]?.[0]?.[key];
  };
  const observability = '/api/v1/runtime/observability';
  const records = '/api/v1/runtime/v1/observability';
  const found = await Promise.all([
    first(`${observability}/dashboard-cards`, 'cards', 'id').then((id) => [`/cards/${id}`]),
    first(`${observability}/metrics`, 'metrics', 'name').then((name) => [`/metrics/${name}`, `/metrics/${name}/edit`]),
    first(`${observability}/alerts`, 'alerts', 'id').then((id) => [`/alerts/${id}`, `/alerts/${id}/edit`]),
    first(`${records}/executions?hasReview=true`, 'executions', 'id').then((id) => [`/executions/${id}`]),
    first(`${records}/threads`, 'threads', 'threadId').then((id) => [`/threads/${id}`]),
    first(`${observability}/digests`, 'digests', 'id').then((id) => [`/digests/${id}`, `/digests/${id}/edit`]),
  ]);
  return [
    ...(await entriesOf(context, origin)),
    ...['/?first-hour=open', '/explore?view=table', '/explore?view=feed', '/metrics?show=glossary', '/account'],
    ...['/cards/new', '/metrics/new-metric', '/segments/new-segment', '/alerts/new-alert', '/digests/new-digest'],
    ...found.flat().filter((path) => !path.includes('undefined')),
    ...['/no/such/page', '/login'],
  ];
}

/** The paths of the navigation, of folded groups, too. */
async function entriesOf(context: BrowserContext, origin: string): Promise<string[]> {
  const page = await context.newPage();
  await page.goto(origin);
  await settled(page);
  const paths = await page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('nav.navigation a[href]'), ({ pathname }) => pathname)",
  );
  await page.close();
  return paths.filter((path) => path !== '/docs');
}

function fileOf(path: string, theme: string, width: number): string {
  return `${path.replaceAll(/[^\w-]+/g, '_')}-${theme}-${width}.png`;
}

function indexOf(paths: readonly string[]): string {
  const figures = paths.map((path) => {
    const pictures = WIDTHS.flatMap((width) =>
      THEMES.map((theme) => {
        const file = fileOf(path, theme, width);
        return `<a href="${file}"><img src="${file}" alt="${path}, ${theme}, ${width} px" height="420"></a>`;
      }),
    );
    return `<h2>${path}</h2>\n<p>${pictures.join('\n')}</p>`;
  });
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Pages of the portal</title>\n${figures.join('\n')}\n</html>\n`;
}
