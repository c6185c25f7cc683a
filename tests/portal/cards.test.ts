import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import type { DemoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, demoOfThisFile, fill } from './support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const STARTED = 'conversation_started';
const HOSTILE = `<img src=x onerror=alert(1)> \u202eevil 🛒 ${'long '.repeat(30)}end`;

const sharedApp = demoOfThisFile();

async function cardTitled(app: DemoApp, title: string) {
  const { body } = await app.request('GET', CARDS);
  return body.cards.find((card: { title: string }) => card.title === title);
}

const basis = (page: Page, text: string | RegExp) =>
  page
    .locator('section', { has: page.getByRole('button', { name: 'Picture' }) })
    .getByText(text)
    .waitFor();

rareBrowserTest('Cards: somebody makes a number, a line, a table, a gauge and a funnel', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/cards/new?agent=support' });

  await page.getByText('Choose an event. The card then appears here.').waitFor();
  await page.getByLabel('Event', { exact: true }).click();
  await page.getByRole('option', { name: new RegExp(`^${STARTED}`) }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('option', { name: new RegExp(`^${STARTED}`) }).click();
  await page.getByRole('heading', { name: 'Conversation started', level: 2 }).waitFor();
  await page.getByLabel('Time range').selectOption({ label: 'Last 7 whole days, without today' });
  await page.getByLabel('Compare with the period before').check();
  await page.getByLabel('After it').fill(' asked');
  await basis(page, /578 events/);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('cell', { name: /578/ }).first().waitFor();
  await page.getByLabel('Tab', { exact: true }).selectOption('A new tab …');
  await page.getByLabel('Name of the new tab').fill('Mine');
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /“Conversation started, last 7 whole days, without today” was added/);
  assert.match(page.url(), /\/\?(.*&)?tab=/);
  const number = await cardTitled(app, 'Conversation started, last 7 whole days, without today');
  assert.deepEqual(number.config, {
    eventName: STARTED,
    aggregation: 'count',
    dateFrom: '-7d',
    dateTo: 'yesterday',
    compareTo: 'previous_period',
    format: { suffix: ' asked' },
  });

  await page.goto(`${app.url}/cards/new?agent=support&tab=${number.tabId}`);
  await page.getByRole('radio', { name: 'Line' }).check();
  await fill(page, 'Event', STARTED);
  await page.getByLabel('Over time', { exact: true }).selectOption('By week');
  await fill(page, 'Group by', 'channel');
  await page.getByLabel('Title', { exact: true }).fill(HOSTILE);
  await page.getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /was added/);
  const line = await cardTitled(app, HOSTILE);
  assert.deepEqual(line.config, { eventName: STARTED, aggregation: 'count', dateGrouping: 'week', groupBy: 'channel' });
  assert.equal(line.tabId, number.tabId);

  await page.goto(`${app.url}/cards/new?agent=support`);
  await page.getByRole('radio', { name: 'Table' }).check();
  await fill(page, 'Event', 'conversation_resolved');
  await fill(page, 'Group by', 'topic');
  await page.getByRole('button', { name: 'Add metric' }).click();
  await page.getByLabel('What metric 1 is').selectOption('Median of');
  await fill(page, 'Property', 'minutes');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await fill(page, 'Property of filter 1', 'topic');
  await page.getByLabel('Condition of filter 1').selectOption('is one of');
  await page.getByLabel('Value 1 of filter 1').click();
  await page.getByRole('option', { name: /^billing/ }).click();
  await fill(page, 'Value 2 of filter 1', 'bug');
  await basis(page, /\d+ events/);
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /was added/);
  const table = await cardTitled(app, 'Conversation resolved by topic where topic is one of billing, bug');
  assert.deepEqual(table.config, {
    eventName: 'conversation_resolved',
    mode: 'aggregate',
    groupBy: 'topic',
    metrics: [{ aggregation: 'median', propertyKey: 'minutes', alias: 'median of minutes' }],
    filters: [{ propertyKey: 'topic', operator: 'in', value: ['billing', 'bug'] }],
  });

  await page.goto(`${app.url}/cards/new?agent=support`);
  await page.getByRole('radio', { name: 'Gauge' }).check();
  await fill(page, 'Event', 'feedback_given');
  await page.getByLabel('What to compute').selectOption('Average of');
  await fill(page, 'Property', 'score');
  await page.getByLabel('From', { exact: true }).fill('1');
  await page.getByLabel('To', { exact: true }).fill('5');
  await page.getByRole('button', { name: 'Add zone' }).click();
  await page.getByLabel('Start of zone 1').fill('3');
  await page.getByLabel('Colour of zone 1').selectOption('Green');
  await page.getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /“Average of score, feedback given” was added/);

  await page.goto(`${app.url}/cards/new?agent=support`);
  await page.getByRole('radio', { name: 'Funnel' }).check();
  await fill(page, 'Event of step 1', 'conversation_resolved');
  await fill(page, 'Event of step 2', STARTED);
  await page.getByRole('button', { name: 'Move step 2 up' }).click();
  await page.getByLabel('Time from first to last step').fill('2');
  await page.getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /“From conversation started to conversation resolved” was added/);
  const funnel = await cardTitled(app, 'From conversation started to conversation resolved');
  assert.deepEqual(funnel.config, {
    steps: [{ eventName: STARTED }, { eventName: 'conversation_resolved' }],
    windowSeconds: 172_800,
  });
});

