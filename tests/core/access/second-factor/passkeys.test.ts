import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relyingPartyOf } from '../../../../src/core/access/second-factor/passkeys.ts';

const ofUrl = (url: string) => relyingPartyOf(url, { host: 'localhost:3000', secure: false });
const ofHost = (host: string | undefined, secure = false) => relyingPartyOf(undefined, { host, secure });

test('relying party: is the host of the public URL, whatever the request says', () => {
  assert.deepEqual(ofUrl('https://kpi.example.com/runtime/'), {
    id: 'kpi.example.com',
    origin: 'https://kpi.example.com',
  });
  assert.deepEqual(ofUrl('https://KPI.example.com:8443'), {
    id: 'kpi.example.com',
    origin: 'https://kpi.example.com:8443',
  });
  assert.deepEqual(ofUrl('http://localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
});

test('relying party: browsers take no IP address, and no name over http', () => {
  for (const url of ['http://kpi.example.com', 'https://192.0.2.7', 'https://[2001:db8::7]:3000']) {
    assert.equal(ofUrl(url), null, url);
  }
});

test('relying party: without a public URL it is localhost alone', () => {
  assert.deepEqual(ofHost('localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
  assert.deepEqual(ofHost('LOCALHOST', true), { id: 'localhost', origin: 'https://localhost' });
  for (const host of [undefined, '', '127.0.0.1:3000', '[::1]:3000', 'kpi.example.com', 'localhost.example.com', '%']) {
    assert.equal(ofHost(host, true), null, host);
  }
});
