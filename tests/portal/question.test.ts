import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { eventFilterSchema } from '../../src/core/analytics/events/filter-schema.ts';
import { DATA_NOTICE } from '../../src/core/analytics/events/questions/answer.ts';
import { resolveRange } from '../../src/core/base/time/dates.ts';

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
