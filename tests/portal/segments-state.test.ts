import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { basisInWords } from '../../portal/src/card/words.ts';
import { formOf as cardFormOf, configOf } from '../../portal/src/pages/cards/config.ts';
import { shownPaths as cardPaths } from '../../portal/src/pages/cards/paths.ts';
import { cardOf as kpiCardOf } from '../../portal/src/pages/events/aggregate/picture.ts';
import { formOf as kpiFormOf, questionOf as kpiQuestionOf } from '../../portal/src/pages/events/aggregate/state.ts';
import {
  cardOf as tableCardOf,
  formOf as tableFormOf,
  questionOf as tableQuestionOf,
} from '../../portal/src/pages/events/query/state.ts';
import { formOf as explainFormOf, questionOf as explainQuestionOf } from '../../portal/src/pages/explain/state.ts';
import { conditionInWords } from '../../portal/src/pages/segments/words.ts';
import { explainQuestion } from '../../portal/src/question/state/explain.ts';
import { segmentOptions } from '../../portal/src/question/words/choices.ts';
import { CARD_TYPES } from '../../src/core/analytics/dashboards/config-schema.ts';

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
