import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactSecrets } from '../../../../src/core/chat/recording/secrets.ts';

const connection = {
  apiKey: 'sk-0123456789abcdef',
  headers: { authorization: 'Bearer tok-0123456789', 'x-key': 'sk-0123456789abcdef-long', 'x-flag': 'on' },
};

test('secrets that a text quotes are taken out of it, also a word of one and one within another', () => {
  assert.equal(
    redactSecrets('Wrong key sk-0123456789abcdef, or tok-0123456789, or sk-0123456789abcdef-long.', connection),
    'Wrong key [secret], or [secret], or [secret].',
  );
  assert.equal(redactSecrets('Go on, Bearer of news.', connection), 'Go on, Bearer of news.');
});

test('a text that was cut within a secret loses its beginning', () => {
  for (let length = 8; length < connection.apiKey.length; length++) {
    const text = `The key is ${connection.apiKey.slice(0, length)}...`;
    assert.equal(redactSecrets(text, connection), 'The key is [secret]...');
  }
  assert.equal(redactSecrets('The key is sk-01...', connection), 'The key is sk-01...');
});

test('a connection without secrets changes nothing', () => {
  assert.equal(redactSecrets('a text...', { apiKey: null, headers: {} }), 'a text...');
});