rareBrowserTest("Cards: the server's messages stand at their fields, others above the preview", async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/cards/new?agent=support', expected: /status of 400/ });
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByText('Must not be empty').waitFor();
  assert.equal(await page.evaluate('document.activeElement.placeholder'), 'Choose an event');
  await page.getByRole('radio', { name: 'Gauge' }).check();
  await fill(page, 'Event', STARTED);
  await page.getByRole('img').waitFor();
  await page.getByLabel('To', { exact: true }).fill('-5');
  await page.getByText('Must be greater than min').waitFor();
  const described = await page.getByLabel('To', { exact: true }).getAttribute('aria-describedby');
  assert.equal(await page.locator(`[id="${described}"]`).textContent(), 'Must be greater than min');
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByText('JSON', { exact: true }).click();
  const json = page.getByLabel('The card as JSON');
  await json.fill('{"cardType": "number",\n "config": {]}');
  await page.getByText(/This is not JSON yet: .*line 2/).waitFor();
  await json.fill(
    `{"cardType": "number", "config": {"eventName": "${STARTED}", "aggregation": "count", "segmant": 1}}`,
  );
  await page.getByRole('alert').getByText('config.segmant: unknown member').waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Number' }).isChecked());
  await json.fill(`{"cardType": "number", "config": {"eventName": "${STARTED}", "aggregation": "count"}}`);
  await basis(page, /events/);
  assert.equal(await page.getByRole('alert').count(), 0);
});

