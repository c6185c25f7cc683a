import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, demoOfThisFile, fill } from './support.ts';

const RUNTIME = '/api/v1/runtime/observability';
const STARTED = 'conversation_started';
const LAST_WEEK = { dateFrom: '-7d', dateTo: 'yesterday' };
const RATE = { eventName: STARTED, aggregation: 'rate', numerator: { eventName: 'conversation_resolved' } };

const sharedApp = demoOfThisFile();

const pathOf = (question: object) => `/explain?question=${encodeURIComponent(JSON.stringify(question))}`;
const questionIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('question')!);

browserTest('Explain: a metric’s change, its likeliest cause and what it rests on', async (t) => {
  const app = await sharedApp();
  const metric = { name: 'resolution_rate', title: 'Resolution rate', goodDirection: 'up', formula: RATE };
  await app.request('POST', `${RUNTIME}/metrics`, metric);
  await app.request('POST', `${RUNTIME}/annotations`, { text: 'Release 2.3', at: '2026-03-06T09:00:00Z' });
  const page = await portalPage(t, app, { path: '/metrics/resolution_rate', role: 'VIEWER' });
  await page.getByRole('link', { name: 'Explain the change' }).click();
  await page.getByRole('heading', { name: 'Resolution rate' }).waitFor();
  assert.deepEqual(questionIn(page), { metric: 'resolution_rate', ...LAST_WEEK });
  await page.getByText('70.2%').waitFor();
  await page.getByText('▼ 14.5 points').waitFor();
  await page.getByText('worse').waitFor();
  await page.getByText(/Likeliest cause: topic billing, which carries −7.\d points of −14.5 points/).waitFor();
  const topics = page.getByRole('region', { name: 'Groups of topic' });
  await topics.getByRole('row', { name: /^billing −7\.\d −6\.\d −1\.\d 83\.3% 43\.6%$/ }).waitFor();
  await page.getByText('agentId, channel, plan, topic').waitFor();
  await page.getByLabel('Basis').getByRole('link', { name: 'Show the events' }).waitFor();
  await page.getByText('6 Mar 2026, 09:00:00: Release 2.3').waitFor();
  await page.getByText(/^9 Mar 2026: 53\.\d%, usually/).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByLabel('Compare with').selectOption('Another period');
  await page.getByLabel('Earlier period from').fill('2026-02-01');
  await page.getByLabel('Earlier period to').fill('2026-02-07');
  await fill(page, 'Property 1', 'plan');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('1 – 7 Feb 2026').waitFor();
  await page.getByRole('region', { name: 'Groups of plan' }).waitFor();
  assert.equal(await topics.count(), 0);
  assert.deepEqual(questionIn(page), {
    metric: 'resolution_rate',
    ...LAST_WEEK,
    compareTo: { dateFrom: '2026-02-01', dateTo: '2026-02-07' },
    properties: ['plan'],
  });
  await page.goBack();
  await topics.waitFor();
});

rareBrowserTest('Explain: where no group stands out, no cause is named', async (t) => {
  const filters = [{ propertyKey: 'channel', operator: 'eq', value: 'web' }];
  const question = { eventName: STARTED, aggregation: 'count', filters, dateFrom: '2026-02-01', dateTo: '2026-02-02' };
  const viewport = { width: 320, height: 640 };
  const page = await portalPage(t, await sharedApp(), { path: pathOf(question), viewport });
  await page.getByText('No cause to name.').waitFor();
  assert.equal(await page.getByText('Likeliest cause').count(), 0);
  await page.getByRole('heading', { name: `Number of ${STARTED} events where channel is web` }).waitFor();
  await assertFits(page);
});

rareBrowserTest('Explain: an event is asked about; messages stand at their fields', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/explain', expected: /status of 4(00|22)/ });
  await page.getByText('Choose a metric or an event, and press Run.').waitFor();
  await page.getByLabel('Measure').selectOption('Events');
  await fill(page, 'Event', 'conversation_resolved');
  await page.getByLabel('What to compute').selectOption('Median of');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/Needed for aggregation median/).waitFor();
  await fill(page, 'Property', 'minutes');
  await page.getByRole('button', { name: 'Run' }).click();
  await page
    .getByRole('alert')
    .getByText(/median/)
    .waitFor();
  await page.getByLabel('What to compute').selectOption('Average of');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('heading', { name: 'What it rests on' }).waitFor();
  await page.getByText('Call explain_change').waitFor();
});

rareBrowserTest('Explain: opened from a card, with the card’s question', async (t) => {
  const page = await portalPage(t, await sharedApp(), { path: '/' });
  await page.getByRole('button', { name: 'Actions of Escalations by day' }).click();
  await page.getByRole('menuitem', { name: 'Explain the change' }).click();
  await page.getByText(/Likeliest cause/).waitFor();
  const escalated = { eventName: 'conversation_escalated', aggregation: 'count' };
  assert.deepEqual(questionIn(page), { ...escalated, dateFrom: '-14d', dateTo: 'yesterday' });
  assert.equal(new URL(page.url()).searchParams.get('agent'), 'support');
});

