import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted, wrapped } from '../../../src/commands/demo/chat.ts';

test('wrapped: lines break between words, with their indent', () => {
  assert.equal(wrapped('  one two three four\n\nfive', 12), '  one two\n  three four\n\nfive');
  assert.equal(wrapped('one two\n', 12), 'one two\n');
});

test('wrapped: a word that is too long stays whole', () => {
  assert.equal(wrapped('see http://127.0.0.1:3000/docs there', 10), 'see\nhttp://127.0.0.1:3000/docs\nthere');
});

test('fitted: a table loses its bars where one of them is too wide', () => {
  const table = ['topic  count', 'bug       10  ██████████', 'login      1  █'];
  assert.deepEqual(fitted(table, 24), table);
  assert.deepEqual(fitted(table, 23), ['topic  count', 'bug       10', 'login      1']);
});
