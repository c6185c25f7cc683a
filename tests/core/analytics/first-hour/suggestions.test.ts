import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worthAsking } from '../../../../src/core/analytics/first-hour/known-events.ts';
import { makeSuggestions, type SuggestionSource } from '../../../../src/core/analytics/first-hour/suggestions.ts';

const NOW = Date.parse('2026-03-12T12:00:00Z');
const DAY = 86_400_000;

function source(members: Partial<SuggestionSource> = {}): SuggestionSource {
  return {
    eventName: 'order_paid',
    agentId: 'shop',
    firstSeen: NOW - 20 * DAY,
    lastSeen: NOW - DAY,
    number: 'amount',
    group: 'plan',
    other: null,
    ...members,
  };
}

test('Suggestions: amounts are summed, by the property with few values', () => {
  const { questions, cards } = makeSuggestions(source(), NOW);
  assert.deepEqual(
    questions.map(({ text }) => text),
    [
      'How many “order paid” were there, by day?',
      'What is the sum of amount of “order paid”?',
      'How many “order paid” were there by plan?',
    ],
  );
  assert.deepEqual(
    cards.map(({ title, cardType }) => [cardType, title]),
    [
      ['line', 'Order paid by day'],
      ['number', 'Sum of amount, order paid'],
      ['bar', 'Order paid by plan'],
    ],
  );
  assert.deepEqual(makeSuggestions(source({ number: 'latencyMs' }), NOW).questions[1]?.question, {
    eventName: 'order_paid',
    aggregation: 'avg',
    propertyKey: 'latencyMs',
    dateFrom: '-30d',
  });
});

test('Suggestions: the range and its steps suit the times of the events', () => {
  const asked = (members: Partial<SuggestionSource>) => makeSuggestions(source(members), NOW).questions[0]?.question;
  const [minute, years] = [NOW - 60_000, NOW - 900 * DAY];
  assert.partialDeepStrictEqual(asked({ firstSeen: minute, lastSeen: minute }), {
    dateFrom: '-7d',
    dateGrouping: 'hour',
  });
  assert.partialDeepStrictEqual(asked({ firstSeen: years }), { dateFrom: '2023-09-24', dateGrouping: 'month' });
});

test('Suggestions: identifiers are neither summed nor grouped by', () => {
  const properties = [
    { key: 'orderId', type: 'number' },
    { key: 'customer_id', type: 'string', values: ['a', 'b'] },
    { key: 'comment', type: 'string', values: ['x', 'y', 'z'], distinct: 90 },
    { key: 'paid', type: 'boolean', values: [true] },
    { key: 'channel', type: 'string', values: ['web', 'shop'] },
    { key: 'seconds', type: 'number' },
    { key: 'totalAmount', type: 'number' },
  ];
  assert.deepEqual(worthAsking(properties), { number: 'totalAmount', group: 'channel' });
  assert.deepEqual(worthAsking([]), { number: null, group: null });
});
