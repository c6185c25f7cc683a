import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { LoginLinks } from '../../../src/core/auth/login-links.ts';

const ADA = { id: 'ada', sessionVersion: 1 };
const HOUR = 3_600_000;

test('LoginLinks: a link counts once, and only with its whole secret', () => {
  const links = new LoginLinks(() => 0);
  const [one, other] = [links.issue(ADA, HOUR), links.issue({ id: 'bob', sessionVersion: null }, HOUR)];
  assert.match(one, /^[\w-]{43}$/);
  for (const wrong of ['', one.slice(1), `${one}x`, one.toLowerCase(), 'x'.repeat(43), '{}', '\u0000']) {
    assert.equal(links.take(wrong), null, wrong);
  }
  assert.deepEqual([links.take(one), links.take(one)], [ADA, null]);
  assert.deepEqual(links.take(other), { id: 'bob', sessionVersion: null });
});

test('LoginLinks: a link expires', () => {
  let now = 0;
  const links = new LoginLinks(() => now);
  const [short, long] = [links.issue(ADA, HOUR), links.issue(ADA, 2 * HOUR)];
  now = HOUR;
  assert.equal(links.take(short), null);
  now = 2 * HOUR - 1;
  assert.deepEqual(links.take(long), ADA);
});

test('LoginLinks: a hundred are kept, the newest', () => {
  const links = new LoginLinks(() => 0);
  const secrets = Array.from({ length: 101 }, () => links.issue(ADA, HOUR));
  assert.equal(links.take(secrets[0]!), null);
  for (const secret of secrets.slice(1)) assert.deepEqual(links.take(secret), ADA);
});

test('LoginLinks: the secret itself is not in memory', () => {
  const links = new LoginLinks(() => 0);
  const secret = links.issue(ADA, HOUR);
  const kept = inspect(links, { depth: null });
  assert.match(kept, /'[0-9a-f]{64}' => \{/);
  assert.ok(!kept.includes(secret));
});
