import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { basisInWords } from '../../portal/src/card/words.ts';
import { formOf as cardFormOf, configOf } from '../../portal/src/pages/cards/config.ts';
import { shownPaths as cardPaths } from '../../portal/src/pages/cards/paths.ts';
import { formOf as explainFormOf, questionOf as explainQuestionOf } from '../../portal/src/pages/explain/state.ts';
import { cardOf as kpiCardOf } from '../../portal/src/pages/explore/kpi/picture.ts';
import { formOf as kpiFormOf, questionOf as kpiQuestionOf } from '../../portal/src/pages/explore/kpi/state.ts';
import {
  cardOf as tableCardOf,
  formOf as tableFormOf,
  questionOf as tableQuestionOf,
} from '../../portal/src/pages/explore/table/state.ts';
import { conditionInWords } from '../../portal/src/pages/segments/words.ts';
import { explainQuestion } from '../../portal/src/question/state/explain.ts';
import { segmentOptions } from '../../portal/src/question/words/choices.ts';
import { CARD_TYPES } from '../../src/core/analytics/dashboards/config-schema.ts';
import { accessibilityFaults, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { announced, fill } from './support.ts';

const SEGMENTS = '/api/v1/runtime/observability/segments';
const STARTED = 'conversation_started';
const ESCALATED = 'conversation_escalated';
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 860 };

/** Axe, and that nothing scrolls sideways in a narrow window. */
async function assertFitsNarrow(page: Page) {
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize(NARROW);
  assert.ok(!(await scrollsSideways(page)));
  await page.setViewportSize(WIDE);
}

