import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint, issued, SECRET, STAYING, tokenRequest } from './tokens-support.ts';

test('tokenRequestOf: HTTP Basic is form-encoded, with the scopes in the body', async () => {
  const { tokens, asked } = endpoint((count) => issued(count));
  const request = tokenRequest({}, { audience: 'https://api.test/' });
  assert.equal(await tokens.tokenFor(request, STAYING), 'token-1');
  const [{ policy, request: sent }] = asked as [(typeof asked)[0]];
  assert.deepEqual([policy, sent.method, sent.url.href], [request.policy, 'POST', 'https://login.test/token']);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(sent.body!)), {
    grant_type: 'client_credentials',
    scope: 'read write',
    audience: 'https://api.test/',
  });
  const basic = sent.headers[sent.headers.indexOf('authorization') + 1]!.replace('Basic ', '');
  assert.equal(Buffer.from(basic, 'base64').toString(), 'client+1:s3cr%3Aet%2F%2B%C3%BC');
});

test('tokenRequestOf: authentication in the body sends no header', async () => {
  const { tokens, asked } = endpoint((count) => issued(count));
  await tokens.tokenFor(tokenRequest({}, { clientAuthentication: 'body', scopes: [] }), STAYING);
  const { headers, body } = asked[0]!.request;
  assert.ok(!headers.includes('authorization'));
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body!)), {
    grant_type: 'client_credentials',
    client_id: 'client 1',
    client_secret: SECRET,
  });
});
