import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportFault, type UpstreamAnswer } from '../../../../../src/core/agents/connectors/call/transport.ts';
import { endpoint, issued, json, refusalOf, SECRET, STAYING, tokenRequest } from './tokens-support.ts';

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

/** Invalid answers of an endpoint, and the messages for them. */
const LIES: [string, UpstreamAnswer, RegExp][] = [
  [
    'an error',
    json({ error: 'invalid_client', error_description: 'no such client' }, 401),
    /status 401: invalid_client \(no such client\)/,
  ],
  ['an error with status 200', json({ error: 'invalid_scope' }), /refused it: invalid_scope\./],
  ['a page', json('<html>sign in</html>'), /without an access_token/],
  ['a page with status 403', json('<html>no</html>', 403), /status 403\./],
  ['a redirect', json('', 302), /status 302/],
  ['nothing', json(''), /without an access_token/],
  ['null', json('null'), /without an access_token/],
  ['no token', json({ token_type: 'Bearer' }), /without an access_token/],
  ['an empty token', issued(1, { access_token: '' }), /without an access_token/],
  ['a number', issued(1, { access_token: 12 }), /without an access_token/],
  ['a token of two lines', issued(1, { access_token: 'a\r\nx-admin: 1' }), /without an access_token/],
  ['a token that no header holds', issued(1, { access_token: 'á' }), /without an access_token/],
  ['a token without end', issued(1, { access_token: 'a'.repeat(20_000) }), /without an access_token/],
  ['another type', issued(1, { token_type: 'mac' }), /token_type other than Bearer/],
  ['a type that is none', issued(1, { token_type: 7 }), /token_type other than Bearer \(7\), which/],
  ...['N_A', 'DPoP', 'pop', 'bearers', 'Basic', 'JWT'].map((type): [string, UpstreamAnswer, RegExp] => [
    `the type ${type}`,
    issued(1, { token_type: type }),
    new RegExp(`token_type other than Bearer \\("${type}"\\), which is not understood`),
  ]),
];

for (const [what, answer, message] of LIES) {
  test(`issuedToken: ${what} is an upstream failure`, async () => {
    const { tokens } = endpoint(() => answer);
    const error = await refusalOf(tokens.tokenFor(tokenRequest(), STAYING));
    assert.equal(error.code, 'upstream');
    assert.match(error.message, /^No access token: the server of tokenUrl \(login\.test\) /);
    assert.match(error.message, message);
  });
}

test('issuedToken: token_type may be missing, or Bearer in other words', async () => {
  for (const type of [
    undefined,
    null,
    '',
    'bearer',
    'BEARER',
    'Bearer ',
    'BearerToken',
    'bearer_token',
    'Bearer Token',
  ]) {
    const { tokens } = endpoint((count) => issued(count, { token_type: type }));
    assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-1');
  }
});

test('issuedToken: an answer may begin with a byte order mark', async () => {
  const { tokens } = endpoint(() => json(`\ufeff${JSON.stringify({ access_token: 'token-1' })}`));
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-1');
});

test('issuedToken: errors of the server are short, on one line, without the secret', async () => {
  const basic = Buffer.from(`client+1:${encodeURIComponent(SECRET)}`).toString('base64');
  const description = `${SECRET} ${encodeURIComponent(SECRET)} ${basic}\r\n\u0007${'long '.repeat(500)}`;
  const { tokens } = endpoint(() => json({ error: `bad ${SECRET}`, error_description: description }, 400));
  const { message } = await refusalOf(tokens.tokenFor(tokenRequest(), STAYING));
  assert.match(message, /400: bad \*\*\* \(\*\*\* \*\*\* \*\*\* long long/);
  assert.match(message, /^[ -~]{100,400}$/);
});

test('AccessTokens: transport faults have messages of their own', async () => {
  const kinds = ['blocked', 'unreachable', 'broken', 'too large', 'undecodable'] as const;
  for (const kind of kinds) {
    const { tokens } = endpoint(() => {
      throw new TransportFault(kind, 'words of 10.0.0.1', { maybeSent: false });
    });
    const error = await refusalOf(tokens.tokenFor(tokenRequest(), STAYING));
    assert.equal(error.code, 'upstream');
    assert.doesNotMatch(error.message, /10\.0\.0\.1/);
    assert.ok(error.cause instanceof TransportFault);
  }
});
