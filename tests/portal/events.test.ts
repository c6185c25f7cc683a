import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { accessibilityFaults, browserTest, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, demoOfThisFile, focused } from './support.ts';

const sharedApp = demoOfThisFile();

const HOSTILE = `<img src=x onerror=alert(1)> ابجد 😀 =1+1 ${'w'.repeat(150)}`;
const pathOf = (page: string, question: object) => `${page}?question=${encodeURIComponent(JSON.stringify(question))}`;
const questionIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('question')!);
const rows = (page: Page) => page.getByRole('region', { name: 'Rows', exact: true }).getByRole('row');

async function newCard(page: Page) {
  await page.waitForURL(/cards\/new/);
  const card = JSON.parse(new URL(page.url()).searchParams.get('config')!);
  const event = page.getByRole('combobox', { name: 'Event', exact: true });
  await event.waitFor();
  assert.equal(await event.inputValue(), card.config.eventName);
  return card;
}

async function fillIn(page: Page, label: string, text: string) {
  await page.getByRole('combobox', { name: label, exact: true }).fill(text);
  await page.keyboard.press('Tab');
}

rareBrowserTest('Events: new ones appear at the top, and wait while the reader is further down', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/explore?view=feed' });
  const first = page.getByRole('region', { name: 'Newest events first' }).getByRole('listitem').first();
  await first.getByRole('link', { name: 'agent_replied' }).waitFor();
  const status = page.getByText(/events · page 1 of/);
  const total = Number(/[\d,]+/.exec(await status.innerText())![0].replaceAll(',', ''));

  await app.ingest([
    { eventName: 'order_paid', threadId: 't-1', properties: { amount: 49.9 }, timestamp: '2026-03-12T17:19:01Z' },
  ]);
  await first.getByRole('link', { name: 'order_paid' }).waitFor();
  await first.getByText('amount: 49.9').waitFor();
  assert.equal(await first.getByRole('time').getAttribute('title'), '2026-03-12T17:19:01.000Z');

  await page.getByRole('link', { name: 'Older' }).scrollIntoViewIfNeeded();
  const two = ['17:19:02', '17:19:03'].map((time) => ({ eventName: 'order_sent', timestamp: `2026-03-12T${time}Z` }));
  await app.ingest(two);
  const bringIn = page.getByRole('button', { name: '2 new events' });
  await bringIn.waitFor();
  await first.getByRole('link', { name: 'order_paid' }).waitFor();
  await bringIn.click();
  await first.getByRole('link', { name: 'order_sent' }).waitFor();
  await page.getByText(`${(total + 3).toLocaleString('en-GB')} events`).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
});

rareBrowserTest('Events: a row opens by keyboard, and the filter stays with a reload', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/explore?view=feed', role: 'VIEWER' });
  const filter = page.getByRole('combobox', { name: 'Event name' });
  await filter.fill('refund');
  await page.getByRole('option', { name: /^refund_issued \d/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/refund_issued/);
  await page.reload();
  assert.equal(await filter.inputValue(), 'refund_issued');

  const link = page.getByRole('listitem').getByRole('link', { name: 'refund_issued' }).first();
  await link.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'refund_issued' });
  await focused(drawer);
  await drawer.getByRole('row', { name: /^amount/ }).waitFor();
  const id = new URL(page.url()).searchParams.get('event')!;
  assert.match(
    await drawer.getByRole('region', { name: 'The event as JSON' }).innerText(),
    new RegExp(`"id": "${id}"`),
  );
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  assert.equal(await page.locator(':focus').innerText(), 'refund_issued');

  // On another page the event is found by its id.
  const named = `/events?page=3&event=${encodeURIComponent(id)}&eventName=refund_issued`;
  await page.goto(app.url + named);
  await drawer.getByRole('row', { name: /^amount/ }).waitFor();
  await drawer.getByRole('link', { name: 'Events "refund_issued" of this thread' }).click();
  await rows(page).nth(1).waitFor();
  assert.equal(questionIn(page).filters[0].propertyKey, 'threadId');
});

browserTest('Events: without any, the page says how to send the first', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, {
    path: '/explore?view=feed&agent=nobody',
    viewport: { width: 320, height: 700 },
  });
  await page.getByRole('heading', { name: 'No events of the agent "nobody" yet' }).waitFor();
  const command = await page.getByRole('region', { name: 'Command that sends an event' }).innerText();
  assert.ok(command.includes(`${app.url}/api/v1/runtime/v1/observability/events`));
  await assertFits(page);
});

