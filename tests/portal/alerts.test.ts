import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { canAlert } from '../../portal/src/pages/alerts/card.ts';
import {
  bucketInWords,
  bucketOf,
  conditionInWords,
  durationInWords,
  urgentFirst,
} from '../../portal/src/pages/alerts/words.ts';
import { ALERTS, alertApp, DIGESTS, eventsAt } from '../core/watch/alerts/support.ts';
import { accessibilityFaults, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

const NARROW = { width: 320, height: 640 };
/** Nothing listens there: deliveries fail, and are tried again. */
const HOOK = 'https://hooks.example.invalid/alerts';
const FEW = { type: 'threshold', operator: 'lt', value: 10 };
const HOURLY = { eventName: 'order', aggregation: 'count', dateGrouping: 'hour' };

const messages = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');

/** A shop with five orders in the last full hour, a dashboard tab and a card. */
async function shop(t: Parameters<typeof alertApp>[0]) {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  await app.ingest(eventsAt('2026-11-24T09:10:00Z', 5));
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await app.request('POST', `/api/v1/runtime/observability/${path}`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const tabId = await made('dashboard-tabs', { name: 'Shop', agentId: 'default' });
  const config = { eventName: 'order', aggregation: 'count' };
  const cardId = await made('dashboard-cards', {
    title: 'All orders',
    cardType: 'number',
    config,
    tabId,
    agentId: 'default',
  });
  return { ...app, tabId, cardId };
}

rareBrowserTest('Alerts: one is created, checked, tested, changed and deleted', async (t) => {
  const app = await shop(t);
  const page = await portalPage(t, app, { path: '/alerts', expected: /status of 400/ });
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('link', { name: 'New alert' }).click();

  await page.getByLabel('Measure').selectOption('Events');
  await page.getByRole('button', { name: 'Add target' }).click();
  await page.getByRole('button', { name: 'Create alert' }).click();
  await page.getByText('Must be an http or https URL').waitFor();
  await page.getByText('Must be a number').waitFor();
  assert.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel('Title', { exact: true }).fill('Few orders');
  await page.getByLabel('Event', { exact: true }).fill('order');
  await page.getByLabel('Event', { exact: true }).press('Escape');
  await page.getByLabel('Period').selectOption('The last full hour');
  await page.getByLabel('Limit').fill('10');
  await page.getByLabel('Ends at').fill('12');
  await page.getByLabel('When', { exact: true }).selectOption('Every hour');
  assert.equal(await page.getByLabel('Cron expression').inputValue(), '5 * * * *');
  await page.getByLabel('Cool-down', { exact: true }).fill('90');
  await page.getByLabel('Unit of the cool-down').selectOption('minutes');
  await page.getByLabel('URL of target 1').fill(HOOK);
  await page.getByRole('button', { name: 'Create alert' }).click();

  await page.getByText('The secrets are shown only now.').waitFor();
  assert.match(await page.getByRole('region', { name: `Secret of ${HOOK}` }).innerText(), /^whsec_/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('link', { name: 'I have copied them' }).click();
  await page.getByText('It was not checked yet in its present form.').waitFor();
  const [alert] = (await app.request('GET', ALERTS)).body.alerts;
  const { question, condition, every, cooldown, targets } = alert;
  assert.deepEqual(
    { question, condition, every, cooldown, targets },
    {
      question: HOURLY,
      condition: { ...FEW, clear: 12 },
      every: '5 * * * *',
      cooldown: 5_400,
      targets: [{ type: 'webhook', url: HOOK }],
    },
  );

  await app.until('2026-11-24T10:06:00Z');
  await page.reload();
  const facts = page.getByLabel('Last check', { exact: true }).last();
  await facts.getByText('24 Nov 2026, 09:00').waitFor();
  await page.getByText('Below 10, until it is back at 12').waitFor();
  const change = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  assert.match(await change.innerText(), /OK(.|\n)*Alerting(.|\n)*5, compared with 10(.|\n)*a message was sent/);
  await messages(page).getByText('Few orders: 5 is below 10').waitFor();
  await page.getByRole('img', { name: /points.* Limit 10\./ }).waitFor();
  const { cases } = (await app.stateOf(alert.id)).lastCheck;
  for (const place of [facts, change]) {
    assert.equal(await place.getByRole('link', { name: 'Show the events' }).getAttribute('href'), `/cases/${cases}`);
  }
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Its target gets a message that says it is a test.').waitFor();
  await dialog.getByRole('button', { name: 'Test now' }).click();
  await dialog.getByText('A message is on its way to:').waitFor();
  await dialog.getByText('https://hooks.example.invalid').waitFor();
  await dialog.getByText('Alerting').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await messages(page).getByText('Test: Few orders: 5 is below 10').waitFor();

  // The state stays: what is checked does not change.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Too few orders');
  await page.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The alert was saved');
  await page.getByRole('heading', { name: 'Too few orders' }).waitFor();
  assert.equal((await app.stateOf(alert.id)).state, 'alerting');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await announced(page, 'The alert is switched off');
  await page.getByText('It is not checked until it is switched on.').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await announced(page, 'The alert was deleted');
  await page.getByText('No alerts yet').waitFor();
});

rareBrowserTest('Alerts: the urgent ones come first, and a viewer finds no control that writes', async (t) => {
  const app = await shop(t);
  const [every, enabled] = ['0 * * * *', false];
  const id = await app.create({ title: 'Few', question: HOURLY, condition: FEW, every });
  await app.create({ title: 'Fine', question: HOURLY, condition: { ...FEW, value: 2 }, every });
  await app.create({ title: 'Resting', cardId: app.cardId, condition: { type: 'anomaly' }, enabled });
  await app.until('2026-11-24T10:01:00Z');
  const page = await portalPage(t, app, { path: '/alerts', role: 'VIEWER', viewport: NARROW });
  const items = page.getByRole('list', { name: 'Alerts, the urgent ones first' }).getByRole('listitem');
  await items.nth(2).getByText('Card: All orders · Unlike the same times of earlier weeks').waitFor();
  const [first, second, third] = await items.allInnerTexts();
  assert.match(first!, /^Few\s+Alerting(.|\n)*Below 10(.|\n)*next check(.|\n)*5\s+24 Nov 2026, 09:00/);
  assert.match(second!, /^Fine\s+OK/);
  assert.match(third!, /^Resting\s+Switched off/);
  await assertFits(page);
  await page.getByRole('button', { name: 'New alert', disabled: true }).waitFor();
  await page.getByLabel('State').selectOption('No data');
  await page.getByText('No alert is in this state').waitFor();
  assert.match(page.url(), /state=no_data/);

  await page.goto(`${app.url}/alerts/${id}`);
  await page.getByText('No message was sent yet.').waitFor();
  assert.equal(await page.getByRole('button', { name: /Test|Switch|Delete/ }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0);
  assert.ok(!(await scrollsSideways(page)));
  await page.goto(`${app.url}/alerts/new-alert`);
  await page.getByText('Your role lets you look at alerts, not change them.').waitFor();
});

rareBrowserTest('Alerts: a card and a metric lead to the form, which holds them', async (t) => {
  const app = await shop(t);
  const formula = { eventName: 'order', aggregation: 'count' };
  const metric = { name: 'orders', title: 'Orders', unit: 'pieces', formula };
  await app.request('POST', '/api/v1/runtime/observability/metrics', metric);
  const page = await portalPage(t, app, { path: `/?tab=${app.tabId}` });
  await page.getByRole('button', { name: 'Actions of All orders' }).click();
  await page.getByRole('menuitem', { name: 'Alert on this card' }).click();
  await page.waitForURL(/cardId=/);
  await page.getByLabel('Card', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Card', { exact: true }).inputValue(), app.cardId);

  await page.goto(`${app.url}/metrics/orders`);
  await page.getByRole('link', { name: 'Alert', exact: true }).click();
  await page.getByLabel('Title', { exact: true }).fill('A rise');
  await page.getByLabel('Condition').selectOption('It changed against the period before');
  await page.getByLabel('The change is').selectOption('above');
  await page.getByLabel('Percent').fill('50');
  await page.getByRole('button', { name: 'Create alert' }).click();
  await page.getByText('Change against the period before above +50%').waitFor();
  const [alert] = (await app.request('GET', ALERTS)).body.alerts;
  assert.equal(alert.metric, 'orders');
  assert.deepEqual(alert.condition, { type: 'change', operator: 'gt', ratio: 0.5, compareTo: 'previous_period' });
});

rareBrowserTest('Digests: one is created from a tab, sent, and its messages are listed', async (t) => {
  const app = await shop(t);
  const page = await portalPage(t, app, { path: `/?tab=${app.tabId}`, viewport: NARROW, expected: /status of 400/ });
  await page.getByRole('button', { name: 'Actions of the tab Shop' }).click();
  await page.getByRole('menuitem', { name: 'Send by schedule' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Weekly numbers');
  await page.getByLabel('Cron expression').fill('0 9 * * 8 1');
  await page.getByRole('button', { name: 'Create digest' }).click();
  await page.getByText('Must have 5 fields').waitFor();
  await page.getByLabel('Cron expression').fill('0 9 * * 2');
  await page.getByRole('button', { name: 'Add target' }).click();
  await page.getByLabel('Kind of target 1').selectOption('Slack');
  await page.getByLabel('URL of target 1').fill('https://slack.example.invalid/services/T0/B0/XXX');
  await assertFits(page);
  await page.getByRole('button', { name: 'Create digest' }).click();
  await announced(page, 'The digest was created');

  await page.getByText('Slack https://slack.example.invalid/…').waitFor();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await page.getByText('A message is on its way to:').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await messages(page).getByText('Weekly numbers').waitFor();
  await assertFits(page);

  // The shown form of the Slack URL stands for the stored one.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Contents').selectOption('Chosen cards');
  await page.getByLabel('Card 1').selectOption('All orders');
  await page.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The digest was saved');
  const [digest] = (await app.request('GET', DIGESTS)).body.digests;
  assert.deepEqual([digest.tabId, digest.cardIds, digest.every], [undefined, [app.cardId], '0 9 * * 2']);
  assert.equal(digest.targets.length, 1);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Digests' }).click();
  await page.getByText('Card: All orders').waitFor();
  await page.getByRole('link', { name: 'Weekly numbers' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No digests yet').waitFor();
});

test('Alerts: the urgent ones come first, those that are switched off last', () => {
  const all = [
    ['ok', true],
    ['alerting', false],
    ['no_data', true],
    ['failing', true],
    ['alerting', true],
  ] as const;
  const sorted = urgentFirst(all.map(([state, enabled]) => ({ state, enabled })));
  assert.deepEqual(
    sorted.map(({ state, enabled }) => `${state} ${enabled}`),
    ['alerting true', 'failing true', 'no_data true', 'ok true', 'alerting false'],
  );
});

test('Alerts: conditions, buckets and durations in words', () => {
  const words = (condition: object) => conditionInWords(condition as never, (value) => `${value} €`);
  assert.equal(words({ type: 'threshold', operator: 'lt', value: 1, clear: 2 }), 'Below 1 €, until it is back at 2 €');
  assert.equal(words({ type: 'threshold', operator: 'gte', value: 1, clear: 1 }), 'At or above 1 €');
  assert.equal(
    words({ type: 'change', operator: 'lte', ratio: -0.2 }),
    'Change against the period before at or below −20%',
  );
  const start = '2026-03-02T00:00:00+01:00';
  const shown = (['hour', 'day', 'week', 'month', undefined] as const).map((unit) =>
    bucketInWords(start, unit, 'en-GB'),
  );
  assert.deepEqual(shown, ['2 Mar 2026, 00:00', '2 Mar 2026', 'week of 2 Mar 2026', 'March 2026', '2 Mar 2026']);
  assert.equal(bucketInWords('2026-03-02T11:00:00+01:00', undefined, 'en-GB'), '2 Mar 2026, 11:00');
  assert.deepEqual([bucketOf({}), bucketOf({ cardId: 'a' })], ['day', undefined]);
  assert.deepEqual([3_600, 5_400, 7_200].map(durationInWords), ['1 hour', '90 minutes', '2 hours']);
});

test('Alerts: cards with one number or one line can be checked', () => {
  const can = (cardType: string, config: object) => canAlert({ cardType, config } as never);
  assert.ok(can('number', {}) && can('line', { dateGrouping: 'week' }));
  assert.ok(!can('line', { groupBy: 'plan' }) && !can('table', {}) && !can('pie', {}));
});
