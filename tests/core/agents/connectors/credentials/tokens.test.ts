import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportFault, type UpstreamAnswer } from '../../../../../src/core/agents/connectors/call/transport.ts';
import type { TokenRequest } from '../../../../../src/core/agents/connectors/credentials/token-request.ts';
import { AccessTokens } from '../../../../../src/core/agents/connectors/credentials/tokens.ts';
import { realEffects } from '../../../../../src/core/base/shared/effects.ts';
import { makeTransport } from '../../../../../src/outbound/transport.ts';
import { rejectionOf, startServer, testDispatchers } from '../../../../outbound/support.ts';
import { LOOPBACK } from '../../../../outbound/transport-support.ts';
import { endpoint, issued, json, refusalOf, STAYING, tokenRequest } from './tokens-support.ts';

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
