import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../packaging/chromium.ts';
import { builtPart } from '../packaging/portal/parts.ts';
import { portalSizes } from '../packaging/portal/sizes.ts';
import { demoTabs } from '../src/demo/cards.ts';
import { demoMetrics } from '../src/demo/vocabulary.ts';
import { demoEvents } from '../src/demo/workspace.ts';
import type { Options } from './events/options.ts';
import { allVisible, BATCH, type Server, withRestarted, withServer } from './served.ts';
import { row } from './support.ts';

/**
 * Sizes of the portal's files, and in Chromium the bytes of a cold dashboard and the time from the
 * login to a dashboard of the demo's eight cards, over --rows events: of a server that has filled
 * them, and right after a start. Then the time to the first rows of a store of 10,000 documents.
 */
export async function benchPortal({ rows, rounds }: Options): Promise<void> {
  reportSizes((await builtPart('portal')).directory);
  await withServer(async (server) => {
    await fill(server, rows);
    await putFirstHourAway(server);
    const browser = await launchChromium();
    try {
      await measurePages(browser, server, rounds);
      await measureDocuments(browser, server, rounds);
      const starts: number[] = [];
      for (let round = 0; round < STARTS; round++) {
        await withRestarted(server, async (again) => void starts.push(await timeLogin(browser, again)));
      }
      row('Eight cards right after a start', `${Math.max(...starts).toFixed(0)} ms`, '<= 1,000 ms');
    } finally {
      await browser.close();
    }
  });
}

const STARTS = 3;

function reportSizes(directory: string): void {
  const { entry, stylesheet, charts, pages } = portalSizes(directory);
  row('Entry: scripts, gzip', inKilobytes(entry), '<= 120 KB');
  row('Stylesheet, gzip', inKilobytes(stylesheet), '');
  row('Charts, gzip', inKilobytes(charts), '<= 30 KB');
  for (const [page, bytes] of pages) row(`${page}, gzip`, inKilobytes(bytes), '<= 60 KB');
}

/** Sends the demo's events, repeated up to the number `events`, and creates its cards on one tab. */
async function fill({ send }: Server, events: number): Promise<void> {
  const story = [...demoEvents({ now: Date.now() })];
  for (let sent = 0; sent < events; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - sent) }, (_, index) => {
      const telling = Math.floor((sent + index) / story.length);
      const { id: _id, ...event } = story[(sent + index) % story.length] as { id?: string; threadId?: string };
      return { ...event, threadId: `${event.threadId}-${telling}` };
    });
    await send('/v1/observability/events', { events: batch });
  }
  await allVisible(() => send('/v1/observability/events/query', { eventName: 'agent_replied', limit: 1 }));
  for (const { isApproved: _, ...metric } of demoMetrics) await send('/observability/metrics', metric);
  const tab = await send('/observability/dashboard-tabs', { name: 'All' });
  for (const { cards } of demoTabs) {
    for (const card of cards)
      await send('/observability/dashboard-cards', { ...card, gridLayout: null, tabId: tab.id });
  }
}

/** Of a workspace that is in use, the dashboards stand alone. */
async function putFirstHourAway({ url, password }: Server): Promise<void> {
  const sent = (method: string, path: string, body: object, headers = {}) =>
    fetch(`${url}/api/v1/portal/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const { token } = (await (await sent('POST', 'login', { email: 'admin@localhost', password })).json()) as {
    token: string;
  };
  const { ok } = await sent('PUT', 'first-hour', { putAway: true }, { authorization: `Bearer ${token}` });
  if (!ok) throw new Error('The checklist of the first hour could not be put away.');
}

async function measurePages(browser: Browser, server: Server, rounds: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeLogin(browser, server));
  row('Eight cards after the login, first', `${times[0]!.toFixed(0)} ms`, '');
  row('Eight cards after the login, median', `${medianOf(times).toFixed(0)} ms`, '<= 500 ms');
  row('Cold dashboard, on the wire', inKilobytes(await coldBytes(browser, server)), '<= 170 KB');
}

const DOCUMENTS = 10_000;
const AT_ONCE = 16;

/** From pressing the link of a store to its first documents. */
async function measureDocuments(browser: Browser, { url, key, password, send }: Server, rounds: number): Promise<void> {
  await send('/v1/vectors/stores', { name: 'manuals' });
  const names = Array.from({ length: DOCUMENTS }, (_, index) => `manual-${index}.txt`).values();
  const ingest = async () => {
    for (const name of names) {
      const form = new FormData();
      form.set('vectorStore', 'manuals');
      form.set('file', new Blob([`${name}: the pump needs oil.`]), name);
      const request = { method: 'POST', headers: { 'x-api-key': key }, body: form };
      // Refused while too many files wait for their turn.
      while ((await fetch(`${url}/api/v1/runtime/v1/vectors/files/ingest`, request)).status === 503) await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ingest));
  const stored = async () => {
    const answer = await fetch(`${url}/api/v1/runtime/v1/vectors/stores/manuals`, { headers: { 'x-api-key': key } });
    return ((await answer.json()) as { documents: number }).documents;
  };
  while ((await stored()) < DOCUMENTS) await sleep(100);
  const page = await browser.newPage();
  await page.goto(`${url}/login`);
  await logIn(page, { password });
  await page.getByRole('button', { name: 'Log in' }).click();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('link', { name: 'Knowledge', exact: true }).click();
    const store = page.getByRole('link', { name: 'manuals' });
    await store.waitFor();
    const started = performance.now();
    await store.click();
    await shown(page, `document.querySelector('a[href*="document="]')`);
    times.push(performance.now() - started);
  }
  await page.close();
  row(`First rows of ${DOCUMENTS.toLocaleString('en')} documents, first`, `${times[0]!.toFixed(0)} ms`, '');
  row('The same, median', `${medianOf(times).toFixed(0)} ms`, '<= 300 ms');
}

/** Milliseconds from pressing "Log in" to the last of eight drawn cards, with an empty cache. */
async function timeLogin(browser: Browser, server: Server): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 2_400 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await logIn(page, server);
  const started = performance.now();
  await page.getByRole('button', { name: 'Log in' }).click();
  await drawn(page);
  const time = performance.now() - started;
  await context.close();
  return time;
}

function medianOf(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

export async function logIn(page: Page, { password }: Pick<Server, 'password'>): Promise<void> {
  await page.getByLabel('E-mail').fill('admin@localhost');
  await page.getByLabel('Password').fill(password);
}

function drawn(page: Page): Promise<void> {
  return shown(page, `document.querySelectorAll('section svg[role="img"]').length >= 8`);
}

/** Looked for in each frame: the waiting of Playwright asks twice a second in the end. */
async function shown(page: Page, condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (${condition}) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

async function coldBytes(browser: Browser, server: Server): Promise<number> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 2_400 } });
  const login = await context.newPage();
  await login.goto(`${server.url}/login`);
  await logIn(login, server);
  await login.getByRole('button', { name: 'Log in' }).click();
  await drawn(login);
  const storageState = await context.storageState();
  await context.close();

  const cold = await browser.newContext({ storageState, viewport: { width: 1280, height: 2_400 } });
  const page = await cold.newPage();
  const session = await cold.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.goto(server.url);
  await drawn(page);
  await page.waitForLoadState('networkidle');
  await cold.close();
  return bytes;
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}
