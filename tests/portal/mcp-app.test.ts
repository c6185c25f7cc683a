import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
import { buildCardApp } from '../../packaging/portal/card-app.ts';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { demoTabs } from '../../src/demo/cards.ts';
import { type TestApp, temporaryDirectory } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { DEMO_NOW, type DemoApp, demoApp } from '../support/demo.ts';
import { openView, serveMcpHost } from '../support/mcp-host.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { CARDS } from '../tools/workspace-support.ts';

const MAX_BYTES = 80_000;

const wholeFile = scopeOfThisFile();
let started: Promise<{ app: DemoApp; origin: string }> | undefined;
const hosted = () => {
  started ??= serveMcpHost(wholeFile).then(async (origin) => ({
    origin,
    app: await demoApp(wholeFile, { allowedOrigins: origin }),
  }));
  return started;
};

let made = 0;

async function countCard(
  app: TestApp,
  title: string,
): Promise<{ cardId: string; count: (events: number) => Promise<void> }> {
  const eventName = `counted_${++made}`;
  const { body } = await app.request('POST', CARDS, {
    title,
    cardType: 'number',
    config: { eventName, aggregation: 'count', dateFrom: '-7d' },
  });
  const event = { eventName, timestamp: new Date(DEMO_NOW - 60_000).toISOString() };
  return {
    cardId: body.id,
    count: async (events) => {
      await app.ingest(Array.from({ length: events }, () => event));
    },
  };
}

test('MCP App: one file within its size limit that loads nothing else', async (t) => {
  const file = join(temporaryDirectory(t), 'card.html');
  const { inputs } = await buildCardApp(file);
  assert.ok(statSync(file).size <= MAX_BYTES, `${statSync(file).size} bytes`);
  assert.ok(Object.keys(inputs).some((path) => path.startsWith('node_modules/d3-shape/')));
  assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(src|href)=|@import|url\(/);
});

browserTest('MCP App: the handshake, the registered resource and the teardown', async (t) => {
  const { app, origin } = await hosted();
  const { host, frame } = await openView(t, app, origin);
  assert.deepEqual(await host('app'), { name: 'agent-runtime-card', version: PROGRAM.version });
  assert.deepEqual(await host('content'), {
    uri: 'ui://agent-runtime/card.html',
    mimeType: 'text/html;profile=mcp-app',
    meta: { ui: { csp: {}, prefersBorder: true } },
  });
  await frame.getByText('Waiting for the card').waitFor();
  assert.deepEqual(await host('teardown'), {});
});

rareBrowserTest('MCP App: cards of every type are drawn, and accessible in both themes', async (t) => {
  const { app, origin } = await hosted();
  const { page, host, frame } = await openView(t, app, origin);
  const cards = demoTabs.flatMap((tab) => tab.cards);
  assert.equal(new Set(cards.map(({ cardType }) => cardType)).size, 8);
  for (const { title, cardType } of cards) {
    await host('call', app.cardId(title));
    await frame.getByRole('heading', { name: title, exact: true }).waitFor();
    if (cardType === 'table') {
      await frame.getByRole('columnheader', { name: 'resolved' }).waitFor();
      assert.equal(await frame.getByRole('row').count(), 7);
    } else {
      const picture = frame.getByRole('img');
      assert.match((await picture.getAttribute('aria-label')) ?? '', /\d.*\.$/);
      assert.ok((await picture.locator('path, rect, text').count()) > 0, title);
    }
    assert.match((await frame.locator('#basis').textContent()) ?? '', /2026 · UTC · [\d,]+ events · updated /);
    // The pictures of all types are examined in the portal; here, the view around them.
    if (title === cards[0]!.title || cardType === 'table') {
      assert.deepEqual(await accessibilityFaults(page), [], title);
    }
  }
});

browserTest('MCP App: Refresh calls the tool and shows the new value', async (t) => {
  const { app, origin } = await hosted();
  const { cardId, count } = await countCard(app, 'Counted');
  await count(3);
  const { host, frame } = await openView(t, app, origin);
  await host('call', cardId);
  await frame.getByRole('img', { name: /^3\b/ }).waitFor();
  await count(4);
  await host('hold');
  const refresh = frame.getByRole('button', { name: 'Refresh' });
  await refresh.press('Enter');
  await frame.getByText('Refreshing').waitFor();
  assert.equal(await refresh.getAttribute('aria-disabled'), 'true');
  await refresh.press('Enter');
  await host('release');
  await frame.getByRole('img', { name: /^7\b/ }).waitFor();
  assert.equal(await refresh.getAttribute('aria-disabled'), 'false');
  assert.equal(await frame.locator('#message').textContent(), '');
  assert.equal(await frame.evaluate('document.activeElement.id'), 'refresh');
});

