import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectOf } from '../../../../src/core/base/network/redirects.ts';

const FROM = new URL('https://api.example.com/a/b');

test('redirectOf: a relative location is resolved against the request', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const redirect = redirectOf({ status, location: '../c?d' }, { from: FROM, followed: 2 });
    assert.deepEqual(redirect, { next: new URL('https://api.example.com/c?d') });
  }
});

test('redirectOf: an answer without a redirect status or a location is final', () => {
  for (const status of [200, 300, 304, 404]) {
    assert.equal(redirectOf({ status, location: '/c' }, { from: FROM, followed: 0 }), null);
  }
  for (const location of [null, undefined]) {
    assert.equal(redirectOf({ status: 302, location }, { from: FROM, followed: 0 }), null);
  }
});

test('redirectOf: a fourth redirect, an invalid address and http are refused', () => {
  const refusals: [location: string, followed: number, refusal: RegExp][] = [
    ['/c', 3, /more than 3 times/],
    ['https://', 0, /invalid address/],
    ['http://api.example.com/', 0, /from https to http/],
  ];
  for (const [location, followed, refusal] of refusals) {
    const redirect = redirectOf({ status: 302, location }, { from: FROM, followed });
    assert.ok(redirect && 'refusal' in redirect);
    assert.match(redirect.refusal, refusal);
  }
});
