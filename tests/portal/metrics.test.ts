import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { eventOf, partsOf, usableFirst } from '../../portal/src/api/metric-reference.ts';
import { isoOf, localTime } from '../../portal/src/pages/annotations/annotations.ts';
import {
  barOf,
  formOf as explainFormOf,
  questionOf as explainQuestionOf,
  likeliest,
} from '../../portal/src/pages/explain/state.ts';
import { explainedMetric, valueFormatterOf } from '../../portal/src/pages/explain/words.ts';
import { gapOf, groupsOf } from '../../portal/src/pages/gaps/state.ts';
import { changesInWords, comparedVersions, sideText } from '../../portal/src/pages/metrics/detail/state.ts';
import { formatValue, picturesOf } from '../../portal/src/pages/metrics/format.ts';
import { canBeExplained, isGood, measureInWords } from '../../portal/src/pages/metrics/words.ts';
import { isAsked } from '../../portal/src/question/state/asked.ts';
import { explainQuestion } from '../../portal/src/question/state/explain.ts';
import { versionOptions } from '../../portal/src/question/words/choices.ts';
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
  await page.getByRole('button', { name: 'New metric', disabled: true }).waitFor();
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

rareBrowserTest('Metrics: an unknown one leads to the nearest; leaving asks before a change is lost', async (t) => {
  const app = await sharedApp();
  await propose(app, 'order_count');
  const page = await portalPage(t, app, { path: '/metrics/order_counts', expected: /status of 404/ });
  await page.getByRole('link', { name: 'Metrics with a similar name' }).click();
  await page.locator('a[href$="/metrics/order_count"]').click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Orders');
  await page.getByRole('link', { name: 'Dashboards' }).click();
  await page.getByText('Your changes are lost then.').waitFor();
  await page.getByRole('button', { name: 'Stay here' }).click();
  assert.match(page.url(), /order_count\/edit/);
});

const filters = [{ propertyKey: 'channel', operator: 'in', value: ['web', 1, true] }];
const measure = { eventName: 'order_paid', aggregation: 'sum', propertyKey: 'amount', filters } as const;
const rate = { eventName: 'started', aggregation: 'rate', numerator: { eventName: 'resolved', filters } } as const;
const formula = {
  expression: 'escalated / (started - 1)',
  parts: { escalated: { eventName: 'escalated', aggregation: 'count' }, started: { ...measure, filters: [] } },
} as const;
test('Metric: its formula in words, and whether a change can be explained', () => {
  assert.equal(measureInWords(measure as never), 'Sum of amount, of order_paid where channel is one of web, 1, true');
  assert.equal(measureInWords(rate as never), 'resolved where channel is one of web, 1, true per started');
  assert.equal(measureInWords({ eventName: 'a', aggregation: 'count' }), 'Number of a events');
  assert.ok(canBeExplained(formula as never) && canBeExplained(rate as never));
  assert.ok(!canBeExplained({ ...measure, aggregation: 'median' } as never));
});

test('Metric: a rise is good, bad or neither', () => {
  assert.deepEqual(
    [isGood('up', 2), isGood('up', -2), isGood('down', -2), isGood('none', 2), isGood('up', 0)],
    [...[true, false, true, null, null]],
  );
});

test('Metric: values are written in its format and unit', () => {
  const of = (members: object) => ({ title: 'A', formula: measure, ...members }) as never;
  assert.equal(formatValue(1_204.5, of({ unit: 'USD' }), 'en'), '1,204.5 USD');
  assert.equal(formatValue(1_204.5, of({ unit: 'USD', format: { prefix: '$', decimals: 0 } }), 'en'), '$1,205');
  assert.equal(formatValue(0.256, of({ format: { percent: true } }), 'en'), '25.6%');
  assert.equal(formatValue(0.256, of({ formula: rate, unit: '%' }), 'en'), '25.6%');
  assert.equal(formatValue(null, of({}), 'en'), '–');
  const basis = { from: null, to: null, timezone: 'UTC', matchedEvents: 1 };
  const answer = { value: 0.5, series: [{ bucket: '2026-03-01', value: 0.5 }], basis } as never;
  const { value, line } = picturesOf(answer, of({ format: { percent: true } }));
  assert.deepEqual((value.data as { format: object }).format, { percent: true });
  assert.equal((value.data as { formatted: string }).formatted, '50.0%');
  assert.deepEqual((line.data as { format: object }).format, { percent: true }, 'its axis is in percent');
});

