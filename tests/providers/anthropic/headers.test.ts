import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { ANTHROPIC, API_KEY, type Asked, bodySent } from '../support.ts';

/* Credentials, address and version of requests to the Messages API. */

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(ANTHROPIC, upstream, asked) as Promise<Record<string, unknown>>;

test('anthropic: requests go to /v1/messages with the key in x-api-key', async () => {
  await sent({ connection: { headers: { 'x-team': 'orders' } } });
  const { method, path, headers } = upstream.requests.at(-1)!;
  assert.deepEqual({ method, path }, { method: 'POST', path: '/v1/messages' });
  assert.equal(headers['x-api-key'], API_KEY);
  assert.equal(headers.authorization, undefined);
  assert.equal(headers['x-team'], 'orders');
});

test('anthropic: headers of the definition override the default ones', async () => {
  await sent({ connection: { apiKey: null, headers: { Authorization: 'Bearer of-mine', 'anthropic-beta': 'one' } } });
  const { headers } = upstream.requests.at(-1)!;
  assert.equal(headers.authorization, 'Bearer of-mine');
  assert.equal(headers['anthropic-beta'], 'one');
  assert.equal(headers['x-api-key'], undefined);
});

test('anthropic: no key, token, header or address of the environment is used', async (t) => {
  const set = {
    ANTHROPIC_API_KEY: 'sk-of-the-environment',
    ANTHROPIC_AUTH_TOKEN: 'token-of-the-environment',
    ANTHROPIC_CUSTOM_HEADERS: 'x-secret: of-the-environment',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  };
  Object.assign(process.env, set);
  t.after(() => {
    for (const name of Object.keys(set)) delete process.env[name];
  });
  for (const apiKey of [API_KEY, null]) {
    await sent({ connection: { apiKey } });
    assert.doesNotMatch(JSON.stringify(upstream.requests.at(-1)!.headers), /of-the-environment/);
  }
});

test('anthropic: without a key none is searched for', async (t) => {
  process.env.ANTHROPIC_PROFILE = 'that-is-not-there';
  t.after(() => delete process.env.ANTHROPIC_PROFILE);
  const { 'x-api-key': key, authorization } = await sent({ connection: { apiKey: null } }).then(
    () => upstream.requests.at(-1)!.headers,
  );
  assert.deepEqual({ key, authorization }, { key: undefined, authorization: undefined });
});

test('anthropic: only sampling selects the older version of the API', async () => {
  const versionOf = async (asked: Asked) => {
    await sent(asked);
    return upstream.requests.at(-1)!.headers['anthropic-version'];
  };
  assert.equal(await versionOf({}), '2026-10-21');
  assert.equal(await versionOf({ temperature: 0 }), '2023-06-01');
  assert.equal(await versionOf({ topP: 0.5 }), '2023-06-01');
});
