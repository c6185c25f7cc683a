import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import type { Locator, Page } from 'playwright-core';
import { testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, openPage, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { newUser } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';
import { logIn } from './support.ts';

const sharedApp = appOfThisFile();

browserTest('Shell: the keyboard reaches the content, a page and the theme', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');

  await page.getByRole('link', { name: 'Explore' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor();
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
  await page.getByRole('button', { name: 'Settings' }).click();
  for (const path of opened) {
    await page.locator(`nav.navigation a[href="${path}"]`).click();
    await page.waitForURL((url) => url.pathname === path);
    await page.locator('#main h1').waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  }
});

browserTest('Shell: opens in a tab of the background, which draws no frames and delays timers', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/healthz' });
  await page.addInitScript(`
    const { setTimeout: later } = globalThis;
    globalThis.setTimeout = (run, ms, ...rest) => later(run, Math.max(ms ?? 0, 300), ...rest);
    globalThis.requestAnimationFrame = () => 0;
  `);
  await page.goto(`${app.url}/metrics`);
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
});

rareBrowserTest('Palette: finds pages and actions by their names', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  await page.keyboard.type('kpi');
  await page.getByRole('option', { name: /Explore/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor();

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
  await page.getByRole('link', { name: 'Explore' }).hover();
  await page.getByRole('link', { name: 'Explore' }).click();
  await page.getByRole('main').getByText('This page could not be loaded.').waitFor();
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'This page cannot be shown');
  await page.getByRole('link', { name: 'MCP clients' }).click();
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'hidden' });
});

/** By page: what it asks before it shows its parts. */
const ASKED = [
  ['/settings/data', /\/api\/v1\/portal\/(storage|data|settings)$/],
  ['/account', /\/api\/v1\/portal\/(me\/second-factor|sessions)\b/],
  ['/explore', /\/event-names\b/],
  ['/explain', /\/observability\/metrics\b/],
] as const;

rareBrowserTest('Pages: an answer that fails shows its error, and is not asked for again and again', async (t) => {
  const app = await sharedApp();
  for (const [path, asked] of ASKED) {
    const page = await portalPage(t, app, { role: 'SUPER_ADMIN', expected: /status of 500/ });
    const addresses: string[] = [];
    await page.route(asked, async (route) => {
      addresses.push(route.request().url());
      await route.fulfill({ status: 500, json: { statusCode: 500, error: 'Internal', message: 'It is broken.' } });
    });
    await page.goto(app.url + path);
    await page.getByText('It is broken.').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor();
    for (const [address, requests = []] of Object.entries(Object.groupBy(addresses, (one) => one)))
      assert.ok(requests.length <= 4, `${path} asks ${requests.length} times for ${address}`);
    await page.unroute(asked);
    await page.evaluate("for (const again of document.querySelectorAll('[role=alert] button')) again.click()");
    await page.getByText('It is broken.').first().waitFor({ state: 'detached' });
    await page.close();
  }
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
  await page.getByRole('link', { name: 'Explore' }).click();
  await page.getByRole('form', { name: 'Question' }).waitFor();
  assert.ok(missing > 1, 'the chunk was missing, then found');
});

browserTest('Shell: on phones a bar has the title, and a drawer the pages', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect', viewport: { width: 390, height: 844 } });
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  const bar = (await page.getByRole('banner').boundingBox())!;
  assert.ok(bar.height <= 84, `${bar.height} of 844 pixels`);
  await page.getByRole('banner').locator('.bar-title', { hasText: 'Connect' }).waitFor();

  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.getByRole('link', { name: 'Metrics' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Menu' }).click();
  await drawer.getByRole('link', { name: 'Metrics' }).click();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await drawer.getByRole('link', { name: 'Metrics' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await scrollsSideways(page), false);
});

browserTest('Shell: groups stay folded as the user left them', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/connect' });
  const group = (name: string) => page.getByRole('navigation').getByRole('button', { name });
  await group('Analyse').press('Enter');
  await group('Settings').press('Enter');
  await page.reload();
  await page.getByRole('link', { name: 'Single sign-on' }).waitFor();
  assert.equal(await group('Analyse').getAttribute('aria-expanded'), 'false');
  assert.equal(await page.getByRole('link', { name: 'Metrics' }).count(), 0);
});

browserTest('Shell: an unknown address shows that there is no such page', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/no/such/page' });
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  // Nothing was erased.
  await page.goto(`${app.url}/erased`);
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor();
  await page.goto(`${app.url}/settings`);
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
});

browserTest('Shell: a session that cannot be read is told, and can be tried again', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { expected: /status of 502/ });
  await page.route('**/portal/me', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  for (const path of ['/connect', '/authorize/some-request', '/connect']) {
    await page.goto(app.url + path);
    await page.getByRole('main').getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  await page.unroute('**/portal/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
});

const NO_SUCH = {
  card: ['/cards/garbage'],
  user: ['/settings/users/garbage'],
  metric: ['/metrics/nope', '/metrics/not-a-name/edit'],
  segment: ['/segments/nope/edit'],
  alert: ['/alerts/garbage', '/alerts/garbage/edit'],
  digest: ['/digests/garbage'],
};

rareBrowserTest('Pages: an address of nothing says so in words for people', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { expected: /status of 40[04]/ });
  for (const [noun, paths] of Object.entries(NO_SUCH)) {
    for (const path of paths) {
      await page.goto(app.url + path);
      await page.getByRole('heading', { name: `There is no such ${noun}` }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path);
    }
  }
  assert.deepEqual(await accessibilityFaults(page), []);
});

