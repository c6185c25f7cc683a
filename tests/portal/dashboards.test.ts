import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import type { DemoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, demoOfThisFile } from './support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const TABS = '/api/v1/runtime/observability/dashboard-tabs';
const NUMBER = { cardType: 'number', config: { eventName: 'conversation_started', aggregation: 'count' } } as const;

const sharedApp = demoOfThisFile();

const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function choose(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Makes a tab and cards for one test, so that those of the demo stay unchanged. */
async function newTab({ request }: DemoApp, name: string, titles: readonly string[] = []) {
  const { body: tab } = await request('POST', TABS, { agentId: 'support', name });
  const ids: string[] = [];
  for (const [index, title] of titles.entries()) {
    const gridLayout = { x: 3 * index, y: 0, w: 3, h: 2 };
    const card = {
      agentId: 'support',
      title,
      ...NUMBER,
      gridLayout,
      tabId: tab.id,
      idempotencyKey: `${name} ${index}`,
    };
    ids.push((await request('POST', CARDS, card)).body.id);
  }
  return { id: tab.id as string, ids };
}

async function layoutOf({ request }: DemoApp, id: string) {
  return (await request('GET', `${CARDS}/${id}`)).body.card.gridLayout;
}

/** The cells of a card's table; numbers are parsed. */
async function tableIn(page: Page, title: string): Promise<(string | number)[][]> {
  const shown = page.getByRole('region', { name: `${title}, data` }).getByRole('row');
  await shown.nth(1).waitFor();
  const rows = await shown.all();
  const texts = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()));
  return texts.map((cells) =>
    cells.map((cell) => (/^-?[\d,.]+$/.test(cell) ? Number(cell.replaceAll(',', '')) : cell)),
  );
}

/** The expected rows for data of `render_dashboard_card`, without dates and percentages. */
// biome-ignore lint/suspicious/noExplicitAny: of any type
function expectedRows(data: any): (string | number)[][] {
  // Charts round the decimal: 64.485 is 64.49, although the double is a little less.
  const shown = (value: unknown) =>
    typeof value === 'number' ? Math.round(Number(`${value}e2`)) / 100 : String(value);
  if (data.series) return data.series.map(({ value }: { value: number }) => [shown(value)]);
  if (data.groups)
    return data.groups.map(({ group, value }: { group: string; value: number }) => [group, shown(value)]);
  if (data.steps) return data.steps.map(({ label, count }: { label: string; count: number }) => [label, count]);
  return data.rows.map((row: object) => Object.values(row).map(shown));
}

rareBrowserTest('Dashboards: every card of the demo shows the same values as over MCP', async (t) => {
  const app = await sharedApp();
  const client = await app.mcpClient();
  const page = await portalPage(t, app);
  const { cards } = (await app.request('GET', CARDS)).body;
  assert.equal(cards.length, 8);
  for (const { name, cardIds } of app.workspace.tabs) {
    await page.getByRole('tab', { name }).click();
    for (const cardId of cardIds) {
      const called = await client.callTool({ name: 'render_dashboard_card', arguments: { cardId } });
      // biome-ignore lint/suspicious/noExplicitAny: of any type
      const { card, data } = called.structuredContent as any;
      if (data.formatted !== undefined) {
        const drawn = await cardOf(page, card.title).getByRole('img').textContent();
        assert.ok(drawn?.replaceAll('\u00a0', '').includes(data.formatted), `${card.title}: ${drawn}`);
        continue;
      }
      await choose(page, card.title, 'Show as table');
      const rows = await tableIn(page, card.title);
      // The first column of a series contains the days.
      const compared = data.series ? rows.map((row) => row.slice(1)) : rows;
      const expected = expectedRows(data);
      const width = expected[0]?.length;
      assert.deepEqual(
        compared.map((row) => row.slice(0, width)),
        expected,
        card.title,
      );
      assert.ok(expected.length > 1, card.title);
    }
  }
  assert.match(page.url(), /tab=/);
  assert.ok((await layoutShift(page)) < 0.02);
});

