import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { EVENTS, type TestApp, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, fill } from './support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const TABS = '/api/v1/runtime/observability/dashboard-tabs';

const step = (page: Page, name: RegExp) => page.getByRole('button', { name });
const isOpen = (page: Page, name: RegExp) => page.getByRole('button', { name, expanded: true }).waitFor();

/** Runs what the page shows, as somebody would who copied it into a terminal. */
async function sendShown(page: Page, app: TestApp): Promise<void> {
  const lines = await page.getByRole('region', { name: 'Lines to run' }).innerText();
  const [, url] = /curl (\S+)/.exec(lines)!;
  const [, key] = /x-api-key: (\w+)/.exec(lines)!;
  const [, body] = /-d '(.+)'/.exec(lines)!;
  assert.ok(url!.startsWith(app.url));
  const headers = { 'x-api-key': key!, 'content-type': 'application/json' };
  const { status } = await fetch(url!, { method: 'POST', headers, body: body! });
  assert.equal(status, 202);
}

async function dropFile(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    for (const type of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }`);
}

browserTest('First hour: an event over REST ticks, sample data comes and goes', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { firstHour: true });
  await isOpen(page, /Send an event/);
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByText('The lines have your new key').waitFor();
  await sendShown(page, app);
  await announced(page, /Step 1 is done: “order_paid” has arrived/);
  await isOpen(page, /Connect a client/);
  await assertFits(page);

  await step(page, /Send an event/).click();
  await page.getByRole('tab', { name: 'Sample data' }).click();
  await page.getByRole('button', { name: 'Load the sample data' }).click();
  await page.getByRole('tab', { name: 'Operations' }).waitFor();
  await page.getByRole('heading', { name: 'Conversations by channel' }).waitFor();
  await page.getByText('1 of 4 done').waitFor();
  const remove = page.getByRole('button', { name: 'Remove the sample data' });
  await page.goto(`${app.url}/settings/data`);
  await remove.waitFor();
  await page.goto(app.url);
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('sample');
  await page.waitForURL(/agent=sample/);
  await remove.click();
  await announced(page, 'The sample data is gone');
  await page.waitForURL((url) => !url.searchParams.has('agent'));
  await page.getByRole('tab', { name: 'Operations' }).waitFor({ state: 'detached' });
  const { body } = await app.request('GET', `${EVENTS}/feed?agentId=*`);
  assert.deepEqual(
    body.events.map(({ eventName }: { eventName: string }) => eventName),
    ['order_paid'],
  );
  await page.getByRole('button', { name: 'Put away' }).click();
  await page.getByText('Create your first card').waitFor();
  await announced(page, /It is under Help/);
  await page.reload();
  await page.getByText('Create your first card').waitFor();
  assert.equal(await page.getByText('Your first hour').count(), 0);
  await page.goto(`${app.url}/?first-hour=open`);
  await page.getByRole('heading', { name: 'Your first hour' }).waitFor();
  assert.deepEqual(await page.locator('nav [aria-current="page"]').allInnerTexts(), ['First hour']);

  await page.goto(`${app.url}/explore?agent=sample`);
  await page.getByText('There are no events of the agent sample.').waitFor();
  await page.getByRole('link', { name: 'Show all agents' }).click();
  await page.waitForURL((url) => !url.searchParams.has('agent'));
  await page.getByRole('combobox', { name: 'Event' }).waitFor();
});

rareBrowserTest('First hour: a newcomer comes from the first event to the first card', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { firstHour: true });
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByText('The lines have your new key').waitFor();
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  const lines = await page.getByRole('region', { name: 'Lines to run' }).innerText();
  const logged: unknown[] = [];
  const run = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...code: string[]
  ) => (console: object) => Promise<void>;
  await new run('console', lines)({ log: (...values: unknown[]) => logged.push(...values) });
  assert.equal(logged[0], 202);
  await announced(page, /Step 1 is done/);
  await isOpen(page, /Connect a client/);

  const client = await app.mcpClient();
  await client.callTool({ name: 'describe_workspace', arguments: {} });
  await announced(page, /Step 2 is done: test called describe_workspace/);
  await isOpen(page, /Ask a question/);
  await page.getByText('What is the sum of amount of “order paid”?').waitFor();
  await assertFits(page);

  await page.getByRole('link', { name: /Ask here: What is the sum/ }).click();
  await page.getByRole('main').getByText('49.9').first().waitFor();
  await page.goBack();
  await isOpen(page, /Save your first card/);
  await page.getByRole('listitem', { name: 'Order paid by plan' }).getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Save: Order paid by plan' }).press('Enter');
  await announced(page, /All four steps are done/);
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Order paid by plan' }).waitFor();
  await page.getByRole('img', { name: /pro/ }).waitFor();
  const { body } = await app.request('GET', `${CARDS}?agentId=*`);
  assert.equal(body.total, 1);
  await assertFits(page);
});

rareBrowserTest('First hour: a dropped CSV becomes a chart', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { firstHour: true, viewport: { width: 320, height: 640 } });
  await isOpen(page, /Send an event/);
  const today = new Date().toISOString().slice(0, 10);
  const rows = ['1.234,50;Pro', '9,90;Frei', '7,05;Pro', 'viel;Pro'].map((rest) => `${today} 00:00;${rest}`);
  await dropFile(page, 'Bestellungen.csv', `Datum;Betrag;Tarif\n${rows.join('\n')}\n`);
  await page.getByRole('region', { name: 'Columns and first rows' }).waitFor();
  await fill(page, 'Name of the events', 'order_paid');
  assert.equal(await page.getByLabel('Datum').inputValue(), 'timestamp');
  assert.equal(await page.getByLabel('Tarif').inputValue(), 'text');
  // One value is no number, so that a person decides.
  assert.equal(await page.getByLabel('Betrag').inputValue(), 'text');
  await page.getByLabel('Betrag').selectOption('number-comma');
  await assertFits(page);
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await page.getByText('3 events imported; 1 row could not be imported.').first().waitFor();
  await page.getByText('Line 5: Betrag: "viel" is not a number').waitFor();
  await page.getByText('“order_paid” has arrived').first().waitFor();
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await page.getByText('3 rows had been imported before').first().waitFor();
  await page.getByRole('button', { name: 'Next step' }).click();
  await step(page, /Save your first card/).click();
  await page.getByRole('listitem', { name: 'Sum of betrag, order paid' }).getByRole('img').waitFor();
  await page.getByRole('button', { name: /Save: Sum of betrag/ }).click();
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  await page
    .getByRole('img', { name: /1,251.45/ })
    .nth(1)
    .waitFor();
  await assertFits(page);
});

rareBrowserTest('First hour: an import is cancelled on request alone, and tells how far it came', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { firstHour: true, timezoneId: 'Europe/Berlin' });
  await isOpen(page, /Send an event/);
  const today = new Date().toISOString().slice(0, 10);
  await dropFile(page, 'orders.csv', `date,amount\n${`${today},5\n`.repeat(3_500)}`);
  await page.getByLabel('Times without a zone are of').getByText('The workspace (UTC)').waitFor({ state: 'attached' });
  assert.equal(await page.getByLabel('Times without a zone are of').inputValue(), 'UTC');
  const held = Promise.withResolvers<void>();
  let batches = 0;
  await page.route('**/observability/events?*', async (route) => {
    batches += 1;
    if (batches === 2) await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 3,500 rows' }).click();
  await page.getByText('1,000 of 3,500 rows').waitFor();
  await page.getByRole('link', { name: 'Alerts' }).click();
  const asked = page.getByRole('dialog', { name: 'Cancel the import?' });
  await assertFits(page);
  await asked.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  held.resolve();
  await page.getByText('Cancelled: 2,000 of 3,500 rows were sent.').first().waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'Import 3,500 rows' }).click();
  await page.getByText('1,500 events imported; 2,000 rows had been imported before.').first().waitFor();
  const { body } = await app.request('GET', `${EVENTS}/feed?agentId=*&limit=1`);
  assert.equal(body.events[0].timestamp, `${today}T00:00:00.000Z`);
});

rareBrowserTest('First hour: it is put away at once, and comes back if the server refuses', async (t) => {
  const app = await testApp(t);
  await app.request('POST', TABS, { name: 'First' });
  const page = await portalPage(t, app, { firstHour: true, expected: /503/ });
  const answers = Promise.withResolvers<void>();
  await page.route('**/portal/first-hour', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    await answers.promise;
    await route.fulfill({ status: 503 });
  });
  await page.getByRole('button', { name: 'Put away' }).click();
  await page.getByRole('button', { name: 'New tab' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  answers.resolve();
  await announced(page, /could not be put away/);
  await page.getByRole('heading', { name: 'Your first hour' }).waitFor({ state: 'attached' });
});

rareBrowserTest('First hour: what a role may not do is disabled with the reason', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { firstHour: true, role: 'VIEWER' });
  const make = page.getByRole('button', { name: 'Make a key' });
  assert.equal(await make.getAttribute('aria-disabled'), 'true');
  await page.getByText('Your role, Viewer, may not send events.').nth(1).waitFor();
  await page.getByRole('tab', { name: 'CSV file' }).click();
  assert.equal(await page.getByRole('button', { name: 'Choose a file' }).getAttribute('aria-disabled'), 'true');
  await page.getByRole('tab', { name: 'Sample data' }).click();
  assert.equal(await page.getByRole('button', { name: 'Load the sample data' }).getAttribute('aria-disabled'), 'true');
  await assertFits(page);
});
