import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CallPolicy,
  type Transport,
  TransportFault,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../../../../../src/core/agents/connectors/call/transport.ts';
import type { TokenRequest } from '../../../../../src/core/agents/connectors/credentials/token-request.ts';
import { AccessTokens, type TokenParts } from '../../../../../src/core/agents/connectors/credentials/tokens.ts';
import { realEffects } from '../../../../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { makeTransport } from '../../../../../src/outbound/transport.ts';
import { rejectionOf, startServer, testDispatchers } from '../../../../outbound/support.ts';
import { LOOPBACK } from '../../../../outbound/transport-support.ts';

export const SECRET = 's3cr:et/+ü';
export const STAYING = new AbortController().signal;

export function tokenRequest(change: Partial<TokenRequest> = {}, auth: Partial<TokenRequest['auth']> = {}) {
  return {
    policy: { tenantId: 'tenant', allowPrivateNetworks: [] },
    auth: {
      type: 'oauth2',
      tokenUrl: 'https://login.test/token',
      scopes: ['read', 'write'],
      clientAuthentication: 'basic',
      ...auth,
    },
    clientId: 'client 1',
    clientSecret: SECRET,
    version: 1,
    ...change,
  } satisfies TokenRequest;
}

export async function refusalOf(token: Promise<string>): Promise<RuntimeError> {
  const error = await rejectionOf(token);
  assert.ok(error instanceof RuntimeError, String(error.stack));
  return error;
}

export interface Endpoint {
  tokens: AccessTokens;
  /** The requests, in order. */
  asked: { policy: CallPolicy; request: UpstreamRequest }[];
  /** The clock of the cache, in epoch milliseconds. */
  clock: { now: number };
}

export function endpoint(
  answer: (count: number) => Promise<UpstreamAnswer> | UpstreamAnswer,
  parts: Partial<TokenParts> = {},
): Endpoint {
  const asked: Endpoint['asked'] = [];
  const clock = { now: 1_000_000 };
  const transport: Transport = {
    async send(policy, request) {
      asked.push({ policy, request });
      return answer(asked.length);
    },
  };
  return { tokens: new AccessTokens({ transport, effects: { now: () => clock.now }, ...parts }), asked, clock };
}

export function json(value: unknown, status = 200): UpstreamAnswer {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

export function issued(count: number, more: Record<string, unknown> = {}): UpstreamAnswer {
  return json({ access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3_600, ...more });
}

test('AccessTokens: concurrent calls share one request, which an abort does not end', async () => {
  const answer = Promise.withResolvers<UpstreamAnswer>();
  const { tokens, asked } = endpoint(() => answer.promise);
  const controller = new AbortController();
  const rejection = rejectionOf(tokens.tokenFor(tokenRequest(), controller.signal));
  const all = Array.from({ length: 100 }, () => tokens.tokenFor(tokenRequest(), STAYING));
  const reason = new Error('left');
  controller.abort(reason);
  assert.equal(await rejection, reason);
  answer.resolve(issued(1));
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['token-1']));
  assert.equal(asked.length, 1);
  assert.equal(asked[0]!.request.signal.aborted, false);
  await assert.rejects(tokens.tokenFor(tokenRequest(), AbortSignal.abort(reason)), /left/);
});

test('AccessTokens: a failed request without waiting callers is not unhandled', async () => {
  const answer = Promise.withResolvers<UpstreamAnswer>();
  const { tokens } = endpoint(() => answer.promise);
  const controller = new AbortController();
  const rejection = rejectionOf(tokens.tokenFor(tokenRequest(), controller.signal));
  controller.abort(new Error('left'));
  await rejection;
  answer.reject(new TransportFault('broken', 'it broke', { maybeSent: true }));
  await new Promise((resolve) => setImmediate(resolve));
});

/** `expires_in` of the answer, and the seconds until renewal and expiry. */
const LIFETIMES: [unknown, number, number][] = [
  [3_600, 3_540, 3_600],
  [100, 90, 100],
  ['600', 540, 600],
  [undefined, 270, 300],
  [null, 270, 300],
  [0, 270, 300],
  [-5, 270, 300],
  ['soon', 270, 300],
  ['', 270, 300],
  [{}, 270, 300],
  [[3_600], 270, 300],
  [true, 270, 300],
  [1e300, 86_340, 86_400],
];

for (const [expiresIn, renewedAt, expiredAt] of LIFETIMES) {
  test(`AccessTokens: expires_in ${JSON.stringify(expiresIn)} renews after ${renewedAt} s`, async () => {
    const { tokens, asked, clock } = endpoint((count) => issued(count, { expires_in: expiresIn }));
    const start = clock.now;
    const askAt = async (seconds: number) => {
      clock.now = start + seconds * 1_000;
      const token = await tokens.tokenFor(tokenRequest(), STAYING);
      await new Promise((resolve) => setImmediate(resolve));
      return [token, asked.length];
    };
    assert.deepEqual(await askAt(0), ['token-1', 1]);
    assert.deepEqual(await askAt(renewedAt - 0.001), ['token-1', 1]);
    // A valid token is returned while the next one is requested.
    assert.deepEqual(await askAt(renewedAt), ['token-1', 2]);
    assert.deepEqual(await askAt(expiredAt - 0.001), ['token-2', 2]);
  });
}

