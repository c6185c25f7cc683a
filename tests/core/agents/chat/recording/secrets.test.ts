import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactSecrets } from '../../../../../src/core/agents/chat/recording/secrets.ts';

const connection = {
  apiKey: 'sk-0123456789abcdef',
  headers: { authorization: 'Bearer tok-0123456789', 'x-key': 'sk-0123456789abcdef-long', 'x-flag': 'on' },
};

test('redactSecrets: quoted secrets, their words and nested secrets are redacted', () => {
  assert.equal(
    redactSecrets('Wrong key sk-0123456789abcdef, or tok-0123456789, or sk-0123456789abcdef-long.', connection),
    'Wrong key [secret], or [secret], or [secret].',
  );
  assert.equal(redactSecrets('Go on, Bearer of news.', connection), 'Go on, Bearer of news.');
});

test('redactSecrets: a secret truncated at the end of a text is redacted', () => {
  for (let length = 8; length < connection.apiKey.length; length++) {
    const text = `The key is ${connection.apiKey.slice(0, length)}...`;
    assert.equal(redactSecrets(text, connection), 'The key is [secret]...');
  }
  assert.equal(redactSecrets('The key is sk-01...', connection), 'The key is sk-01...');
});

test('redactSecrets: a connection without secrets changes nothing', () => {
  assert.equal(redactSecrets('a text...', { apiKey: null, headers: {} }), 'a text...');
});
