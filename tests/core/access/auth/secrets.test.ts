import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatKey, hashSecret, matchesHash, newKey, parseKey } from '../../../../src/core/access/auth/secrets.ts';

test('newKey: an id of 12 and a secret of 43 characters, never repeated', () => {
  const keys = Array.from({ length: 1_000 }, () => formatKey(newKey()));
  assert.equal(new Set(keys).size, 1_000);
  for (const key of keys) assert.match(key, /^ar_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
  const parts = parseKey(keys[0]!);
  assert.equal(formatKey(parts!), keys[0]);
  for (const bad of ['', 'ar__', `${keys[0]}x`, keys[0]!.slice(1), `${keys[0]}\n`]) assert.equal(parseKey(bad), null);
});

test('matchesHash: a secret matches only its own hash', () => {
  const { secret } = newKey();
  assert.equal(matchesHash(secret, hashSecret(secret)), true);
  assert.equal(matchesHash(newKey().secret, hashSecret(secret)), false);
});
