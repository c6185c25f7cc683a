import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginLinks } from '../../../src/core/auth/login-links.ts';

test('LoginLinks: a secret names its user once', () => {
  const links = new LoginLinks(() => 0);
  const [one, other] = [links.issue('ada', 1_000), links.issue('bob', 1_000)];
  assert.notEqual(one, other);
  assert.deepEqual([links.take(other), links.take(other), links.take(one)], ['bob', null, 'ada']);
  assert.equal(links.take('never issued'), null);
});

test('LoginLinks: a secret expires', () => {
  let now = 0;
  const links = new LoginLinks(() => now);
  const secret = links.issue('ada', 1_000);
  now = 1_000;
  assert.equal(links.take(secret), null);
});

test('LoginLinks: of more than a hundred the oldest gives way', () => {
  const links = new LoginLinks(() => 0);
  const secrets = Array.from({ length: 101 }, (_, index) => links.issue(String(index), 1_000));
  assert.deepEqual([links.take(secrets[0]!), links.take(secrets[1]!), links.take(secrets[100]!)], [null, '1', '100']);
});
