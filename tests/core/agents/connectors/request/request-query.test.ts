import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { QueryStyle } from '../../../../../src/core/agents/connectors/definition/resource-schema.ts';
import { connector, messagesOf, requestOf } from '../support.ts';

const queryOf = (
  query: Record<string, unknown>,
  queryStyles: Record<string, QueryStyle> = {},
  definition: object = {},
) => requestOf(connector({ queryStyles }, definition), { data: { query } }).url.search;

test('buildRequest: each query parameter has its style', () => {
  const tags = ['a b', 'c,d', null, 5];
  assert.equal(queryOf({ tags }), '?tags=a%20b&tags=c%2Cd&tags=5');
  assert.equal(queryOf({ tags }, { tags: 'comma' }), '?tags=a%20b,c%2Cd,5');
  assert.equal(queryOf({ tags: ['a', 'b'] }, { tags: 'spaceDelimited' }), '?tags=a%20b');
  assert.equal(queryOf({ tags: ['a', 'b'] }, { tags: 'pipeDelimited' }), '?tags=a%7Cb');
  assert.equal(queryOf({ tags: ['a', 'b'] }, { tags: 'brackets' }), '?tags%5B%5D=a&tags%5B%5D=b');
  assert.equal(queryOf({ at: { gte: 1, in: ['x'] } }), '?at%5Bgte%5D=1&at%5Bin%5D%5B0%5D=x');
  assert.equal(queryOf({ at: { a: { b: true } } }, { at: 'deepObject' }), '?at%5Ba%5D%5Bb%5D=true');
  assert.equal(queryOf({ at: { a: ['x'] } }, { at: 'brackets' }), '?at%5Ba%5D%5B%5D=x');
  assert.equal(queryOf({ a: 'one', b: 2, c: false, d: '' }, { a: 'comma', b: 'brackets' }), '?a=one&b=2&c=false&d=');
});

test('buildRequest: null and empty query values are left out', () => {
  assert.equal(queryOf({ a: null, b: [], c: {}, d: [null], e: { f: null } }, { b: 'comma' }), '');
});

test('buildRequest: query names and values are encoded', () => {
  assert.equal(queryOf({ 'a&b=c': "x&y=z#'()*!", 'd?': '\r\n' }), '?a%26b%3Dc=x%26y%3Dz%23%27%28%29%2A%21&d%3F=%0D%0A');
});

test('buildRequest: values that a query style cannot express are refused', () => {
  const refused = (value: unknown, style: QueryStyle) => messagesOf(() => queryOf({ a: value }, { a: style }));
  assert.deepEqual(refused(['x|y'], 'pipeDelimited'), [
    'data.query.a: must not have "|" within an item: it stands between them',
  ]);
  assert.deepEqual(refused(['x y'], 'spaceDelimited'), [
    'data.query.a: must not have " " within an item: it stands between them',
  ]);
  for (const value of [[['b']], { b: [1] }]) {
    assert.deepEqual(refused(value, 'comma'), [
      'data.query.a: must have no lists and objects within: it is sent as comma',
    ]);
  }
  assert.match(messagesOf(() => queryOf({ '': 1 }))[0]!, /is not a parameter name$/);
  assert.match(messagesOf(() => queryOf({ 'a\0': 1 }))[0]!, /is not a parameter name$/);
});

test('buildRequest: a query that repeats a long name is refused before encoding', () => {
  const items = Array.from({ length: 100_000 }, () => 1);
  assert.deepEqual(
    messagesOf(() => queryOf({ ['a'.repeat(100_000)]: items })),
    ['data: is too much for a query, which has at most 65536 characters'],
  );
});

test('buildRequest: no query parameter can replace the API key', () => {
  const auth = { auth: { type: 'apiKey', in: 'query', name: 'api.key' } };
  for (const query of [
    ...[{ 'api.key': 1 }, { 'API.Key': 1 }, { api_key: 1 }, { 'api key': 1 }, { ' api.key': 1 }, { 'api.key[]': 1 }],
    ...[{ 'api.key': { a: 1 } }, { 'api.key': ['a'] }],
  ]) {
    const [message = 'it got through'] = messagesOf(() => queryOf(query, {}, auth));
    assert.match(message, /: is set by the way the connector authenticates$/, JSON.stringify(query));
  }
  const nested = { auth: { type: 'apiKey', in: 'query', name: 'auth[key]' } };
  assert.match(messagesOf(() => queryOf({ auth: { key: 1 } }, {}, nested))[0]!, /^data\.query\.auth: is set by/);
  assert.equal(queryOf({ auth: { other: 1 }, api: 2 }, {}, nested), '?auth%5Bother%5D=1&api=2');
});

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('&', '=', '%26', '+', '[', ']', 'a[b]', '#'));
const printable = text.filter((name) => name !== '' && !/\p{Cc}/u.test(name));

test('buildRequest: a parser reads any form as it was written', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(printable, fc.array(text, { maxLength: 4 })), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
      (entries) => {
        const read = new URLSearchParams(queryOf(Object.fromEntries(entries)));
        const written = Object.entries(Object.fromEntries(entries)).flatMap(([name, values]) =>
          values.map((value) => [name, value]),
        );
        assert.deepEqual([...read], written);
      },
    ),
  );
});

test('buildRequest: a parser reads any deep object as it was written', () => {
  const member = fc.stringMatching(/^[a-z_]{1,5}$/);
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.dictionary(member, tie('node'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(member, tree.node, { maxKeys: 3, noNullPrototype: true }), (query) => {
      const read = {};
      for (const [name, value] of new URLSearchParams(queryOf(query)))
        put(read, name.split(/[[\]]+/).filter(Boolean), value);
      assert.deepEqual(read, query);
    }),
  );
});

function put(object: Record<string, unknown>, [name, ...more]: string[], value: string): void {
  if (more.length === 0)
    Object.defineProperty(object, name!, { value, enumerable: true, configurable: true, writable: true });
  else {
    if (!Object.hasOwn(object, name!)) object[name!] = {};
    put(object[name!] as Record<string, unknown>, more, value);
  }
}