test('Metric versions: those of the address are compared, or the newest two', () => {
  assert.deepEqual(comparedVersions({}, [4, 3, 2, 1]), { from: 3, to: 4 });
  assert.deepEqual(comparedVersions({ from: '1', to: '2' }, [4, 3, 2, 1]), { from: 1, to: 2 });
  assert.deepEqual(comparedVersions({ from: '9', to: 'x' }, [1]), { from: 1, to: 1 });
  assert.equal(
    changesInWords([{ path: 'formula.filters[0].value' }, { path: 'formula' }, { path: 'owner' }]),
    'changed formula, owner',
  );
  assert.equal(changesInWords([]), 'changed nothing');
  assert.deepEqual(
    [sideText({ before: 'a' }, 'before'), sideText({ before: 'a' }, 'after'), sideText({ after: [1] }, 'after')],
    ['a', null, '[ 1 ]'],
  );
});

test('Explain: a question comes back from the address, and anything else is left out', () => {
  const questions = [
    { metric: 'handover_rate@2', filters, dateFrom: '-7d', dateTo: 'yesterday', timezone: 'Europe/Berlin' },
    {
      ...rate,
      dateFrom: '2026-03-01',
      compareTo: { dateFrom: '2026-02-01', dateTo: '2026-02-07' },
      properties: ['plan'],
    },
  ];
  for (const question of questions)
    assert.deepEqual(explainQuestionOf(explainFormOf(JSON.stringify(question))), question);
  const hostile = '{"metric":7,"filters":[null],"compareTo":[1],"properties":[{}],"dateFrom":{}}';
  assert.ok(!isAsked(explainQuestionOf(explainFormOf(hostile))));
  assert.deepEqual(explainQuestionOf(explainFormOf(undefined)), { metric: '', dateFrom: '-7d', dateTo: 'yesterday' });
});

test('Explain: bars begin at 0 and stay within the width', () => {
  assert.deepEqual(barOf(-5, [-5, 10]), { start: 0, size: 5 / 15, zero: 5 / 15 });
  assert.deepEqual(barOf(0, [0]), { start: 0, size: 0, zero: 0 });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
      const { start, size } = barOf(values[0]!, values);
      assert.ok(start >= -1e-9 && start + size <= 1 + 1e-9);
    }),
  );
});

test('Explain: no cause is named unless a group stands out from chance', () => {
  const contributions = [{ property: 'plan', group: 'pro', current: 1, previous: 0, contribution: 1 }];
  assert.equal(likeliest({ confident: false, contributions } as never), null);
  assert.equal(likeliest({ confident: true, contributions } as never)?.group, 'pro');
  assert.equal(likeliest({ confident: true, contributions: [] } as never), null);
});

test('Explain: differences have a sign, and those of rates are points', () => {
  const count = valueFormatterOf(explainedMetric({ eventName: 'a', aggregation: 'count' }, undefined), 'en');
  assert.deepEqual(
    [count.difference(3), count.difference(-3), count.difference(0), count.difference(null)],
    [...['+3', '−3', '0', '–']],
  );
  const share = valueFormatterOf(explainedMetric(rate as never, undefined), 'en');
  assert.deepEqual(
    [share.value(0.7), share.difference(-0.145), share.amount(-0.145)],
    ['70.0%', '−14.5 points', '−14.5'],
  );
});