rareBrowserTest('Cards: a card is changed, duplicated and deleted; leaving asks first', async (t) => {
  const app = await sharedApp();
  const id = app.cardId('Customer score, last 7 days');
  const page = await portalPage(t, app, { path: `/cards/${id}` });
  await page.getByRole('heading', { name: 'Customer score, last 7 days', level: 1 }).waitFor();
  await page.getByRole('img').waitFor();
  await page.getByLabel('Target', { exact: true }).fill('4.5');
  await page.getByText('JSON', { exact: true }).click();
  const json = page.getByLabel('The card as JSON');
  const valid = await json.inputValue();
  await json.fill('{');
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('The JSON is not a card.').waitFor();
  await json.and(page.locator(':focus')).waitFor();
  await json.fill(valid);
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay here' }).click();
  // The session lives.
  await page.getByRole('button', { name: 'Save card' }).click();
  await announced(page, /was saved/);
  const { config } = (await app.request('GET', `${CARDS}/${id}`)).body.card;
  assert.equal(config.target, 4.5);
  assert.equal(config.thresholds.length, 2);

  await page.goto(`${app.url}/cards/${id}`);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'New card' }).waitFor();
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Customer score, last 7 days (copy)');
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /\(copy\)” was added/);
  const copy = await cardTitled(app, 'Customer score, last 7 days (copy)');
  assert.deepEqual(copy.config, config);

  await page.goto(`${app.url}/cards/${copy.id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete this card?' }).waitFor();
  await page.getByRole('button', { name: 'Delete card' }).click();
  await announced(page, /was deleted/);
  assert.equal(await cardTitled(app, copy.title), undefined);
  assert.ok(await cardTitled(app, 'Customer score, last 7 days'));
});

rareBrowserTest('Cards: a card that is saved before its tabs are known stays in its tab', async (t) => {
  const app = await sharedApp();
  const id = app.cardId('Customer score, last 7 days');
  const { tabId } = (await app.request('GET', `${CARDS}/${id}`)).body.card;
  const page = await portalPage(t, app);
  await page.route('**/dashboard-tabs?*', () => undefined);
  await page.goto(`${app.url}/cards/${id}`);
  await page
    .getByLabel('Tab', { exact: true })
    .locator('option:checked', { hasText: 'Loading' })
    .waitFor({ state: 'attached' });
  await page.getByLabel('Target', { exact: true }).fill('4.6');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save card' }).click();
  const { card } = await (await saved).json();
  assert.deepEqual([card.config.target, card.tabId], [4.6, tabId]);
  assert.equal(typeof tabId, 'string');
});

rareBrowserTest('Cards: by keyboard alone, from the type to the saved card', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/cards/new?agent=support' });
  const { keyboard } = page;
  await page.getByRole('radio', { name: 'Number' }).focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'Bars' }).isChecked());
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('escalated');
  await page.getByRole('option', { name: /^conversation_escalated/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('reason');
  await keyboard.press('Escape');
  await page.getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Add card' }).focus();
  await keyboard.press('Enter');
  await announced(page, /“Conversation escalated by reason” was added/);
});

rareBrowserTest('Cards: a question comes along in the address, and a bad one is refused', async (t) => {
  const app = await sharedApp();
  const asked = { cardType: 'line', title: 'Asked before', config: { eventName: STARTED, aggregation: 'count' } };
  const path = `/cards/new?agent=support&config=${encodeURIComponent(JSON.stringify(asked))}`;
  const page = await portalPage(t, app, { path, viewport: { width: 320, height: 700 } });
  await page.getByRole('img').waitFor();
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Asked before');
  assert.equal(await scrollsSideways(page), false);
  await page.getByRole('radio', { name: 'Funnel' }).check();
  await page.getByRole('button', { name: 'Add filter of step 1' }).click();
  await assertFits(page);

  await page.goto(`${app.url}/cards/new?agent=support&config=%7Bno`);
  await page.getByText('The card in this address cannot be read.').waitFor();
});

rareBrowserTest('Cards: who may not write sees the card and a sentence; a gone card says so', async (t) => {
  const app = await sharedApp();
  const path = `/cards/${app.cardId('From question to feedback')}`;
  const page = await portalPage(t, app, { path, role: 'VIEWER', expected: /status of 404/ });
  await page.getByText('Your role lets you look at this card, not change it.').waitFor();
  await page.getByRole('img').waitFor();
  assert.ok(await page.getByLabel('Event of step 1').isDisabled());
  assert.ok(await page.getByRole('radio', { name: 'Funnel' }).isDisabled());
  for (const name of ['Save card', 'Duplicate', 'Delete'])
    assert.equal(await page.getByRole('button', { name }).count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.goto(`${app.url}/cards/gone`);
  await page.getByRole('heading', { name: 'There is no such card' }).waitFor();
});

rareBrowserTest('Cards: a new card belongs to the agent that has its event', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'invoice_sent', agentId: 'billing' }]);
  const page = await portalPage(t, app, { path: '/cards/new' });
  const chosen = (name: string) =>
    page
      .getByRole('combobox', { name: 'Agent of the card' })
      .locator('option:checked', { hasText: name })
      .waitFor({ state: 'attached' });
  await page.getByRole('combobox', { name: 'Event', exact: true }).fill('conversation_started');
  await chosen('support');
  await page.getByRole('combobox', { name: 'Event', exact: true }).fill('invoice_sent');
  await chosen('billing');
  await page.getByRole('radio', { name: 'Rate' }).check();
  await page.getByText('Add a filter for the counted events, or count another event.').waitFor();
  await page.getByRole('combobox', { name: 'Agent of the card' }).selectOption('default');
  await page.getByText('No events of the agent “default” yet.').waitFor();
});

rareBrowserTest('Cards: a metric is chosen by its title, and its card has its unit', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/cards/new?agent=support' });

  await page.getByLabel('Measure').selectOption('A metric');
  await page.getByText('Choose a metric. The card then appears here.').waitFor();
  await page.getByLabel('Metric', { exact: true }).fill('to a solution');
  const option = page.getByRole('option', { name: /^Minutes to a solution/ });
  await option.waitFor();
  assert.match((await option.textContent()) ?? '', /Median of the minutes .*proposed$/s);
  assert.deepEqual(await accessibilityFaults(page), []);
  await option.click();
  await page.getByText('Minutes to a solution: Median of the minutes').waitFor();
  await page.getByLabel('Version').selectOption('Always version 1, newest');
  await page.getByLabel('Time range').selectOption({ label: 'Last 7 whole days, without today' });
  await basis(page, /events/);
  await page.getByRole('img', { name: /^[\d.]+ minutes/ }).waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page
    .getByRole('combobox', { name: /^Property/ })
    .first()
    .click();
  await page.getByRole('option', { name: /^topic/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add card' }).click();
  await announced(page, /“Minutes to solution, last 7 whole days, without today” was added/);
  const { config } = await cardTitled(app, 'Minutes to solution, last 7 whole days, without today');
  assert.deepEqual(config, { metric: 'minutes_to_solution@1', dateFrom: '-7d', dateTo: 'yesterday' });
});