browserTest('Table: is asked by form, sorted, paged and downloaded as CSV', async (t) => {
  const app = await sharedApp();
  await app.ingest([
    { eventName: 'paid', properties: { plan: '=1+1', amount: 5 } },
    { eventName: 'paid', properties: { plan: 'a,b', amount: 7 } },
    { eventName: 'paid', properties: { plan: HOSTILE, amount: 6 } },
  ]);
  const page = await portalPage(t, app, { path: '/explore?view=table' });
  await fillIn(page, 'Event', 'paid');
  for (const [index, key] of ['amount', 'plan'].entries()) {
    await fillIn(page, `Column ${index + 1}`, key);
  }
  await page.getByLabel('Rows per page').fill('2');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 to 2 of 3 events').waitFor();

  const head = page.getByRole('columnheader', { name: 'amount' });
  await head.getByRole('button').click();
  await page.waitForURL(/sortBy/);
  await rows(page).nth(1).getByRole('cell', { name: '7' }).waitFor();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  await head.getByRole('button').click();
  await rows(page).nth(1).getByRole('cell', { name: '5' }).waitFor();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download this page as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'paid.csv');
  assert.equal(readFileSync(await download.path(), 'utf8'), `\ufeffamount,plan\r\n5,'=1+1\r\n6,${HOSTILE}\r\n`);

  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('3 to 3 of 3 events').waitFor();
  await page.getByRole('cell', { name: 'a,b' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next' }).isDisabled(), true);
  await page.reload();
  await page.getByText('3 to 3 of 3 events').waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Column 2' }).inputValue(), 'plan');

  await page.getByRole('link', { name: 'Save as card' }).click();
  const card = await newCard(page);
  const config = {
    eventName: 'paid',
    mode: 'raw',
    columns: ['amount', 'plan'],
    sortBy: 'amount',
    sortOrder: 'asc',
    limit: 2,
    dateFrom: '1970-01-01',
  };
  assert.deepEqual(card, { cardType: 'table', config });
});

browserTest('Table: a question in the address that is not a JSON object is named', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/explore?view=table&question=%7B%22eventName' });
  await page.getByRole('heading', { name: 'The question in the address is not a JSON object' }).waitFor();
});

rareBrowserTest('Table: messages of the server stand at their fields; hostile names are text', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: HOSTILE, threadId: HOSTILE, properties: { [HOSTILE]: HOSTILE } }]);
  const metrics = [{ aggregation: 'sum', alias: 'sum' }];
  const question = { eventName: HOSTILE, mode: 'aggregate', groupBy: [HOSTILE], metrics, dateFrom: 'soon', limit: 2 };
  const options = { role: 'VIEWER', viewport: { width: 320, height: 700 }, expected: /status of 400/ } as const;
  const page = await portalPage(t, app, { ...options, path: pathOf('/events/query', question) });
  await page.getByRole('alert').waitFor();
  const from = page.getByLabel('From', { exact: true });
  assert.equal(await from.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await accessibilityFaults(page), []);
  await from.fill('-7d');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Needed for aggregation sum').waitFor();
  assert.equal(await from.getAttribute('aria-invalid'), 'false');
  await fillIn(page, 'Property', HOSTILE);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('cell', { name: HOSTILE }).waitFor();
  await page.getByText('Your role may look at cards, not save them.').waitFor();
  await assertFits(page);
  await page.goto(`${app.url}/events?name=${encodeURIComponent(HOSTILE)}`);
  await page.getByRole('region', { name: 'Newest events first' }).getByRole('link').waitFor();
  assert.equal(await scrollsSideways(page), false);
});

browserTest('KPI: is the one of MCP, drawn as asked, and saved as the card that fits', async (t) => {
  const app = await sharedApp();
  const mcp = await app.mcpClient();
  const question = {
    eventName: 'conversation_started',
    aggregation: 'rate',
    numerator: { filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }] },
    dateFrom: '-30d',
    compareTo: 'previous_period',
  };
  const { structuredContent } = await mcp.callTool({
    name: 'aggregate_events',
    arguments: { ...question, agentId: '*' },
  });
  const { value, previous } = structuredContent as { value: number; previous: { value: number } };
  const page = await portalPage(t, app, { path: pathOf('/events/aggregate', question) });
  const answer = page.getByRole('region', { name: 'Rate, conversation_started' });
  await answer.getByRole('definition').getByText(String(value), { exact: true }).waitFor();
  await answer.getByText(`${previous.value}, `).waitFor();
  const call = await page.getByRole('region', { name: 'The question for an agent' }).innerText();
  assert.deepEqual(JSON.parse(/\{.*\}/s.exec(call)![0]), { ...question, agentId: '*' });

  await page.getByLabel('What to compute').selectOption('Number of events');
  await page.getByRole('combobox', { name: 'Group by' }).fill('plan');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('img', { name: /enterprise|free/ }).waitFor();
  await page.getByRole('button', { name: 'Pie' }).click();
  await page.waitForURL(/chart=pie/);
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('cell', { name: 'free' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('link', { name: 'Save as card' }).click();
  const card = await newCard(page);
  const config = { aggregation: 'count', eventName: 'conversation_started', dateFrom: '-30d', groupBy: 'plan' };
  assert.deepEqual(card, { cardType: 'pie', config });
});