rareBrowserTest('MCP App: errors of the tool and of the host are shown', async (t) => {
  const { app, origin } = await hosted();
  const { cardId } = await countCard(app, 'Deleted');
  const { host, frame } = await openView(t, app, origin);
  await host('cancel');
  await frame.getByText('The call was cancelled.').waitFor();
  await host('send', { content: [] });
  await frame.getByText('The host did not pass on the data').waitFor();
  await host('call', cardId);
  await frame.getByRole('heading', { name: 'Deleted' }).waitFor();
  await app.request('DELETE', `${CARDS}/${cardId}`);
  await frame.getByRole('button', { name: 'Refresh' }).click();
  await frame.getByText(/There is no dashboard card|no card/).waitFor();
  await frame.getByRole('heading', { name: 'Deleted' }).waitFor();
});

rareBrowserTest('MCP App: theme, language and time zone are those of the host', async (t) => {
  const { app, origin } = await hosted();
  const context = { theme: 'light', locale: 'de-DE', timeZone: 'Asia/Tokyo' };
  const { page, host, frame } = await openView(t, app, origin, { context, colorScheme: 'dark' });
  await host('call', app.cardId('Escalations by day'));
  await frame
    .getByText(/26\. Feb\.|26\.02\.2026/)
    .first()
    .waitFor();
  const surface = () => frame.evaluate('getComputedStyle(document.body).backgroundColor');
  assert.equal(await surface(), 'rgb(255, 255, 255)');
  await host('setContext', { ...context, theme: 'dark', locale: 'en-GB' });
  await frame.locator('[data-theme=dark]').waitFor();
  assert.equal(await surface(), 'rgb(27, 31, 39)');
  await frame
    .getByText(/26 Feb/)
    .first()
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await host('setContext', { ...context, locale: 'no such language', timeZone: 'No/Where' });
  await frame.locator('[data-theme=light]').waitFor();
  await frame.getByRole('img', { name: /14 points/ }).waitFor();
});

rareBrowserTest('MCP App: reports its size to the host and fits 280 pixels', async (t) => {
  const { app, origin } = await hosted();
  const { page, host, frame } = await openView(t, app, origin, { width: 280 });
  for (const { title } of demoTabs.flatMap((tab) => tab.cards)) {
    await host('call', app.cardId(title));
    await frame.getByRole('heading', { name: title, exact: true }).waitFor();
    await until(frame, 'document.documentElement.scrollHeight === window.innerHeight');
    assert.equal(await frame.evaluate('document.documentElement.scrollWidth'), 280, title);
  }
  const narrow: { width: number; height: number } = (await host('sizes')).at(-1);
  assert.equal(narrow.width, 280);
  await host('call', app.cardId('Escalations by day'));
  const { height } = (await host('sizes')).at(-1);
  await page.evaluate("document.querySelector('iframe').style.width = '640px'");
  await page.waitForFunction(`window.host.sizes.at(-1).width === 640 && window.host.sizes.at(-1).height > ${height}`);
  assert.equal(await frame.getByRole('img').getAttribute('width'), '608');
});

browserTest('MCP App: a tab is the grid of its cards, in both themes, and fits 320 pixels', async (t) => {
  const { app, origin } = await hosted();
  const { page, host, frame } = await openView(t, app, origin, { width: 320, context: { theme: 'light' } });
  for (const [at, { name, cards }] of demoTabs.entries()) {
    await host('callTab', name);
    await frame.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    for (const { title } of cards) await frame.getByRole('heading', { name: title, level: 2, exact: true }).waitFor();
    assert.equal(await frame.getByRole('article').count(), cards.length);
    const drawn = cards.filter(({ cardType }) => cardType !== 'table').length;
    assert.equal(await frame.getByRole('img').count(), drawn);
    await until(frame, 'document.documentElement.scrollHeight === window.innerHeight');
    assert.equal(await frame.evaluate('document.documentElement.scrollWidth'), 320, name);
    await host('setContext', { theme: at === 0 ? 'dark' : 'light' });
    await frame.locator(`[data-theme=${at === 0 ? 'dark' : 'light'}]`).waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], name);
  }
  await frame.getByRole('article').first().getByRole('button', { name: 'Table' }).click();
  await frame.getByRole('table').first().waitFor();
  await frame.getByRole('button', { name: 'Refresh' }).click();
  await until(frame, "document.querySelector('#message').textContent === ''");
  assert.equal(await frame.getByRole('article').count(), demoTabs.at(-1)!.cards.length);
  await host('call', app.cardId('Escalations by day'));
  await frame.getByRole('heading', { name: 'Escalations by day', level: 1 }).waitFor();
  assert.equal(await frame.getByRole('article').count(), 0);
  const failed = { card: { id: 'x', title: 'Broken', cardType: 'line' }, error: 'Change it.' };
  await host('send', { content: [], structuredContent: { tab: { id: 't', name: 'One' }, cards: [failed] } });
  await frame.getByText('Change it.').waitFor();
});