rareBrowserTest('Segments: one is created, found, changed and deleted; a viewer only reads', async (t) => {
  const app = await demoApp(t);
  const page = await portalPage(t, app, { path: '/segments', expected: /status of 400/ });
  await page.getByText('A segment is a saved filter over who did what when').waitFor();
  await page.getByRole('link', { name: 'Create the first one' }).click();

  await page.getByLabel('Minimum events of condition 1').fill('none');
  await page.getByRole('button', { name: 'Create segment' }).click();
  const first = page.getByRole('group', { name: 'Condition 1', exact: true });
  await first.getByText('Must be a whole number').waitFor();
  await first.getByText('Must not be empty').waitFor();
  assert.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true');
  await assertFitsNarrow(page);

  await page.getByLabel('Title', { exact: true }).fill('Handed over from the web');
  await page.getByLabel('Description').fill('A person took over.');
  await fill(page, 'By', 'threadId');
  await fill(page, 'Event of condition 1', ESCALATED);
  await page.getByLabel('Minimum events of condition 1').fill('');
  await page.getByLabel('Time range of condition 1').selectOption('Last 30 days');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await fill(page, 'Event of condition 2', STARTED);
  await page.getByRole('button', { name: 'Add filter of condition 2' }).click();
  await fill(page, 'Property of filter 1 of condition 2', 'channel');
  await fill(page, 'Value of filter 1 of condition 2', 'web');
  await page.getByRole('button', { name: 'Create segment' }).click();
  await announced(page, 'The segment “Handed over from the web” was created');
  await page.getByText(`At least 1 ${ESCALATED} event, last 30 days`).waitFor();
  await page.getByText(`At least 1 ${STARTED} event where channel is web`).waitFor();
  await assertFitsNarrow(page);

  const viewer = await portalPage(t, app, { path: '/segments', role: 'VIEWER' });
  await viewer.getByText('A person took over.').waitFor();
  assert.equal(await viewer.getByRole('main').getByRole('button', { disabled: false }).count(), 0);
  await viewer.getByRole('button', { name: 'New segment', disabled: true }).waitFor();
  assert.equal(await viewer.getByRole('main').getByRole('link').count(), 0);

  await page.getByRole('link', { name: 'Edit Handed over from the web' }).click();
  await page.getByRole('button', { name: 'Remove condition 1' }).click();
  await page.getByLabel('Description').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The segment “Handed over from the web” was saved');
  const { body } = await app.request('GET', `${SEGMENTS}/handed_over_from_the_web`);
  assert.equal(body.segment.description, undefined);
  assert.deepEqual(body.segment.conditions, [
    { eventName: STARTED, filters: [{ propertyKey: 'channel', operator: 'eq', value: 'web' }] },
  ]);

  await page.getByRole('link', { name: 'Edit Handed over from the web' }).click();
  await page.getByLabel('Value of filter 1 of condition 1').waitFor();
  assert.equal(await page.getByLabel('Description').inputValue(), '');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' }).click();
  await page.getByLabel('Search segments').fill('nothing');
  await page.getByText('No segment matches').waitFor();
  await page.getByLabel('Search segments').fill('handed');
  await page.getByRole('button', { name: 'Delete Handed over from the web' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await announced(page, 'The segment “Handed over from the web” was deleted');
});

rareBrowserTest('Segments: a question and a card name one, and the basis says so', async (t) => {
  const app = await demoApp(t);
  const question = JSON.stringify({ eventName: STARTED, aggregation: 'count', dateFrom: '-30d' });
  const path = `/events/aggregate?question=${encodeURIComponent(question)}`;
  const page = await portalPage(t, app, { path });
  const basis = page.getByLabel('Basis');
  await basis.getByText('2,207').first().waitFor();
  assert.equal(await page.getByLabel('Segment', { exact: true }).count(), 0);

  const conditions = [{ eventName: ESCALATED }];
  const segment = { name: 'handed_over', title: 'Handed over', by: 'threadId', conditions };
  assert.equal((await app.request('POST', SEGMENTS, segment)).status, 201);
  await page.reload();
  await page.getByLabel('Segment', { exact: true }).selectOption('Handed over');
  await page.getByRole('button', { name: 'Run' }).click();
  await basis.getByText('handed_over').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  await page.getByRole('link', { name: 'Save as card' }).click();
  await page.getByText(/events · segment handed_over/).waitFor();
  await page.getByLabel('Segment', { exact: true }).selectOption('All events');
  await page.getByText(/2,207 events$/).waitFor();
});

const filters = [{ propertyKey: 'country', operator: 'in', value: ['de', 7, true] }] as const;
const paid = { eventName: 'order_paid', filters: [...filters], atLeast: 2, dateFrom: '-30d', dateTo: 'yesterday' };
const count = { eventName: 'order_paid', aggregation: 'count' };

test('Segments: conditions in words', () => {
  assert.equal(
    conditionInWords({ ...paid, dateTo: undefined } as never),
    'At least 2 order_paid events where country is one of de, 7, true, last 30 days',
  );
  assert.equal(conditionInWords({ eventName: 'order_sent' }), 'At least 1 order_sent event');
  assert.equal(
    conditionInWords({ eventName: 'order_sent', dateFrom: '2026-03-01' }),
    'At least 1 order_sent event, since 2026-03-01',
  );
});

test('Segment choice: all events, the segments by title, and one that was deleted', () => {
  const known = [{ name: 'b', title: 'Zebra' }, { name: 'c' }, { name: 'a', title: 'Ape' }];
  const labels = (chosen: string) => segmentOptions(known, chosen).map(({ label }) => label);
  assert.deepEqual(labels(''), ['All events', 'Ape', 'c', 'Zebra']);
  assert.deepEqual(labels('b'), labels(''));
  assert.deepEqual(segmentOptions(known, 'gone').at(-1), { value: 'gone', label: 'gone, which is not there any more' });
});

test('Segment choice: every form keeps that of its question, and begins without one', () => {
  const name = fc.option(fc.stringMatching(/^[a-z0-9_]{1,100}$/), { nil: undefined });
  fc.assert(
    fc.property(name, (chosen) => {
      const ofSegment = chosen === undefined ? {} : { segment: chosen };
      for (const measure of [count, { metric: 'revenue' }]) {
        const text = JSON.stringify({ ...measure, ...ofSegment });
        const kpi = kpiQuestionOf(kpiFormOf(text));
        assert.deepEqual(kpi, { ...measure, ...ofSegment });
        assert.equal((kpiCardOf(kpi, null)!.config as { segment?: string }).segment, chosen);
        assert.equal(explainQuestionOf(explainFormOf(text)).segment, chosen);
        const card = { cardType: 'number', config: { ...measure, ...ofSegment } };
        assert.equal((explainQuestion(card) as { segment?: string }).segment, chosen);
      }
      const table = tableQuestionOf(tableFormOf(JSON.stringify({ eventName: 'order_paid', ...ofSegment })));
      assert.deepEqual(table, { eventName: 'order_paid', mode: 'raw', ...ofSegment });
      assert.equal(tableCardOf(table).config.segment, chosen);
    }),
  );
});

test('Segment choice: cards of all types keep, change and remove it', () => {
  for (const cardType of CARD_TYPES) {
    const form = cardFormOf(cardType, { ...count, segment: 'repeat_buyers', review: { tags: ['x'] } });
    assert.equal(configOf(form).segment, 'repeat_buyers', cardType);
    const chosen = (segment: string) => configOf({ ...form, members: { ...form.members, segment } }).segment;
    assert.deepEqual([chosen('others'), chosen('')], ['others', undefined], cardType);
    assert.ok(cardPaths(form).includes('config.segment'), cardType);
  }
});

test('Basis: names the segment', () => {
  const basis = { from: '2026-03-05T00:00:00Z', to: '2026-03-12T00:00:00Z', timezone: 'UTC', matchedEvents: 1 };
  assert.match(
    basisInWords({ ...basis, segment: { name: 'repeat_buyers' } }, 'en-GB'),
    /1 event · segment repeat_buyers$/,
  );
  assert.match(basisInWords(basis, 'en-GB'), /1 event$/);
});
