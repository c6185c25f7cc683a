import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { PasswordHasher, SCRYPT } from '../../../../src/core/access/auth/password-hash.ts';
import { CHEAP_HASHING } from '../../../support/cheap-hashing.ts';

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