rareBrowserTest('Glossary: a term is added, found, changed and deleted', async (t) => {
  const app = await sharedApp();
  const formula = { eventName: STARTED, aggregation: 'count' };
  await app.request('POST', `${RUNTIME}/metrics`, { name: 'chats', title: 'Chats', formula });
  const page = await portalPage(t, app, { path: '/terms', expected: /status of 400/ });
  await page.getByRole('button', { name: 'Add term' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Term', { exact: true }).fill('handover');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('Must not be empty').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByLabel('Definition').fill('A person takes over.');
  await dialog.getByLabel('Synonyms').fill('handoff, escalation');
  await fill(page, 'Metric that it means', 'chat');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText(/chats/).waitFor();
  await fill(page, 'Metric that it means', 'chats');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await announced(page, 'The term “handover” was added');
  const item = page.getByRole('list', { name: 'Terms' }).getByRole('listitem').filter({ hasText: 'handover' });
  await item.getByText('also handoff, escalation').waitFor();
  await item.getByRole('link', { name: 'chats' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Edit handover' }).click();
  await dialog.getByLabel('Definition').fill('A person takes over from the agent.');
  await dialog.getByLabel('Synonyms').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await item.getByText('A person takes over from the agent.').waitFor();
  const { body } = await app.request('GET', `${RUNTIME}/terms/handover`);
  assert.deepEqual([body.term.synonyms, body.term.metric], [undefined, 'chats']);

  await page.getByLabel('Search terms').fill('nothing');
  await page.getByText('No term matches').waitFor();
  await page.getByLabel('Search terms').fill('hand');
  await page.getByRole('button', { name: 'Delete handover' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await announced(page, 'The term “handover” was deleted');
});

rareBrowserTest('Annotations: one is added, changed and deleted; a viewer only reads', async (t) => {
  const app = await demoApp(t);
  const page = await portalPage(t, app, { path: '/annotations', viewport: { width: 320, height: 640 } });
  await page.getByRole('button', { name: 'Add annotation' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What happened').fill('Campaign');
  await dialog.getByLabel('When').fill('2026-03-01T09:05');
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await announced(page, 'The annotation was added');
  await page.getByText('1 Mar 2026, 09:05:00').waitFor();

  await page.getByRole('button', { name: 'Edit Campaign' }).click();
  await dialog.getByLabel('What happened').fill('Campaign in March');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Campaign in March', { exact: true }).waitFor();
  await assertFits(page);
  const viewer = await portalPage(t, app, { path: '/annotations', role: 'VIEWER' });
  await viewer.getByText('Campaign in March', { exact: true }).waitFor();
  assert.equal(await viewer.getByRole('button', { name: /Add|Edit|Delete/ }).count(), 0);

  await page.getByRole('button', { name: 'Delete Campaign in March' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await announced(page, 'The annotation was deleted');
});

rareBrowserTest('Metrics: each of their pages says what to do while there is nothing', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { path: '/metrics' });
  for (const [path, text] of [
    ['/metrics', 'Define the first one'],
    ['/terms', 'No terms yet'],
    ['/annotations', 'No annotations yet'],
    ['/gaps', 'No gap was reported'],
  ]) {
    await page.goto(app.url + path);
    await page.getByText(text!).waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], path);
  }
});

rareBrowserTest('Gaps: what agents could not answer leads to the definition of a metric', async (t) => {
  const app = await demoApp(t);
  const page = await portalPage(t, app, { path: '/gaps' });
  const gap = (question: string, missing?: string) =>
    app.runtime.feedback.reportGap(app.caller, { question, ...(missing === undefined ? {} : { missing }) });
  await gap('How many partners?', 'a property partner');
  await gap('how many partners');
  await gap('What is the churn?');
  // An ingest is visible only after what was written before it.
  await app.ingest([{ eventName: 'after_the_gaps' }]);
  await page.reload();
  const first = page.getByRole('listitem').filter({ hasText: 'partners' });
  await first.getByText('2 times').waitFor();
  await first.getByText('Missing: a property partner').waitFor();
  await first.getByText(/support · 12 Mar 2026/).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok(!(await scrollsSideways(page)));
  await page.getByRole('link', { name: 'Define a metric for: What is the churn?' }).click();
  await page.getByText('What is the churn?').waitFor();
  await page.getByRole('heading', { name: 'New metric' }).waitFor();
});

rareBrowserTest('Palette: the pages of metrics and each metric are found', async (t) => {
  const app = await sharedApp();
  const formula = { eventName: STARTED, aggregation: 'count' };
  await app.request('POST', `${RUNTIME}/metrics`, { name: 'found', title: 'Found by its title', formula });
  const page = await portalPage(t, app, { path: '/gaps' });
  await page.getByRole('heading', { name: 'Gaps' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /metric/ }).fill('Found by');
  await page.getByRole('option', { name: /Found by its title/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/metrics\/found/);
});