test('Explain: cards lead to their question, unless their change cannot be split', () => {
  const config = { eventName: 'a', aggregation: 'count', dateFrom: '-7d', compareTo: 'previous_period', format: {} };
  assert.deepEqual(explainQuestion({ cardType: 'number', config }), {
    ...{ eventName: 'a', aggregation: 'count', dateFrom: '-7d' },
  });
  assert.deepEqual(
    explainQuestion({ cardType: 'line', config: { metric: 'm' } }, { dateFrom: 'mtd', timezone: 'UTC' }),
    {
      ...{ metric: 'm', dateFrom: 'mtd', timezone: 'UTC' },
    },
  );
  const numerator = { eventName: 'b' };
  assert.deepEqual(explainQuestion({ cardType: 'rate', config: { eventName: 'a', numerator } }), {
    ...{ eventName: 'a', aggregation: 'rate', numerator, dateFrom: '-30d' },
  });
  assert.equal(explainQuestion({ cardType: 'number', config: { ...config, aggregation: 'median' } }), null);
  assert.equal(explainQuestion({ cardType: 'funnel', config: { steps: [] } }), null);
});

test('Gaps: reports with the same words are one question, the most frequent first', () => {
  const row = (question: unknown, timestamp: string, missing?: string) => ({
    question,
    timestamp,
    agentId: 'a',
    missing,
  });
  const rows = [
    row('What is churn?', '2026-03-03', 'a metric'),
    row('How many partners?', '2026-03-01', 'partner'),
    row('how MANY partners', '2026-03-02', 'partner'),
    row(7, '2026-03-02'),
    row('???', '2026-03-02'),
  ];
  const groups = groupsOf(rows.map(gapOf).filter((gap) => gap !== null));
  assert.deepEqual(
    groups.map(({ newest, count, missing }) => [newest.question, count, missing]),
    [
      ['how MANY partners', 2, ['partner']],
      ['What is churn?', 1, ['a metric']],
      ['???', 1, []],
    ],
  );
});

test('Annotations: the time of a field is local, and that of the API is UTC', () => {
  const date = new Date(2026, 2, 1, 9, 5);
  assert.equal(localTime(date), '2026-03-01T09:05');
  assert.equal(isoOf('2026-03-01T09:05'), date.toISOString());
  assert.equal(isoOf(''), '', 'the server says what is wrong');
});

test('Metrics: approved ones come first, then proposed ones, and no others', () => {
  const states = ['proposed', 'deprecated', 'approved', 'proposed'] as const;
  const metrics = states.map((state, index) => ({ name: `m${index}`, state }));
  assert.deepEqual(
    usableFirst(metrics).map(({ name }) => name),
    ['m2', 'm0', 'm3'],
  );
});

test('Metrics: a reference has a name and perhaps a version', () => {
  assert.deepEqual(partsOf('resolution_rate'), ['resolution_rate', '']);
  assert.deepEqual(partsOf('resolution_rate@12'), ['resolution_rate', '12']);
  assert.deepEqual(partsOf('rate@'), ['rate@', '']);
});

test('Metrics: properties are those of the first event that a metric counts', () => {
  const count = { eventName: 'asked', aggregation: 'count' } as const;
  assert.equal(eventOf({ formula: count }), 'asked');
  assert.equal(eventOf({ formula: { expression: 'a', parts: { a: count } } }), 'asked');
});

test('Metrics: the versions are offered newest first, and a chosen one is never lost', () => {
  const metric = { version: 1, latestVersion: 2, approvedVersion: 1 };
  const labels = (chosen: string, more: object = {}) =>
    versionOptions({ ...metric, ...more }, chosen).map(({ label }) => label);
  assert.deepEqual(labels(''), [
    'The approved one, now version 1',
    'Always version 2, newest',
    'Always version 1, approved',
  ]);
  assert.deepEqual(labels('7')[1], 'Always version 7');
  assert.deepEqual(labels('', { version: 2, approvedVersion: null })[0], 'The newest, now version 2');
});
