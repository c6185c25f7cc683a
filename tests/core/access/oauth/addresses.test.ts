import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecureAddress, oauthNotice } from '../../../../src/core/access/oauth/addresses.ts';

test('isSecureAddress: https, and http on this machine alone', () => {
  for (const url of ['https://a.example', 'http://localhost:3000/x', 'http://127.0.0.1:3000']) {
    assert.equal(isSecureAddress(url), true, url);
  }
  for (const url of ['http://a.example', 'http://10.0.0.1', 'http://localhost.a.example', 'ftp://a.example']) {
    assert.equal(isSecureAddress(url), false, url);
  }
});

test('oauthNotice: names the remedy where not every client can use OAuth', () => {
  const cases: [publicUrl: string | undefined, host: string, notice: RegExp | null][] = [
    ['https://a.example', '0.0.0.0', null],
    ['http://a.example', '127.0.0.1', /^OAuth is off: at http:\/\/a\.example .* Use an https address$/],
    [undefined, 'localhost', null],
    [undefined, '::1', null],
    [undefined, '0.0.0.0', /^OAuth works only on this machine\..* set AGENT_RUNTIME_PUBLIC_URL/],
  ];
  for (const [publicUrl, host, notice] of cases) {
    const told = oauthNotice({ publicUrl, host });
    if (notice === null) assert.equal(told, null, `${publicUrl} ${host}`);
    else assert.match(told!, notice);
  }
});
