import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEVICE_COOKIE_SECONDS, DeviceCookies } from '../../../../src/core/access/auth/device-cookies.ts';
import { deriveKey } from '../../../../src/core/base/sealing/secret-key.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';

let now = Date.parse('2026-03-01T00:00:00Z');
const of = (secret: string) =>
  new DeviceCookies({ secretKey: { keyFor: (use) => deriveKey(secret, use) }, now: () => now });
const devices = of('a secret of this test');
const newUser = (tenantId = 'acme') => ({ id: realEffects.newId(), tenantId, sessionVersion: 1 });

test('DeviceCookies: a cookie names a device for its user only', () => {
  const [ada, bob] = [newUser(), newUser()];
  const cookie = devices.issue(undefined, ada);
  assert.match(cookie, /^[\w.~-]{100,130}$/);
  assert.match(devices.deviceOf(cookie, ada) ?? '', /^[\w-]{22}$/);
  assert.equal(devices.deviceOf(cookie, bob), null);
  assert.equal(devices.deviceOf(cookie.replace(ada.id, bob.id), bob), null, 'a mark of another');
  assert.equal(devices.deviceOf(cookie, { ...ada, tenantId: 'globex' }), null);
  assert.equal(of('another installation').deviceOf(cookie, ada), null);
  for (const at of [40, 60, cookie.length - 2]) {
    const changed = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    assert.equal(devices.deviceOf(changed, ada), null, `forged at ${at}`);
  }
  for (const none of [undefined, '', '~', 'x'.repeat(5_000)]) assert.equal(devices.deviceOf(none, ada), null);
});

test('DeviceCookies: a new password or 400 days make a cookie void', () => {
  const ada = newUser();
  const cookie = devices.issue(undefined, ada);
  assert.equal(devices.deviceOf(cookie, { ...ada, sessionVersion: 2 }), null);
  now += DEVICE_COOKIE_SECONDS * 1_000;
  assert.notEqual(devices.deviceOf(cookie, ada), null);
  const renewed = devices.issue(cookie, ada);
  now += 1_000;
  assert.equal(devices.deviceOf(cookie, ada), null);
  assert.equal(devices.deviceOf(renewed, ada)?.length, 22, 'each login renews it');
});

test('DeviceCookies: a browser remembers five users', () => {
  const users = Array.from({ length: 6 }, () => newUser());
  let cookie: string | undefined;
  for (const user of users) cookie = devices.issue(cookie, user);
  assert.deepEqual(
    users.map((user) => devices.deviceOf(cookie, user) !== null),
    [false, true, true, true, true, true],
  );
  const before = devices.deviceOf(cookie, users[3]!);
  cookie = devices.issue(cookie, users[3]!);
  assert.equal(devices.deviceOf(cookie, users[3]!), before);
  assert.ok(cookie.length < 1_000, `${cookie.length}`);
});