/** One step of somebody who knows no documentation: what is visible has a role and a name. */
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function choose(page: Page, field: string, text: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(text);
  await page.getByRole('option', { name: option }).click();
}

async function act(page: Page, title: string, action: string): Promise<void> {
  await press(page, `Actions of ${title}`);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function addCard(page: Page): Promise<string> {
  await page.getByRole('img').waitFor();
  const title = await page.getByRole('heading', { level: 2 }).last().innerText();
  await press(page, 'Add card');
  await page.getByRole('status').getByText(`The card “${title}” was added`).waitFor();
  await cardOf(page, title).getByRole('img').waitFor();
  return title;
}

async function rowsOf(page: Page, title: string): Promise<string[][]> {
  await act(page, title, 'Show as table');
  const rows = page.getByRole('region', { name: `${title}, data`, exact: true }).getByRole('row');
  await rows.first().waitFor();
  const [, ...body] = await rows.all();
  return Promise.all(body.map((row) => row.getByRole('cell').allInnerTexts()));
}

async function askedOverMcp(client: Client, question: string) {
  const [, cardId] = /\(render_dashboard_card, cardId (\S+)\)$/.exec(question) ?? [];
  const { structuredContent } = await client.callTool({ name: 'render_dashboard_card', arguments: { cardId } });
  // biome-ignore lint/suspicious/noExplicitAny: of any type of card
  return structuredContent as any;
}

const placeOf = async (card: Locator) => (await card.boundingBox())!;
const numberIn = (text: string) => Number(text.replaceAll(',', ''));

browserTest('Newcomer: from the login link to a dashboard of three cards, without the docs', async (t) => {
  const app = await demoApp(t);
  const user = await newUser(app, { role: 'ADMIN' });
  const page = await openPage(t, { origin: app.url, expected: /401/ });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${app.url}/login#link=${await app.runtime.logins.issueLink(user, 60_000)}`);
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor();
  await cardOf(page, 'Conversations, last 7 days').getByRole('img').waitFor();
  await press(page, 'Put away');

  await press(page, 'New tab');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await press(page, 'Create');
  await page.getByRole('heading', { name: 'This tab is empty' }).waitFor();

  await link(page, 'See the events');
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor();
  await page.getByRole('listitem').getByRole('link', { name: 'conversation_started' }).first().waitFor();
  await link(page, 'KPI');
  await choose(page, 'Event', 'refund', /^refund_issued/);
  await page.getByRole('combobox', { name: 'What to compute' }).selectOption('Sum of');
  await choose(page, 'Property', 'amo', /^amount/);
  await page.getByRole('combobox', { name: 'Over time' }).selectOption('One value for the whole range');
  await press(page, 'Run');
  const answer = page.getByRole('region', { name: 'Sum of amount, refund_issued' });
  const kpi = await answer.getByRole('img').textContent();
  await link(page, 'Save as card');
  await page.getByRole('heading', { name: 'New card' }).waitFor();
  await page
    .getByRole('combobox', { name: 'Tab' })
    .locator('option:checked', { hasText: /^Mine$/ })
    .waitFor({ state: 'attached' });
  const sum = await addCard(page);
  assert.equal(await page.getByRole('tab', { name: 'Mine' }).getAttribute('aria-selected'), 'true');
  assert.equal(await cardOf(page, sum).getByRole('img').textContent(), kpi, 'the card says what the KPI said');

  await link(page, 'New card');
  await page.getByRole('radio', { name: 'Line' }).check();
  await choose(page, 'Event', 'started', /^conversation_started/);
  await page.getByRole('combobox', { name: 'Over time' }).selectOption('By week');
  await choose(page, 'Group by', 'chan', /^channel/);
  const line = await addCard(page);

  await link(page, 'New card');
  await page.getByRole('radio', { name: 'Funnel' }).check();
  await choose(page, 'Event of step 1', 'started', /^conversation_started/);
  await choose(page, 'Event of step 2', 'resolved', /^conversation_resolved/);
  const funnel = await addCard(page);
  assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts(), [
    sum,
    line,
    funnel,
  ]);

  // The funnel goes to the top, as wide as the window lets it.
  await page.getByRole('button', { name: `Move ${funnel}`, exact: true }).press('Enter');
  for (let row = 0; row < 20; row++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Saved. Row 1,').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: `Resize ${funnel}`, exact: true }).press('Enter');
  for (let column = 0; column < 12; column++) await page.keyboard.press('ArrowRight');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.keyboard.press('Enter');
  await saved;
  await link(page, 'MCP clients');
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await link(page, 'Dashboards');
  // Cards that load are not laid out yet.
  await cardOf(page, sum).waitFor();
  await page.locator('.card[aria-busy=true]').first().waitFor({ state: 'detached' });
  const [top, below] = await Promise.all([funnel, sum].map((title) => placeOf(cardOf(page, title))));
  assert.ok(top!.y < below!.y && top!.width > below!.width * 1.5);

  const client = await app.mcpClient();
  const questionOf = async (title: string) => {
    // The status of an earlier copy may still be shown.
    await page.evaluate("navigator.clipboard.writeText('')");
    // When a card is loaded, its menu grows, and moves under the mouse.
    await page.locator('.card[aria-busy=true]').first().waitFor({ state: 'detached' });
    await act(page, title, 'Copy question for MCP');
    await page.getByRole('status').getByText('Question copied').waitFor();
    const copied = await page.waitForFunction<string>('navigator.clipboard.readText()');
    return copied.jsonValue();
  };
  const asked = async (title: string) => (await askedOverMcp(client, await questionOf(title))).data;
  assert.equal(kpi, (await asked(sum)).formatted);
  const { series } = await asked(line);
  const groups = [...new Set(series.map(({ group }: { group: string }) => group))];
  const byWeek = Object.values(Object.groupBy(series, ({ bucket }: { bucket: string }) => bucket));
  assert.ok(groups.length === 3 && byWeek.length > 3);
  assert.deepEqual(
    // After the groups come the annotations.
    (await rowsOf(page, line)).map((row) => row.slice(1, 1 + groups.length).map(numberIn)),
    // biome-ignore lint/suspicious/noExplicitAny: of any type of card
    byWeek.map((week: any) => groups.map((group) => week.find((one: any) => one.group === group)?.value)),
  );
  const { steps } = await asked(funnel);
  assert.deepEqual(
    (await rowsOf(page, funnel)).map(([step, count]) => [step, numberIn(count!)]),
    steps.map(({ eventName, count }: { eventName: string; count: number }) => [eventName, count]),
  );

  await press(page, 'Log out');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const PREFIX = '/tools/runtime';
const PASSWORD = 'correct horse battery staple';

async function startProxy(t: TestContext) {
  const proxy = { origin: '', url: '', target: '', outside: [] as string[] };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${PREFIX}/`)) {
      proxy.outside.push(path);
      outgoing.writeHead(404).end();
      return;
    }
    const forwarded = {
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-host': incoming.headers.host ?? '',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': PREFIX,
    };
    const options = { method: incoming.method, headers: { ...incoming.headers, ...forwarded } };
    const passed = ask(proxy.target + path.slice(PREFIX.length), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.url = proxy.origin + PREFIX;
  return proxy;
}

rareBrowserTest('Sub-path: behind a proxy the portal and the reference stay below their path', async (t) => {
  const proxy = await startProxy(t);
  const app = await testApp(t, { publicUrl: proxy.url, trustedProxies: '127.0.0.1' });
  proxy.target = app.url;
  await app.ingest([{ eventName: 'agent_replied', threadId: 't-1' }]);
  const config = { eventName: 'agent_replied', aggregation: 'count' };
  await app.request('POST', CARDS, { agentId: 'support', title: 'Replies', cardType: 'number', config });
  const { email } = await newUser(app, { password: PASSWORD, role: 'ADMIN' });
  const page = await openPage(t, { origin: proxy.origin, expected: /status of 401/ });
  await page.goto(`${proxy.url}/`);
  await page.waitForURL(`${proxy.url}/login`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('region', { name: 'Replies' }).getByRole('img').waitFor();
  assert.equal(page.url(), `${proxy.url}/`);

  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('listitem').getByRole('link', { name: 'agent_replied' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'agent_replied' });
  await drawer.waitFor();
  assert.ok(page.url().startsWith(`${proxy.url}/explore?view=feed`));
  await page.reload();
  await drawer.getByRole('link', { name: 'Events "agent_replied" of this thread' }).click();
  await page.getByRole('region', { name: 'Rows', exact: true }).waitFor();
  const command = page.getByRole('region', { name: 'The command for a shell' });
  await page.getByRole('button', { name: 'REST' }).click();
  assert.ok((await command.innerText()).includes(`curl ${proxy.url}/api/`));

  await page.getByRole('link', { name: 'MCP clients' }).click();
  await page.getByRole('button', { name: 'Make a read key' }).click();
  await page.getByText('This is shown once.').waitFor();
  assert.ok((await page.getByRole('region', { name: 'Setup' }).innerText()).includes(`${proxy.url}/mcp `));
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('✓ Connected.').waitFor();

  await page.goto(`${proxy.url}/docs`);
  await page.getByRole('heading', { name: 'Agent Runtime API' }).waitFor();
  await page.goto(`${proxy.url}/connect?client=cursor`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.goto(`${proxy.url}/connect?client=cursor`);
  await logIn(page, email, PASSWORD);
  await page.getByRole('tab', { name: 'Cursor', selected: true }).waitFor();
  assert.equal(page.url(), `${proxy.url}/connect?client=cursor`);
  assert.deepEqual(proxy.outside, []);
});
