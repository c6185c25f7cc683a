import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listNames, nearestNames } from '../../../../src/core/base/shared/names.ts';

const KNOWN = ['ticket_opened', 'ticket_closed', 'purchase_completed', 'plan', 'Amount'];

test('nearestNames: misspelt, cut and differently cased names, nearest first', () => {
  assert.deepEqual(nearestNames('ticket_opend', KNOWN), ['ticket_opened', 'ticket_closed']);
  assert.deepEqual(nearestNames('purchase', KNOWN), ['purchase_completed']);
  assert.deepEqual(nearestNames('amount', KNOWN), ['Amount']);
  assert.deepEqual(nearestNames('plna', KNOWN), ['plan']);
});

test('nearestNames: a name unlike all others has none', () => {
  assert.deepEqual(nearestNames('zzzzzzzz', KNOWN), []);
});

test('listNames: long lists are cut with the number of the rest', () => {
  assert.equal(listNames(['a', 'b', 'c'], 2), '"a", "b" and 1 more');
});
