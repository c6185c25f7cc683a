import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthSecret, authorize } from '../../../../../src/core/agents/connectors/credentials/call-credentials.ts';
import type { Auth } from '../../../../../src/core/agents/connectors/definition/environment-schema.ts';
import { connector, headerOf, messagesOf, requestOf } from '../support.ts';

function authorized(auth: object, credential: AuthSecret, data = {}) {
  const definition = connector({}, { auth });
  return authorize(requestOf(definition, { data }), definition.auth as Auth, credential);
}

test('authorize: each authentication type adds its header or parameter', () => {
  const header = (auth: object, credential: AuthSecret, name = 'authorization') =>
    headerOf(authorized(auth, credential), name);
  assert.equal(header({ type: 'bearer' }, { secret: 'abc' }), 'Bearer abc');
  const oauth2 = { type: 'oauth2', tokenUrl: 'https://login.example.com/token' };
  assert.equal(header(oauth2, { secret: 'token', username: 'client' }), 'Bearer token');
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' };
  assert.equal(header(apiKey, { secret: 'abc' }, 'x-key'), 'abc');
  assert.equal(header({ ...apiKey, prefix: 'Token' }, { secret: 'abc' }, 'x-key'), 'Token abc');
  assert.equal(header({ type: 'none' }, { secret: 'abc' }), undefined);
});

test('authorize: basic encodes UTF-8, with the username of the connector first', () => {
  const basic = (auth: object, credential: AuthSecret) => {
    const [scheme, text] = headerOf(authorized({ type: 'basic', ...auth }, credential), 'authorization')!.split(' ');
    return `${scheme} ${Buffer.from(text!, 'base64').toString()}`;
  };
  assert.equal(basic({}, { username: 'jö', secret: 'pä:ss' }), 'Basic jö:pä:ss');
  assert.equal(basic({ username: 'own' }, { username: 'other', secret: 'a' }), 'Basic own:a');
  assert.equal(basic({}, { username: null, secret: 'a' }), 'Basic :a');
  assert.equal(basic({}, { username: 'key', secret: '' }), 'Basic key:');
});

test('authorize: a query key comes last, encoded, in a copy of the request', () => {
  const auth = { type: 'apiKey', in: 'query', name: 'api[key]' };
  assert.equal(authorized(auth, { secret: 'a&b=c ü' }).url.search, '?api%5Bkey%5D=a%26b%3Dc%20%C3%BC');
  const definition = connector({}, { auth });
  const request = requestOf(definition, { data: { a: 1 } });
  assert.equal(authorize(request, definition.auth, { secret: 'x' }).url.search, '?a=1&api%5Bkey%5D=x');
  assert.equal(request.url.search, '?a=1');
});

test('authorize: a secret that cannot be sent is refused without showing it', () => {
  const secret = 'top-secret\r\nX-B: c';
  const cases: [object, AuthSecret][] = [
    [{ type: 'bearer' }, { secret }],
    [{ type: 'bearer' }, { secret: '' }],
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { secret }],
    [{ type: 'basic' }, { username: 'a', secret }],
    [{ type: 'basic' }, { username: 'a:b', secret: 'c' }],
  ];
  for (const [auth, credential] of cases) {
    const [message = 'it got through'] = messagesOf(() => authorized(auth, credential));
    assert.match(message, /^The credential of the connector (must|has)/);
    assert.doesNotMatch(message, /top-secret/);
  }
});
