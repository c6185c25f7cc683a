import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { LoginLinks } from '../../../../src/core/access/auth/logins.ts';
import { PasswordHasher, SCRYPT } from '../../../../src/core/access/auth/password-hash.ts';
import { formatKey, hashSecret, matchesHash, newKey, parseKey } from '../../../../src/core/access/auth/secrets.ts';
import { MemoryPendingStore } from '../../../../src/core/limits/rates/pending.ts';
import { CHEAP_HASHING } from '../../../support/cheap-hashing.ts';

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

const { hash: hashPassword, verify: verifyPassword, isOutdated, dummyHash: DUMMY_HASH } = SCRYPT;
const PASSWORD = '😀 twelve characters';

test('SCRYPT.hash: the PHC string names an OWASP cost', async () => {
  const [one, again] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
  assert.match(one, /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{86}$/);
  assert.notEqual(one, again, 'each has its own salt');
  assert.equal(isOutdated(one), false);
  const [, , , salt, hash] = one.split('$');
  const options = { N: 2 ** 14, r: 8, p: 5, maxmem: 2 ** 26 };
  const expected = scryptSync(PASSWORD.normalize('NFC'), Buffer.from(salt!, 'base64'), 64, options);
  assert.equal(Buffer.from(hash!, 'base64').toString('hex'), expected.toString('hex'));
});

test('SCRYPT.verify: only the password matches, in any Unicode composition', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  assert.equal(await verifyPassword('cafe\u0301 au lait', hash), true);
  for (const wrong of ['', 'cafe au lait', 'caf\u00e9 au lait ']) {
    assert.equal(await verifyPassword(wrong, hash), false, wrong);
  }
});

test('SCRYPT.verify: a hash of another cost matches and is outdated', async () => {
  const old = await CHEAP_HASHING.hash(PASSWORD);
  assert.deepEqual([await verifyPassword(PASSWORD, old), isOutdated(old)], [true, true]);
  assert.equal(await verifyPassword(`${PASSWORD} `, old), false);
});

test('SCRYPT.verify: a malformed hash or an absurd cost throws', async () => {
  const good = DUMMY_HASH;
  const broken = [
    '',
    'scrypt',
    'scrypt$$',
    `scrypt$${'a'.repeat(22)}$${'a'.repeat(86)}`,
    good.slice(0, -8),
    `${good}AAAA`,
    good.replace('scrypt', 'argon2id'),
  ];
  for (const hash of broken) await assert.rejects(verifyPassword(PASSWORD, hash), /not of the form/, hash);
  for (const cost of ['ln=30,r=8,p=1', 'ln=14,r=8,p=99', 'ln=0,r=8,p=1']) {
    await assert.rejects(verifyPassword(PASSWORD, good.replace('ln=14,r=8,p=5', cost)), /cost/, cost);
  }
});

test('SCRYPT.dummyHash: it has the usual form and cost, and matches nothing', async () => {
  assert.equal(isOutdated(DUMMY_HASH), false);
  for (const guess of ['', PASSWORD, DUMMY_HASH]) assert.equal(await verifyPassword(guess, DUMMY_HASH), false);
});

test('PasswordHasher: four hashes at once, two of them for known clients', async () => {
  let inside = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const slow = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => waiting.push(resolve));
    inside -= 1;
  };
  const hasher = new PasswordHasher({
    hash: () => slow().then(() => 'hash'),
    verify: () => slow().then(() => true),
    isOutdated: () => false,
    dummyHash: '',
  });
  const strangers = Array.from({ length: 18 }, () => hasher.verify('p', 'h', 'unknown'));
  await assert.rejects(hasher.verify('p', 'h', 'unknown'), { code: 'unavailable', retryAfter: 1 });
  assert.equal(inside, 2);
  const known = [hasher.verify('p', 'h', 'known'), hasher.hash('p'), hasher.verify('p', 'h', 'known')];
  assert.equal(inside, 4);
  const all = Promise.all([...strangers, ...known]);
  let done = false;
  void all.then(() => {
    done = true;
  });
  while (!done) {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(most, 4);
});
