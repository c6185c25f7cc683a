import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.ts';
import { accessibilityFaults, rareBrowserTest } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, demoOfThisFile, fill } from './support.ts';

const METRICS = '/api/v1/runtime/observability/metrics';
const STARTED = 'conversation_started';
const LONG = `<img src=x onerror=alert(1)> 🛒 ${'long '.repeat(30)}end`;

const sharedApp = demoOfThisFile();

async function propose(app: TestApp, name: string, members: object = {}) {
  const formula = { eventName: STARTED, aggregation: 'count' };
  const { status, body } = await app.request('POST', METRICS, { name, title: name, formula, ...members });
  assert.equal(status, 201, JSON.stringify(body));
}

const versions = (page: Page) => page.getByRole('list', { name: 'Versions' }).getByRole('listitem');

rareBrowserTest('Metrics: one is defined, approved, changed, compared and deprecated', async (t) => {
  const app = await demoApp(t);
  const page = await portalPage(t, app, { path: '/metrics', expected: /status of 400/ });
  await page.getByRole('link', { name: 'New metric' }).click();

  await page.getByRole('button', { name: 'Propose metric' }).click();
  await page.getByText('Must not be empty').first().waitFor();
  assert.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel('Title', { exact: true }).fill('All chats');
  await page.getByLabel('Synonyms').fill('talks, dialogues');
  await page.getByLabel('Owner').fill('Support');
  await page.getByLabel('Unit').fill('chats');
  await page.getByLabel('Good direction').selectOption('A rise is good');
  await fill(page, 'Event', STARTED);
  await page.getByRole('button', { name: 'Propose metric' }).click();
  await announced(page, 'Version 1 of “all_chats” is proposed');

  await page.getByText('Nobody has approved it.').waitFor();
  await page.getByText(`Number of ${STARTED} events`).waitFor();
  await page.getByRole('img', { name: /2,207 chats/ }).waitFor();
  await page.getByRole('img', { name: /31 points/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Approve version 1' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve version 1' }).click();
  await announced(page, 'Version 1 of “all_chats” is approved');
  await page.getByText('Questions that name it get version 1, which is approved.').waitFor();
  await page.getByText(/^by .*@example.com on/).waitFor();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('Saving proposes version 2').waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await fill(page, 'Property of filter 1', 'channel');
  await fill(page, 'Value of filter 1', 'web');
  await page.getByLabel('Owner').fill('');
  await page.getByRole('button', { name: 'Propose version' }).click();
  await announced(page, 'Version 2 of “all_chats” is proposed');
  await versions(page).nth(1).waitFor();
  assert.match(await versions(page).first().innerText(), /Version 2\s+proposed(.|\n)*changed formula, owner/);
  const differences = page.getByRole('region', { name: 'Version 1 and version 2' });
  await differences.getByRole('row', { name: /^owner Support not there$/ }).waitFor();
  await differences.getByRole('row', { name: /^formula.filters not there .*web/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Approve version 2' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Version 1 becomes deprecated.').waitFor();
  await dialog.getByRole('row', { name: /^owner/ }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Approve version 2' }).click();
  await page.getByText('Questions that name it get version 2, which is approved.').waitFor();
  const { body } = await app.request('GET', `${METRICS}/all_chats`);
  const { version, approvedVersion, owner, synonyms } = body.metric;
  assert.deepEqual([version, approvedVersion, owner, synonyms], [2, 2, undefined, ['talks', 'dialogues']]);

  await page.getByRole('button', { name: 'Deprecate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deprecate' }).click();
  await announced(page, 'The metric “all_chats” is deprecated');
  await page.getByText('Deprecated: no search finds it.').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Metrics' }).click();
  await page.getByText('Deprecated, 1').click();
  await page.getByRole('link', { name: 'All chats', exact: true }).waitFor();
});

rareBrowserTest('Metrics: a formula has named parts, and messages stand at them', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/metrics/new-metric?question=Why%3F', expected: /status of 400/ });
  await page.getByText('An agent was asked:').waitFor();
  await page.getByLabel('Title', { exact: true }).fill('Handover rate');
  await page.getByLabel('Formula', { exact: true }).selectOption('Arithmetic over several measures');
  await page.getByLabel('Expression').fill('escalated / started');
  await page.getByLabel('Name of part 1').fill('escalated');
  await fill(page, 'Event of part 1', 'conversation_escalated');
  await page.getByLabel('Computation of part 1').selectOption('Average of');
  await page.getByRole('button', { name: 'Propose metric' }).click();
  await page.getByText('Name it, to use it in the expression').waitFor();

  await page.getByLabel('Name of part 2').fill('started');
  await page.getByRole('button', { name: 'Propose metric' }).click();
  const second = page.getByRole('group', { name: 'Part 2' });
  await second.getByText('Must not be empty').waitFor();
  assert.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true');
  await fill(page, 'Event of part 2', STARTED);
  await page.getByRole('button', { name: 'Propose metric' }).click();
  await page
    .getByRole('group', { name: 'Part 1' })
    .getByText(/Needed for aggregation avg/)
    .waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel('Computation of part 1').selectOption('Number of events');
  await page.getByRole('button', { name: 'Add part' }).click();
  await page.getByRole('button', { name: 'Remove part 3' }).click();
  await page.getByLabel('Written').selectOption('In percent: 0.25 is 25%');
  await page.getByRole('button', { name: 'Propose metric' }).click();
  await page.getByText('escalated / started').waitFor();
  await page
    .getByRole('img', { name: /\d\d\.\d%/ })
    .first()
    .waitFor();
  const { body } = await app.request('GET', `${METRICS}/handover_rate`);
  assert.deepEqual(body.metric.formula, {
    expression: 'escalated / started',
    parts: {
      escalated: { eventName: 'conversation_escalated', aggregation: 'count' },
      started: { eventName: STARTED, aggregation: 'count' },
    },
  });
});

rareBrowserTest('Metrics: the list has approved ones first, values, and a search in the address', async (t) => {
  const app = await demoApp(t);
  await propose(app, 'chats', { title: 'Chats', synonyms: ['talks'], owner: 'Support', description: LONG });
  await propose(app, 'long', { title: LONG.slice(0, 200) });
  await app.runtime.metricDefinitions.approveByOperator(app.tenantId, 'chats');
  const page = await portalPage(t, app, { path: '/metrics', viewport: { width: 320, height: 640 } });
  const approved = page.getByRole('list', { name: 'Approved metrics' }).getByRole('listitem');
  await approved.getByText('2,207').waitFor();
  assert.match(await approved.innerText(), /Chats\s+approved(.|\n)*chats · Support/);
  await page.getByRole('list', { name: 'Proposed metrics' }).waitFor();
  await assertFits(page);

  await page.getByLabel('Search metrics').fill('talks');
  await page.waitForURL(/search=talks/);
  await page.getByRole('list', { name: 'Proposed metrics' }).waitFor({ state: 'detached' });
  await page.getByLabel('Search metrics').fill('nothing like it');
  await page.getByText('No metric matches').waitFor();
  await page.goBack();
  await page.goto(`${app.url}/metrics/long`);
  await page.getByRole('img', { name: /points/ }).waitFor();
  await assertFits(page);
});

rareBrowserTest('Metrics: a viewer reads them and finds no control that writes', async (t) => {
  const app = await sharedApp();
  await propose(app, 'seen');
  const page = await portalPage(t, app, { path: '/metrics/seen', role: 'VIEWER' });
  await page.getByRole('img', { name: /points/ }).waitFor();
  await versions(page).first().waitFor();
  for (const name of [/Edit/, /Approve/, /Deprecate/])
    assert.equal(
      await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(),
      0,
      String(name),
    );
  await page.goto(`${app.url}/metrics`);
  await page.getByRole('link', { name: 'seen' }).waitFor();
  assert.equal(await page.getByText('New metric').count(), 0);
  await page.goto(`${app.url}/metrics/seen/edit`);
  await page.getByText('Your role lets you look at metrics, not change them.').waitFor();
});

rareBrowserTest('Metrics: who may propose but not approve sees it', async (t) => {
  const app = await sharedApp();
  await propose(app, 'mine');
  const page = await portalPage(t, app, { path: '/metrics/mine', role: 'USER' });
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await versions(page).first().waitFor();
  assert.equal(await page.getByRole('button', { name: /Approve/ }).count(), 0);
});

rareBrowserTest('Metrics: an unknown one gives the nearest; leaving asks before a change is lost', async (t) => {
  const app = await sharedApp();
  await propose(app, 'order_count');
  const page = await portalPage(t, app, { path: '/metrics/order_counts', expected: /status of 404/ });
  await page
    .getByRole('alert')
    .getByText(/order_count/)
    .waitFor();
  await page.goto(`${app.url}/metrics/order_count/edit`);
  await page.getByLabel('Title', { exact: true }).fill('Orders');
  await page.getByRole('link', { name: 'Dashboards' }).click();
  await page.getByText('The changes of this metric are lost then.').waitFor();
  await page.getByRole('button', { name: 'Stay here' }).click();
  assert.match(page.url(), /order_count\/edit/);
});
