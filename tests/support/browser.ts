import { type TestContext, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM_MISSING, isChromiumMissing, launchChromium } from '../../packaging/chromium.ts';
import { IS_SOAK, rareTest } from './rare.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** Elements of open menus that pass the focus on; hidden from screen readers. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';
/** The first page took seven seconds on a busy machine. */
const PATIENCE_MS = 30_000;

/** Launching takes half a second: the files of a suite share a browser. */
const IDLE_MS = 1_000;
let launched: Promise<Browser> | undefined;
let pages = 0;
let closing: NodeJS.Timeout | undefined;

function openBrowser(): Promise<Browser> {
  clearTimeout(closing);
  pages += 1;
  launched ??= launchChromium();
  return launched;
}

/** An open browser would keep the process alive. */
function closeBrowserWhenIdle(): void {
  pages -= 1;
  if (pages > 0) return;
  closing = setTimeout(async () => {
    const browser = launched;
    launched = undefined;
    await (await browser)?.close();
  }, IDLE_MS);
}

/** A test in Chromium. Without Chromium the test is skipped; in CI it fails. */
export function browserTest(title: string, run: (t: TestContext) => Promise<void>, define: typeof test = test): void {
  define(title, async (t) => {
    if (isChromiumMissing && !process.env.CI) {
      process.stderr.write(`SKIPPED "${title}". ${CHROMIUM_MISSING}\n`);
      t.skip(CHROMIUM_MISSING);
      return;
    }
    const failure = await run(t).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    // Before the servers of the test close: an open page would report that.
    const faults = await closePages(t);
    if (failure) throw failure.error;
    if (faults.length > 0) throw new Error(`The page had faults:\n${faults.join('\n')}`);
  });
}

/** By test: closes a page and gives its faults. */
const openPages = new WeakMap<TestContext, (() => Promise<string[]>)[]>();

async function closePages(t: TestContext): Promise<string[]> {
  const faults = await Promise.all((openPages.get(t) ?? []).map((close) => close()));
  return faults.flat();
}

export interface PageOptions
  extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'locale' | 'timezoneId' | 'javaScriptEnabled'> {
  /** The only origin that the page may send requests to. */
  origin: string;
  /** Faults that the test expects. */
  expected?: RegExp;
}

/** One that `npm run test:rare` runs, and `npm test` leaves out. */
export function rareBrowserTest(title: string, run: (t: TestContext) => Promise<void>): void {
  browserTest(title, run, rareTest);
}

/** A page of a fresh browser profile, for a `browserTest`. A console error, a CSP report and a request to another origin fail the test. */
export async function openPage(t: TestContext, { origin, expected, ...options }: PageOptions): Promise<Page> {
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  const report = (fault: string) => {
    if (!expected?.test(fault)) faults.push(fault.slice(0, 500));
  };
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) report(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => report(`page: ${error.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) report(`request to ${request.url()}`);
  });
  const close = async () => {
    await context.close();
    closeBrowserWhenIdle();
    return faults;
  };
  openPages.set(t, [...(openPages.get(t) ?? []), close]);
  return context.newPage();
}

/** The violations that axe finds in the current page; rare tests look at both themes. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of IS_SOAK ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    // An element that has just opened may have the other theme's colours until it is drawn again.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).exclude(FOCUS_GUARDS);
    // The legacy mode is faster, but does not check frames of other origins.
    axe.setLegacyMode(page.frames().length === 1);
    // The themes differ only in their colours.
    const { violations } = await (colorScheme === 'light' ? axe.withTags(RULES) : axe.withRules(OF_COLOURS)).analyze();
    for (const { id, nodes } of violations) {
      found.push(...nodes.map(({ target, failureSummary }) => `${colorScheme} ${id} ${target}: ${failureSummary}`));
    }
  }
  return found;
}

/** True if the page is wider than its window: it scrolls sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