rareBrowserTest('MCP App: the keyboard reaches the table and every value', async (t) => {
  const { app, origin } = await hosted();
  const { page, host, frame } = await openView(t, app, origin);
  await host('call', app.cardId('Escalations by day'));
  const picture = frame.getByRole('img');
  await picture.focus();
  const tooltip = frame.locator('.tooltip');
  await page.keyboard.press('ArrowRight');
  assert.equal(await tooltip.textContent(), '26 Feb 2026: 5');
  await page.keyboard.press('ArrowRight');
  assert.match((await tooltip.textContent()) ?? '', /^27 Feb 2026: \d+$/);
  await page.keyboard.press('Escape');
  assert.equal(await tooltip.isVisible(), false);
  await picture.hover({ position: { x: 10, y: 100 } });
  assert.match((await tooltip.textContent()) ?? '', /^26 Feb 2026: /);

  const toggle = frame.getByRole('button', { name: 'Table' });
  await toggle.press('Space');
  assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
  await frame.getByRole('cell', { name: '26 Feb 2026' }).waitFor();
  assert.equal(await frame.getByRole('row').count(), 15);
  assert.deepEqual(await accessibilityFaults(page), []);
  await toggle.press('Space');
  await picture.waitFor();
});

rareBrowserTest('MCP App: hostile names are shown as text', async (t) => {
  const { app, origin } = await hosted();
  const markup = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const titles = [markup, '\u202Eabc <b>', 'שלום עולם', '😀\u0001\uD800', 'long '.repeat(40).trim(), 'x'.repeat(200)];
  const { page, host, frame } = await openView(t, app, origin, { width: 280 });
  for (const title of titles) {
    const card = { id: 'x', title, cardType: 'bar' };
    const groups = titles.map((group, value) => ({ group, value }));
    const basis = { from: null, to: null, timezone: markup, matchedEvents: 5 };
    await host('send', { content: [], structuredContent: { card, data: { groups }, basis, notes: [markup] } });
    await until(frame, `document.querySelector('h1').textContent === ${JSON.stringify(title)}`);
    assert.equal(await frame.locator('#notes').textContent(), markup);
    await frame.getByRole('button', { name: 'Table' }).click();
    assert.equal(await frame.locator('main img, main script, main b').count(), 0);
    assert.equal(await frame.evaluate('document.documentElement.scrollWidth'), 280, title);
    await frame.getByRole('button', { name: 'Table' }).click();
  }
  assert.deepEqual(await accessibilityFaults(page), []);
});

rareBrowserTest('MCP App: messages from anything but the host are ignored', async (t) => {
  const { app, origin } = await hosted();
  const { host, frame } = await openView(t, app, origin);
  const forged = {
    jsonrpc: '2.0',
    method: 'ui/notifications/tool-result',
    params: { isError: true, content: [{ type: 'text', text: 'Forged' }] },
  };
  await frame.evaluate(`window.postMessage(${JSON.stringify(forged)}, '*')`);
  await host('call', app.cardId('Escalations by day'));
  await frame.getByRole('img').waitFor();
  assert.equal(await frame.getByText('Forged').count(), 0);
  assert.equal(await frame.locator('#message').textContent(), '');
});

/** Polls, because `waitForFunction` uses `eval` within the frame, whose CSP forbids it. */
async function until(frame: Frame, condition: string): Promise<void> {
  for (let asked = 0; asked < 1_000; asked++) if (await frame.evaluate<boolean>(condition)) return;
  assert.fail(`It never became true: ${condition}`);
}