test('AccessTokens: an expired token is never returned', async () => {
  const { tokens, clock } = endpoint((count) => issued(count, { expires_in: 100 }));
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-1');
  clock.now += 100_000;
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-2');
});

test('AccessTokens: after a failed renewal the old token serves, without new requests', async () => {
  const { tokens, asked, clock } = endpoint((count) => (count === 1 ? issued(1, { expires_in: 100 }) : json({}, 503)));
  const ask = async () => {
    const token = await tokens.tokenFor(tokenRequest(), STAYING);
    await new Promise((resolve) => setImmediate(resolve));
    return token;
  };
  await ask();
  clock.now += 95_000;
  for (let calls = 0; calls < 10; calls += 1) assert.equal(await ask(), 'token-1');
  assert.equal(asked.length, 2);
  clock.now += 1_000;
  assert.equal(await ask(), 'token-1');
  assert.equal(asked.length, 3);
  clock.now += 4_000;
  assert.match((await refusalOf(ask())).message, /status 503/);
});

test('AccessTokens: a failure is reported for a second without another request', async () => {
  const { tokens, asked, clock } = endpoint((count) =>
    count === 1 ? json({ error: 'server_error' }, 500) : issued(count),
  );
  const first = await refusalOf(tokens.tokenFor(tokenRequest(), STAYING));
  clock.now += 999;
  assert.equal(await refusalOf(tokens.tokenFor(tokenRequest(), STAYING)), first);
  assert.equal(asked.length, 1);
  clock.now += 1;
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-2');
});

test('AccessTokens: every parameter of a client is part of the cache key', async () => {
  const { tokens, asked } = endpoint((count) => issued(count));
  const requests: TokenRequest[] = [
    tokenRequest(),
    tokenRequest({ policy: { tenantId: 'another', allowPrivateNetworks: [] } }),
    tokenRequest({ clientId: 'client 2' }),
    tokenRequest({ clientSecret: 'wrong' }),
    tokenRequest({ version: 2 }),
    tokenRequest({}, { tokenUrl: 'https://login.test/other' }),
    tokenRequest({}, { scopes: ['read'] }),
    tokenRequest({}, { scopes: ['read write'] }),
    tokenRequest({}, { audience: 'a' }),
    tokenRequest({}, { clientAuthentication: 'body' }),
  ];
  const ask = () => Promise.all(requests.map((request) => tokens.tokenFor(request, STAYING)));
  const first = await ask();
  assert.equal(new Set(first).size, requests.length);
  assert.deepEqual(await ask(), first);
  assert.equal(asked.length, requests.length);
});

test('AccessTokens: forgetting an old token keeps its successor', async () => {
  const { tokens, asked } = endpoint((count) => issued(count));
  const old = await tokens.tokenFor(tokenRequest(), STAYING);
  tokens.forget(tokenRequest(), old);
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-2');
  for (let calls = 0; calls < 10; calls += 1) tokens.forget(tokenRequest(), old);
  assert.equal(await tokens.tokenFor(tokenRequest(), STAYING), 'token-2');
  tokens.forget(tokenRequest({ clientId: 'nobody' }), 'token-2');
  assert.equal(asked.length, 2);
});

test('AccessTokens: the least recently used token is evicted', async () => {
  const { tokens, asked } = endpoint((count) => issued(count), { maxTokens: 2 });
  const ask = (clientId: string) => tokens.tokenFor(tokenRequest({ clientId }), STAYING);
  for (const clientId of ['a', 'b', 'a', 'c', 'a']) await ask(clientId);
  assert.equal(asked.length, 3);
  await ask('b');
  assert.equal(asked.length, 4);
});

test('AccessTokens: works over connections, with one request and a timeout', async (t) => {
  let asked = 0;
  const { url } = await startServer(t, (request, response) => {
    asked += 1;
    if (request.url === '/silent') return;
    request.resume().on('end', () => response.end(JSON.stringify({ access_token: 'real', token_type: 'bearer' })));
  });
  const transport = makeTransport({ connections: testDispatchers(t) });
  const tokens = new AccessTokens({ transport, effects: realEffects });
  const accessTokens = new AccessTokens({ transport, effects: realEffects, timeoutMs: 100 });
  const request = (path: string) => tokenRequest({ policy: LOOPBACK }, { tokenUrl: url + path });
  const all = Array.from({ length: 100 }, () => tokens.tokenFor(request('/token'), STAYING));
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['real']));
  assert.equal(asked, 1);
  const error = await refusalOf(accessTokens.tokenFor(request('/silent'), STAYING));
  assert.deepEqual([error.code, asked], ['timeout', 2]);
  assert.match(error.message, /did not answer within 100 ms/);
});

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
