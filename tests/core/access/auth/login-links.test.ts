import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { LoginLinks } from '../../../../src/core/access/auth/logins.ts';
import { MemoryPendingStore } from '../../../../src/core/limits/rates/pending.ts';

const ADA = { id: 'ada', sessionVersion: 1 };
const HOUR = 3_600_000;

test('LoginLinks: a link counts once, and only with its whole secret', async () => {
  const links = new LoginLinks(new MemoryPendingStore(() => 0));
  const [one, other] = [await links.issue(ADA, HOUR), await links.issue({ id: 'bob', sessionVersion: null }, HOUR)];
  assert.match(one, /^[\w-]{43}$/);
  for (const wrong of ['', one.slice(1), `${one}x`, one.toLowerCase(), 'x'.repeat(43), '{}', '\u0000']) {
    assert.equal(await links.take(wrong), null, wrong);
  }
  assert.deepEqual([await links.take(one), await links.take(one)], [ADA, null]);
  assert.deepEqual(await links.take(other), { id: 'bob', sessionVersion: null });
});

test('LoginLinks: a link expires', async () => {
  let now = 0;
  const links = new LoginLinks(new MemoryPendingStore(() => now));
  const [short, long] = [await links.issue(ADA, HOUR), await links.issue(ADA, 2 * HOUR)];
  now = HOUR;
  assert.equal(await links.take(short), null);
  now = 2 * HOUR - 1;
  assert.deepEqual(await links.take(long), ADA);
});

test('LoginLinks: a hundred are kept, the newest', async () => {
  const links = new LoginLinks(new MemoryPendingStore(() => 0));
  const secrets: string[] = [];
  for (let count = 0; count <= 100; count++) secrets.push(await links.issue(ADA, HOUR));
  assert.equal(await links.take(secrets[0]!), null);
  for (const secret of secrets.slice(1)) assert.deepEqual(await links.take(secret), ADA);
});

test('LoginLinks: the secret itself is not in memory', async () => {
  const links = new LoginLinks(new MemoryPendingStore(() => 0));
  const secret = await links.issue(ADA, HOUR);
  const kept = inspect(links, { depth: null });
  assert.match(kept, /'[0-9a-f]{64}' => \{/);
  assert.ok(!kept.includes(secret));
});
