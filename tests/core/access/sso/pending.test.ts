import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PENDING_SECONDS, PendingLogins, usedName } from '../../../../src/core/access/sso/pending.ts';
import type { StoredIdentityProvider } from '../../../../src/core/access/sso/store.ts';
import { deriveKey } from '../../../../src/core/base/sealing/secret-key.ts';

const secretKey = (secret: string) => ({ keyFor: (use: Parameters<typeof deriveKey>[1]) => deriveKey(secret, use) });
const provider = (uid: string, issuer = 'https://login.example.com') => ({ uid, issuer }) as StoredIdentityProvider;
const REQUEST = { redirectUri: 'https://here.example/callback', to: '/events', device: 'x'.repeat(585) };

test('PendingLogins: opens what it sealed, of this provider, state and installation', () => {
  let now = 1_000_000;
  const logins = new PendingLogins(secretKey('one'), () => now);
  const { pending, cookie } = logins.begin(provider('p'), REQUEST);
  assert.deepEqual(logins.find(provider('p'), ['junk', cookie], pending.state), pending);
  assert.deepEqual([pending.to, pending.device, pending.redirectUri], ['/events', REQUEST.device, REQUEST.redirectUri]);
  assert.equal(logins.find(provider('p'), [cookie], 'another'), null);
  assert.equal(logins.find(provider('p'), [cookie], null), null);
  assert.equal(logins.find(provider('q'), [cookie], pending.state), null);
  assert.equal(logins.find(provider('p', 'https://evil.example'), [cookie], pending.state), null);
  assert.equal(new PendingLogins(secretKey('two'), () => now).find(provider('p'), [cookie], pending.state), null);
  now += PENDING_SECONDS * 1_000;
  assert.equal(logins.find(provider('p'), [cookie], pending.state), null, 'expired');
});

test('PendingLogins: a cookie is small, opaque and fits its header', () => {
  const logins = new PendingLogins(secretKey('one'), () => 0);
  const { pending, cookie } = logins.begin(provider('p'), { ...REQUEST, to: `/${'x'.repeat(999)}` });
  assert.ok(cookie.length < 3_900, String(cookie.length));
  assert.match(cookie, /^[\w.-]+$/);
  for (const secret of [pending.state, pending.nonce, pending.codeVerifier]) {
    assert.ok(!cookie.includes(secret));
    assert.match(secret, /^[\w-]{43}$/);
  }
  assert.equal(logins.begin(provider('p'), { ...REQUEST, device: 'x'.repeat(2_000) }).pending.device, null);
});

test('usedName: names differ by kind and by part', () => {
  const names = [
    usedName('state', 'a'),
    usedName('logout', 'a'),
    usedName('logout', 'a', 'b'),
    usedName('logout', 'ab'),
  ];
  assert.equal(new Set(names).size, names.length);
});
