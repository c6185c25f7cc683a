import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pending } from '../../../src/core/second-factor/pending.ts';

test('Pending: an entry ends with its time, and is taken once', () => {
  let now = 0;
  const pending = new Pending<string>({ now: () => now, lifetimeMs: 100, perOwner: 2 });
  assert.equal(pending.put('key', 'ada', 'value'), 100);
  now = 99;
  assert.equal(pending.get('key'), 'value');
  now = 100;
  assert.equal(pending.get('key'), null);
  pending.put('key', 'ada', 'again');
  assert.deepEqual([pending.take('key'), pending.take('key')], ['again', null]);
});

test('Pending: a new entry replaces the oldest of its owner, not of others', () => {
  const pending = new Pending<number>({ now: () => 0, lifetimeMs: 100, perOwner: 2 });
  pending.put('theirs', 'bob', 0);
  for (const key of ['a', 'b', 'c']) pending.put(key, 'ada', 1);
  assert.deepEqual(
    ['theirs', 'a', 'b', 'c'].map((key) => pending.get(key)),
    [0, null, 1, 1],
  );
  pending.put('b', 'ada', 2);
  assert.deepEqual(
    ['b', 'c'].map((key) => pending.get(key)),
    [2, 1],
    'the same key again removes no other',
  );
});

test('Pending: holds ten thousand entries, whoever makes them', () => {
  const pending = new Pending<number>({ now: () => 0, lifetimeMs: 100, perOwner: 1 });
  for (let index = 0; index <= 10_000; index++) pending.put(`${index}`, `owner ${index}`, index);
  assert.deepEqual([pending.get('0'), pending.get('1'), pending.get('10000')], [null, 1, 10_000]);
});
