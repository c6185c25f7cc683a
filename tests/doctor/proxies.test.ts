import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfProxies } from '../../src/doctor/proxies.ts';

test('findingsOfProxies: a public URL without trusted proxies or TLS is a warning', () => {
  const publicUrl = 'https://runtime.example.com';
  const statuses = (trustedProxies: string[], url?: string) =>
    findingsOfProxies({ trustedProxies, publicUrl: url }).map(({ status }) => status);
  assert.deepEqual(statuses([], publicUrl), ['warning']);
  assert.deepEqual(statuses(['10.0.0.0/8'], publicUrl), ['ok']);
  assert.deepEqual(statuses(['10.0.0.0/8']), ['ok']);
  assert.deepEqual(statuses([]), []);
  assert.deepEqual(findingsOfProxies({ trustedProxies: [], publicUrl, tlsCertificate: '/cert.pem' }), []);
});
