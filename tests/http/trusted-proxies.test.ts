import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { trustedProxies } from '../../src/core/base/network/addresses.ts';
import { createLog } from '../../src/logging/log.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { newUser, PORTAL } from '../support/people.ts';

const PASSWORD = 'correct horse battery staple';

/**
 * A server with a captured log: `addressOf` sends X-Forwarded-For and returns the address of the
 * log line.
 */
async function loggedApp(t: Parameters<typeof testApp>[0], settings: object) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });
  const app = await testApp(t, settings, undefined, log);
  const addressOf = async (forwarded: string) => {
    const requestId = `r-${lines.length}`;
    await app.request('GET', '/healthz', undefined, { 'x-forwarded-for': forwarded, 'x-request-id': requestId });
    return lines.find((line) => line.msg === 'request' && line.requestId === requestId)?.address;
  };
  return { app, lines, addressOf };
}

test('trusted proxies: X-Forwarded-For is read from the right, past trusted ones', async (t) => {
  const { addressOf } = await loggedApp(t, { trustedProxies: '127.0.0.1, 10.0.0.0/8, fd00::/8' });
  const expected = {
    '203.0.113.7': '203.0.113.7',
    '198.51.100.1, 203.0.113.7': '203.0.113.7',
    '198.51.100.1, 203.0.113.7, 10.9.8.7': '203.0.113.7',
    '198.51.100.1, 203.0.113.7:4711, fd00::1, 10.0.0.1:80': '203.0.113.7',
    '203.0.113.7, ::ffff:10.0.0.1': '203.0.113.7',
    '2001:db8:1:2::9, [fd12::1]:443': '2001:db8:1:2::/64',
    '2001:0db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    '10.0.0.1, 10.0.0.2': '10.0.0.1',
    'nonsense, 10.0.0.2': 'nonsense',
  };
  for (const [forwarded, address] of Object.entries(expected)) assert.equal(await addressOf(forwarded), address);
});

test('trusted proxies: X-Forwarded-For of any other peer is ignored', async (t) => {
  const { addressOf } = await loggedApp(t, { publicUrl: 'https://runtime.example.com', trustedProxies: '10.0.0.0/8' });
  for (const forwarded of ['203.0.113.7', '203.0.113.7, 10.0.0.1']) {
    assert.equal(await addressOf(forwarded), '127.0.0.1');
  }
});

test('trusted proxies: failed logins with forged addresses count for the peer', async (t) => {
  const app = await testApp(t, { rateLimit: 0, publicUrl: 'https://runtime.example.com' });
  const { email } = await newUser(app, { password: PASSWORD });
  const login = (password: string, address: string) =>
    app.request('POST', `${PORTAL}/login`, { email, password }, { 'x-api-key': '', 'x-forwarded-for': address });
  for (let count = 0; count < 5; count++) await login('incorrect horse', `203.0.113.${count}`);
  const { items } = await failedLogins(app);
  assert.deepEqual([...new Set(items.map(({ address }) => address))], ['127.0.0.1']);
});

test('trusted proxies: an untrusted proxy is named in the log once', async (t) => {
  const { lines, addressOf, app } = await loggedApp(t, { publicUrl: 'https://runtime.example.com' });
  const warnings = () => lines.filter(({ level, msg }) => level === 'warn' && /TRUSTED_PROXIES/.test(String(msg)));
  await app.request('GET', '/healthz');
  assert.equal(warnings().length, 0);
  for (let count = 0; count < 3; count++) await addressOf('203.0.113.7');
  assert.deepEqual(
    warnings().map(({ peer }) => peer),
    ['127.0.0.1'],
  );
  const trusting = await loggedApp(t, { publicUrl: 'https://a.example', trustedProxies: '127.0.0.1' });
  await trusting.addressOf('203.0.113.7');
  const without = await loggedApp(t, {});
  await without.addressOf('203.0.113.7');
  for (const { lines: others } of [trusting, without]) {
    assert.ok(!others.some(({ msg }) => /TRUSTED_PROXIES/.test(String(msg))));
  }
});

test('trusted proxies: the setting takes addresses and networks, and names others', () => {
  const of = (trustedProxies: unknown) => loadConfig({ trustedProxies }, {}, {}).trustedProxies;
  assert.deepEqual(of('10.0.0.7, 192.168.0.0/16,::1,fd00::/8'), [
    '10.0.0.7/32',
    '192.168.0.0/16',
    '::1/128',
    'fd00::/8',
  ]);
  assert.deepEqual(of(['127.0.0.1']), ['127.0.0.1/32']);
  assert.deepEqual(of(''), []);
  const wrong = ['10.0.0.0/33', '10/8', '0.0.0.0/0', '::/0', 'fd00::/129', 'proxy.example.com', '10.0.0.1/', '0x7f.1'];
  for (const text of [...wrong, '10.0.0.1/8/8', 'fe80::1%eth0', 'loopback', '-1.0.0.1', '10.0.0.1/+8']) {
    assert.throws(() => of(`127.0.0.1,${text}`), {
      code: 'invalid',
      message: new RegExp(`AGENT_RUNTIME_TRUSTED_PROXIES.*"${text.replace(/[.+]/g, '\\$&')}" is not the address`),
    });
  }
});

test('trusted proxies: addresses compare by value; a socket without one is untrusted', () => {
  const isTrusted = trustedProxies(['10.0.0.0/8', '::1/128']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::1', '0:0:0:0:0:0:0:1', '10.1.2.3:80', '[::1]:80']) {
    assert.equal(isTrusted(address), true, address);
  }
  for (const address of [undefined, '', '11.0.0.1', '::2', 'fe80::1%eth0', '10.1.2', "'; DROP TABLE users; --"]) {
    assert.equal(isTrusted(address), false, String(address));
  }
});

function failedLogins(app: TestApp) {
  const asked = { action: 'login.failed', limit: 100, offset: 0 };
  return app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, asked) as Promise<{
    items: { address?: string }[];
  }>;
}