function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const sum = (list) => list.getEntries().reduce((shift, { value }) => shift + value, 0);
    new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  })`);
}

rareBrowserTest('Dashboards: a retention shows its cohorts, and a dash for what has not begun', async (t) => {
  const app = await sharedApp();
  const { body: tab } = await app.request('POST', TABS, { agentId: 'support', name: 'Who comes back' });
  const config = {
    ...{ eventName: 'conversation_started', mode: 'retention', returned: { eventName: 'feedback_given' } },
    ...{ dateGrouping: 'day', periods: 2, dateFrom: '2026-03-10' },
  };
  const card = { agentId: 'support', title: 'Feedback by day', cardType: 'table', config, tabId: tab.id };
  assert.equal((await app.request('POST', CARDS, card)).status, 201);
  const page = await portalPage(t, app);
  await page.getByRole('tab', { name: 'Who comes back' }).click();
  await choose(page, card.title, 'Show as table');
  assert.deepEqual(await tableIn(page, card.title), [
    ['2026-03-10', 109, 32, 1, 0],
    ['2026-03-11', 81, 18, 0, '–'],
    ['2026-03-12', 44, 8, '–', '–'],
  ]);
  await cardOf(page, card.title)
    .getByText(/Retention: a row for each cohort/)
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
});

browserTest('Dashboards: the frame stands before the session, all within 160,000 bytes', async (t) => {
  const page = await portalPage(t, await sharedApp(), {
    path: '/favicon.svg',
    viewport: { width: 1280, height: 2_400 },
  });
  const network = await page.context().newCDPSession(page);
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await network.send('Network.enable');
  const session = Promise.withResolvers<void>();
  await page.route('**/api/v1/portal/me', async (route) => {
    await session.promise;
    await route.continue();
  });
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('banner').getByText('Agent Runtime').waitFor();
  await page.getByRole('main').getByText('Loading …').waitFor();
  session.resolve();
  await page.locator('section svg[role="img"]').nth(1).waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(bytes > 100_000 && bytes <= 160_000, `${bytes} bytes`);
});

browserTest('Dashboards: a card moved by keys, buttons or dragging keeps its place', async (t) => {
  const app = await sharedApp();
  const { id, ids } = await newTab(app, 'Moving', ['One', 'Two', 'Three']);
  const page = await portalPage(t, app, { path: `/?tab=${id}`, expected: /status of 503/ });
  const saved = () => page.waitForResponse((response) => response.request().method() === 'PATCH');
  const said = (text: RegExp | string) => page.getByRole('status').getByText(text).waitFor({ state: 'attached' });

  await page.getByRole('button', { name: 'Move One' }).focus();
  await page.keyboard.press('Enter');
  await said('One: arrow keys move it, Enter saves, Escape cancels.');
  await page.keyboard.press('ArrowRight');
  await said('Row 1, column 2, 3 wide, 2 high.');
  await page.keyboard.press('Escape');
  await said('Cancelled. The card was not changed.');
  await page.getByRole('button', { name: 'Move One' }).and(page.locator(':focus')).waitFor();

  await page.keyboard.press('Enter');
  for (let steps = 0; steps < 9; steps++) await page.keyboard.press('ArrowRight');
  const keysSaved = saved();
  await page.keyboard.press('Enter');
  await keysSaved;
  await said('Saved. Row 1, column 10, 3 wide, 2 high.');
  assert.deepEqual(await layoutOf(app, ids[0]!), { x: 9, y: 0, w: 3, h: 2 });
  assert.deepEqual(await layoutOf(app, ids[1]!), { x: 3, y: 0, w: 3, h: 2 });

  await choose(page, 'Two', 'Resize');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('group', { name: 'Resize Two' }).getByRole('button', { name: 'Taller' }).click();
  const buttonsSaved = saved();
  await page.getByRole('button', { name: 'Save' }).click();
  await buttonsSaved;
  assert.deepEqual(await layoutOf(app, ids[1]!), { x: 3, y: 0, w: 3, h: 3 });

  const drag = async (name: string, right: number, down: number) => {
    const handle = page.getByRole('button', { name });
    // Waits until the handle is in its place.
    await handle.hover({ position: { x: 8, y: 8 } });
    const { x, y } = (await handle.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + 8 + right / 2, y + 8 + down / 2);
    await page.mouse.move(x + 8 + right, y + 8 + down);
  };
  const dragTo = async (...to: Parameters<typeof drag>) => {
    await drag(...to);
    await page.mouse.up();
  };
  const before = (await cardOf(page, 'Two').boundingBox())!;
  const dragSaved = saved();
  await dragTo('Move Two', -before.width - 16, 0);
  await dragSaved;
  assert.deepEqual(await layoutOf(app, ids[1]!), { x: 0, y: 0, w: 3, h: 3 });
  const sizeSaved = saved();
  await dragTo('Resize Two', before.width / 3, -116);
  await sizeSaved;
  assert.deepEqual(await layoutOf(app, ids[1]!), { x: 0, y: 0, w: 4, h: 2 });

  await drag('Move Three', 0, 0);
  // A move and Escape within one frame.
  await page.evaluate(`
    const handle = document.querySelector('[aria-label="Move Three"]');
    handle.dispatchEvent(new PointerEvent('pointermove', { clientX: 900, clientY: 900, bubbles: true }));
    handle.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  `);
  await page.mouse.up();
  await said('Cancelled. The card was not changed.');
  assert.equal(await page.getByRole('group', { name: 'Move Three' }).count(), 0, 'the release starts nothing');

  await page.route(`**${CARDS}/*`, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: UNAVAILABLE }) : route.fallback(),
  );
  await dragTo('Move Two', 200, 0);
  await said('The layout was not saved; the previous one is back. Busy.');
  const after = (await cardOf(page, 'Two').boundingBox())!;
  assert.ok(Math.abs(after.x - before.x + before.width + 16) < 2);
});

const UNAVAILABLE = { statusCode: 503, message: 'Busy.', error: 'Service Unavailable' };

rareBrowserTest('Dashboards: tabs are made, renamed, moved and deleted without losing cards', async (t) => {
  const app = await sharedApp();
  const { ids } = await newTab(app, 'Kept', ['Loose card']);
  const page = await portalPage(t, app, { path: '/?agent=support', expected: /status of 409/ });
  const tabs = () => page.getByRole('tab').allInnerTexts();

  await page.getByRole('button', { name: 'New tab' }).click();
  await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).fill('Sales');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'This tab is empty' }).waitFor();
  const chosen = page.getByRole('tab', { selected: true }).and(page.locator(':focus'));
  await chosen.and(page.getByRole('tab', { name: 'Sales' })).waitFor();

  const act = async (action: string) => {
    await page.getByRole('button', { name: /^Actions of the tab/ }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await act('Rename');
  await page.getByRole('textbox', { name: 'Name' }).fill('Service');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByText('has a tab named "Service" already').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Deals');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Deals' }).waitFor();

  const order = await tabs();
  await act('Move left');
  await page.getByText('Tab moved left').waitFor();
  const moved = await tabs();
  assert.deepEqual(moved.slice(-2), order.slice(-2).toReversed());

  await page.getByRole('tab', { name: 'Kept' }).click();
  await choose(page, 'Loose card', 'Move to tab …');
  await page.getByRole('dialog').getByLabel('Tab').selectOption('Deals');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByRole('heading', { name: 'This tab is empty' }).waitFor();
  await page.getByRole('tab', { name: 'Deals' }).click();
  await act('Delete');
  await page.getByText('This deletes “Deals”. Its card is kept, without a tab.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('tab', { name: 'Deals' }).waitFor({ state: 'detached' });
  await page.getByText('The tab in this address does not exist').waitFor({ state: 'detached' });
  await chosen.waitFor();
  await page.getByRole('tab', { name: 'No tab' }).click();
  await choose(page, 'Loose card', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Card deleted').waitFor();
  await page.getByRole('tab', { name: 'No tab' }).waitFor({ state: 'detached' });
  assert.equal((await app.request('GET', `${CARDS}/${ids[0]}`)).status, 404);
});

rareBrowserTest('Dashboards: one range for all cards, and a failed card affects no other', async (t) => {
  const app = await sharedApp();
  const { id, ids } = await newTab(app, 'Ranges', ['Conversations', 'Gone']);
  const page = await portalPage(t, app, { path: `/?tab=${id}&from=-7d`, expected: /status of 503/ });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/render')) asked.push(request.postData() ?? '');
  });
  const [card, failing] = [cardOf(page, 'Conversations'), cardOf(page, 'Gone')];
  await card.getByText('Range of the page').waitFor();
  assert.equal(await page.getByLabel('Range', { exact: true }).inputValue(), '-7d');
  await page.getByLabel('Range', { exact: true }).selectOption('Custom');
  await page.getByLabel('From', { exact: true }).fill('2026-03-01');
  await page.getByLabel('To', { exact: true }).fill('2026-03-10');
  await failing.getByText(/1\s–\s10 Mar 2026 · UTC · 783 events/).waitFor();
  assert.match(page.url(), /from=2026-03-01&to=2026-03-10/);

  await app.request('DELETE', `${CARDS}/${ids[1]}`);
  asked.length = 0;
  await page.getByLabel('Range', { exact: true }).selectOption('Range of each card');
  await failing.getByRole('alert').getByText('There is no dashboard card').waitFor();
  await page.getByText('Range of the page').waitFor({ state: 'detached' });
  assert.deepEqual(
    asked.map((body) => JSON.parse(body)),
    [{ ids }],
  );
  await card.getByRole('img').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.route(`**${CARDS}/render`, (route) => route.fulfill({ status: 503, json: UNAVAILABLE }));
  await choose(page, 'Conversations', 'Refresh');
  await card.getByRole('alert').getByText('Not refreshed').waitFor();
  await card.getByText('Details').click();
  await card.getByText('Busy.').waitFor();
  await card.getByRole('img').waitFor();
  await page.unroute(`**${CARDS}/render`);
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.getByText(/UTC · [0-9,]+ events/).waitFor();
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('Refreshed').waitFor();
  await failing.waitFor({ state: 'detached' });
});

rareBrowserTest('Dashboards: a card is copied as picture and question, and shown full screen', async (t) => {
  const app = await sharedApp();
  const title = 'Resolution rate, last 7 days';
  const page = await portalPage(t, app, { colorScheme: 'dark' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, title, 'Copy question for MCP');
  await page.getByText('Question copied').waitFor();
  const question = `Show me the dashboard card "${title}" (render_dashboard_card, cardId ${app.cardId(title)})`;
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), question);

  const asked = page.waitForRequest(/render\?/);
  await choose(page, title, 'Copy as picture');
  assert.match((await asked).url(), /theme=dark/);
  await page.getByText('Picture copied').waitFor();
  const types = 'navigator.clipboard.read().then(([item]) => [...item.types])';
  assert.deepEqual(await page.evaluate(types), ['image/png']);
  const download = page.waitForEvent('download');
  await choose(page, title, 'Download SVG');
  assert.equal((await download).suggestedFilename(), 'Resolution-rate-last-7-days.svg');

  await page.getByRole('button', { name: `Actions of ${title}` }).click();
  await page.getByRole('menuitem', { name: 'Full screen' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('menuitem', { name: 'Full screen' }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByText('70.2').first().waitFor();
  const events = await dialog.getByRole('link', { name: 'Show the events' }).getAttribute('href');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await choose(page, title, 'Show the events');
  await page.waitForURL((url) => url.pathname === events);
  await page.goBack();
  await page.getByRole('button', { name: 'Full screen', exact: true }).click();
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  assert.match(page.url(), /full=1/);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await page.getByRole('navigation').waitFor();
});

browserTest('Dashboards: hostile titles fit 320 pixels, and a VIEWER cannot change cards', async (t) => {
  const app = await sharedApp();
  const titles = ['<img src=x onerror=alert(1)>', 'مرحبا '.repeat(20), `🎉${'W'.repeat(198)}`];
  const { id } = await newTab(app, `<b>${'x'.repeat(90)}`, titles);
  const narrow = { width: 320, height: 800 };
  const page = await portalPage(t, app, { path: `/?tab=${id}`, role: 'VIEWER', viewport: narrow });
  for (const title of titles) await page.getByRole('heading', { name: title.trim(), exact: true }).waitFor();
  await page.getByText('Your role, Viewer, can view dashboards but not change them.').waitFor();
  await assertFits(page);
  assert.equal(await page.getByRole('button', { name: /^(Move|Resize|New tab)/ }).count(), 0);
  await page.getByRole('button', { name: `Actions of ${titles[0]}` }).click();
  const items = await page.getByRole('menuitem').allInnerTexts();
  assert.ok(!items.some((item) => /Edit|Move|Delete|Duplicate/.test(item)), items.join());
});

browserTest('Dashboards: without cards, the page explains how to make the first', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/?agent=nobody' });
  await page.getByRole('heading', { name: 'Create your first card' }).waitFor();
  await page.getByRole('link', { name: 'See the events' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const link = page.getByRole('main').getByRole('link', { name: 'New card' }).last();
  assert.match((await link.getAttribute('href')) ?? '', /\/cards\/new/);
});

browserTest('Dashboards: a link shows the same tab to a user who chose another agent', async (t) => {
  const app = await sharedApp();
  const { id } = await newTab(app, 'Shared', ['For all']);
  await app.request('POST', TABS, { agentId: 'other', name: 'Others' });
  const page = await portalPage(t, app);
  await page.getByLabel('Agent', { exact: true }).selectOption('other');
  await page.getByRole('tab', { name: 'Others' }).waitFor();
  await page.goto(app.url);
  await page.waitForURL(/[?]agent=other$/);
  await page.goto(`${app.url}/?tab=${id}`);
  await cardOf(page, 'For all').getByRole('img').waitFor();
  await page.goto(`${app.url}/?tab=gone`);
  await page.getByText('The tab in this address does not exist').waitFor();
});
