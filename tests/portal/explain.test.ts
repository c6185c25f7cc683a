import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fieldMessages } from '../../portal/src/api/field-messages.ts';
import { notesForPeople } from '../../portal/src/card/words.ts';
import { kindsOf, typedValue } from '../../portal/src/question/filters/filters.ts';
import {
  chooseRange,
  DAYS,
  membersOf,
  NO_DATES,
  PRESETS,
  rangeOf,
  WORDS,
} from '../../portal/src/question/state/range.ts';
import { DATE_GROUPINGS, OPERATORS, AGGREGATIONS as WORDED } from '../../portal/src/question/words/words.ts';
import * as fields from '../../src/core/analytics/events/fields.ts';
import { DATA_NOTICE } from '../../src/core/analytics/events/questions/answer.ts';
import { eventFilterSchema } from '../../src/core/base/filters/filter-schema.ts';
import { resolveRange } from '../../src/core/base/time/dates.ts';
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
  await page.getByRole('heading', { name: 'What it rests on' }).waitFor();
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
  assert.equal(await viewer.getByRole('button', { name: /Edit|Delete/ }).count(), 0);
  await viewer.getByRole('button', { name: 'Add annotation', disabled: true }).waitFor();

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

const NOW = Date.parse('2026-03-12T17:20:00Z');

test('Question: every aggregation, grouping and operator of the API has a word', () => {
  const values = (choices: readonly { value: string }[]) => choices.map(({ value }) => value).sort();
  assert.deepEqual(values(WORDED), [...fields.AGGREGATIONS].sort());
  assert.deepEqual(values(DATE_GROUPINGS), [...fields.DATE_GROUPINGS].sort());
  for (const { value: operator } of OPERATORS) {
    const isKnown = [1, [1], undefined].some(
      (value) => eventFilterSchema.safeParse({ propertyKey: 'a', operator, value }).success,
    );
    assert.ok(isKnown, operator);
  }
});

test('Question: every range on offer is one that the server reads', () => {
  for (const { value, dateFrom, dateTo } of PRESETS) {
    assert.ok(resolveRange({ dateFrom, dateTo }, { now: NOW, timezone: 'UTC' }).from, value);
    assert.equal(rangeOf({ dateFrom, dateTo }).choice, value);
    assert.deepEqual(membersOf(chooseRange(rangeOf({}), value)), { dateFrom, ...(dateTo && { dateTo }) });
  }
});

test('Question: a range of days and one in words are told apart', () => {
  assert.equal(rangeOf({}).choice, NO_DATES);
  assert.equal(rangeOf({ dateFrom: '2026-03-01', dateTo: '2026-03-05' }).choice, DAYS);
  assert.equal(rangeOf({ dateFrom: '-3w' }).choice, WORDS);
  assert.deepEqual(chooseRange(rangeOf({ dateFrom: '-3w', dateTo: '2026-03-05' }), DAYS), {
    choice: DAYS,
    from: '',
    to: '2026-03-05',
  });
});

test('Question: a typed value is what its property holds', () => {
  assert.equal(typedValue('5', 'number').kind, 'number');
  assert.equal(typedValue('5', 'string').kind, 'text');
  assert.equal(typedValue('true', 'boolean').kind, 'boolean');
  assert.equal(typedValue('five', 'number').kind, 'text');
  assert.equal(typedValue('', 'string').kind, 'blank');
  assert.deepEqual(kindsOf('5', 'string|number'), ['number', 'text']);
  assert.deepEqual(kindsOf('true', undefined), ['boolean', 'text']);
});

test('Question: messages go to their field, the nearest around it, or above all', () => {
  const message = [
    'config.steps[1].eventName: must not be empty',
    'config.filters[0].value[3]: must be a string',
    'config.metric: unknown member',
    'Something else',
  ];
  const shown = ['config.steps[1].eventName', 'config.filters[0].value'];
  const { at, others } = fieldMessages({ statusCode: 400, message }, shown);
  assert.equal(at('config.steps[1].eventName'), 'Must not be empty');
  assert.equal(at('config.filters[0].value'), 'Must be a string');
  assert.deepEqual(others, ['config.metric: unknown member', 'Something else']);
  assert.deepEqual(fieldMessages({ statusCode: 409, message }, shown).others, [], 'a conflict is about no field');
});

test('Question: notes for people have no notice for models and no start of a day', () => {
  assert.deepEqual(notesForPeople([DATA_NOTICE, 'No such event.']), ['No such event.']);
  const note = 'The last day, 2026-03-12T00:00:00+01:00, is incomplete.';
  assert.deepEqual(notesForPeople([note]), ['The last day, 2026-03-12, is incomplete.']);
});

const QUESTION = { eventName: 'conversation_started', aggregation: 'count', dateFrom: '-30d', agentId: '*' };

rareBrowserTest('Cases: a KPI leads to its events, their threads and executions', async (t) => {
  const app = await demoApp(t);
  const { body: answer } = await app.request('POST', '/api/v1/runtime/v1/observability/events/query', {
    ...QUESTION,
    aggregation: undefined,
  });
  const total = answer.total.toLocaleString('en-GB');
  const question = encodeURIComponent(JSON.stringify(QUESTION));
  const options = {
    path: `/events/aggregate?question=${question}`,
    role: 'VIEWER',
    expected: /status of 400/,
  } as const;
  const page = await portalPage(t, app, options);
  await page.getByLabel('Basis').getByRole('link', { name: 'Show the events' }).click();
  await page.waitForURL(/\/cases\/[\w-]{20,}$/);
  await page.getByRole('heading', { name: 'Events behind a number', level: 1 }).waitFor();
  await page.getByText(`${total} events in ${total} threads`).waitFor();
  await page.getByText(new RegExp(`^${total} events · page 1 of `)).waitFor();
  const threads = page.getByRole('region', { name: 'Table of threads' });
  assert.equal(await threads.getByRole('row').count(), 101);
  assert.deepEqual(await accessibilityFaults(page), []);

  const events = page.getByRole('listitem').getByRole('link', { name: 'conversation_started' });
  assert.equal(await events.count(), 50);
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText(new RegExp(`^${total} events · page 2 of `)).waitFor();
  const { pathname } = new URL(page.url());
  await events.first().click();
  const drawer = page.getByRole('dialog', { name: 'conversation_started' });
  await drawer.getByRole('heading', { name: 'Properties' }).waitFor();
  assert.equal(new URL(page.url()).pathname, pathname);
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 320, height: 640 });
  await assertFits(page);

  await page.goto(app.url + pathname.slice(0, -3));
  await page.getByRole('heading', { name: 'This address is not complete' }).waitFor();
  assert.equal(await scrollsSideways(page), false);

  // Every role may read events today.
  const session = await page.evaluate<object>("fetch('/api/v1/portal/me').then((answer) => answer.json())");
  const json = { ...session, scopes: ['dashboards:read', 'metrics:read'] };
  await page.route('**/api/v1/portal/me', (route) => route.fulfill({ json }));
  await page.goto(app.url + options.path);
  await page.getByLabel('Basis').getByText('UTC').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Show the events' }).count(), 0);
  await page.goto(app.url + pathname);
  await page.getByText('Your role does not let you see events.').waitFor();
});
