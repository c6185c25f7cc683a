import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, partsOf, usableFirst } from '../../portal/src/api/metric-reference.ts';
import { versionOptions } from '../../portal/src/question/words/choices.ts';

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
