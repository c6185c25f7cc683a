import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PATH_STYLES, type QueryStyle } from '../../../../../src/core/agents/connectors/definition/resource-schema.ts';
import { connector, messagesOf, requestOf } from '../support.ts';

const PETS = connector({ path: '/pets/{petId}/visits' });
const urlFor = (petId: unknown) => requestOf(PETS, { data: { path: { petId } } }).url;

test('buildRequest: a path value stays encoded within its segment', () => {
  const cases: [unknown, string][] = [
    [7, '7'],
    [true, 'true'],
    ['group/project', 'group%2Fproject'],
    ['a%2fb', 'a%252fb'],
    ['a?b=c&d#e', 'a%3Fb%3Dc%26d%23e'],
    ["!'()*~-._", '%21%27%28%29%2A~-._'],
    ['a;b=c', 'a%3Bb%3Dc'],
    ['a\\b', 'a%5Cb'],
    ['a b+c', 'a%20b%2Bc'],
    ['é😀', '%C3%A9%F0%9F%98%80'],
    ['@evil.example', '%40evil.example'],
    ['https://evil.example/', 'https%3A%2F%2Fevil.example%2F'],
    ['{petId}', '%7BpetId%7D'],
    ['...', '...'],
    ['..a', '..a'],
    ['a..', 'a..'],
    ['.well-known', '.well-known'],
    ['%', '%25'],
    ['%zz', '%25zz'],
    ['[::1]', '%5B%3A%3A1%5D'],
    ['$&', '%24%26'],
    ['__proto__', '__proto__'],
  ];
  for (const [value, segment] of cases) {
    assert.equal(urlFor(value).href, `https://api.example.com/v1/pets/${segment}/visits`, String(value));
  }
});

/** Each would reach another path, of this server or one behind it. */
const TRICKS: unknown[] = [
  '',
  ...'. .. ../../../ ../ /.. /. ../../admin ..\\ ..\\..\\admin \\.. a/../b a/.. a/./b'.split(' '),
  ...'%2e %2e%2e %2E%2E .%2e %2e. %2e%2e%2f %2e%2e/ ..%2f ..%2F..%2Fadmin ..%5c %2e%2e%5cadmin'.split(' '),
  ...'%252e%252e %252e%252e%252f ..%252f %25252e%25252e %2525252e. a%2f..%2fb a%2f%2e%2e a%5c..'.split(' '),
  ...'..; ..;/admin .; ..;a=b %2e%2e; ..%3b/admin a/..;/b /%2e%2e;x/'.split(' '),
  ...[
    'a\0',
    '\0',
    'a\r\nHost: evil.example',
    'a\nb',
    'a\rb',
    'a\tb',
    'a\x7f',
    'a\x85b',
    '\x1b[0m',
    '\ud800',
    'a\udc00',
  ],
  ...[{}, [], ['..'], [['a']], { '..': 'a' }, { a: {} }, { a: '' }, [1, '']],
];

test('buildRequest: path traversal and values without text are refused', () => {
  assert.ok(TRICKS.length >= 40);
  for (const trick of TRICKS) {
    const [message = 'it got through'] = messagesOf(() => urlFor(trick));
    assert.match(message, /^data\.path\.petId: (must|contains)/, JSON.stringify(trick));
    assert.ok(!message.includes('evil'), 'no message repeats a value');
  }
});

test('buildRequest: the path is appended to the base path', () => {
  const base = (baseUrl: string, path = '/pets/{petId}') =>
    requestOf(connector({ path }, { environments: { production: { baseUrl } } }), { data: { petId: 1 } }).url.href;
  assert.equal(base('https://api.example.com'), 'https://api.example.com/pets/1');
  assert.equal(base('https://api.example.com/'), 'https://api.example.com/pets/1');
  assert.equal(base('https://api.example.com:8443/a/b/'), 'https://api.example.com:8443/a/b/pets/1');
  assert.equal(
    base('https://api.example.com', '/é/"<^>|{petId}.json'),
    'https://api.example.com/%C3%A9/%22%3C%5E%3E|1.json',
  );
  assert.equal(base('https://api.example.com', '/a:{petId}/'), 'https://api.example.com/a:1/');
});

test('buildRequest: neighbouring path values cannot form a traversal', () => {
  const two = connector({ path: '/x/.{a}/y/{b}{c}' });
  const refused = (data: Record<string, unknown>) => messagesOf(() => requestOf(two, { data: { path: data } }));
  assert.match(refused({ a: '.', b: 'b', c: 'c' })[0]!, /^data\.path\.a: must not have a part/);
  assert.match(refused({ a: 'a', b: '.', c: '.' })[0]!, /^data\.path\.b: must not have a part/);
  assert.match(refused({ a: 'a', b: '..', c: '' }).join(), /data\.path\.b: .*data\.path\.c: must not be empty/);
});

test('buildRequest: no path value changes origin or number of segments', () => {
  const path = '/shops/{shop}/pets/{petId}.json';
  const definition = connector({ path });
  const piece = fc.constantFrom(...'./\\?#@:;a \n😀[&', '..', '//', '%2e', '%2f', '%25');
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 6 }).map((all) => all.join('')),
    fc.double(),
    fc.boolean(),
  );
  let built = 0;
  fc.assert(
    fc.property(value, value, (shop, petId) => {
      const messages = messagesOf(() => {
        const { url } = requestOf(definition, { data: { path: { shop, petId } } });
        assert.equal(url.origin, 'https://api.example.com');
        const [empty, v1, shops, one, pets, other, ...more] = url.pathname.split('/');
        assert.deepEqual([empty, v1, shops, pets, more], ['', 'v1', 'shops', 'pets', []]);
        assert.equal(decodeURIComponent(one!), String(shop));
        assert.equal(decodeURIComponent(other!), `${petId}.json`);
        assert.deepEqual([url.search, url.hash, url.username, url.password], ['', '', '', '']);
        built += 1;
      });
      for (const message of messages) assert.match(message, /^data\.path\.(shop|petId): /);
    }),
    { numRuns: 300 },
  );
  assert.ok(built > 30, `${built}`);
  const any = fc.oneof(
    value,
    fc.array(value, { maxLength: 3 }),
    fc.dictionary(value.map(String), value, { maxKeys: 3 }),
  );
  fc.assert(
    fc.property(any, fc.constantFrom(...PATH_STYLES), (shop, style) => {
      const styled = connector({ path, pathStyles: { shop: style } });
      const messages = messagesOf(() => {
        const { pathname, origin, search, hash } = requestOf(styled, { data: { path: { shop, petId: 1 } } }).url;
        assert.deepEqual([origin, search, hash], ['https://api.example.com', '', '']);
        assert.match(pathname, /^\/v1\/shops\/[^/]+\/pets\/1\.json$/);
        assert.ok(
          !decodeURIComponent(pathname)
            .split(/[/\\]/)
            .some((part) => /^\.\.?(;|$)/.test(part)),
          pathname,
        );
      });
      for (const message of messages) assert.match(message, /^data\.path\.shop: /);
    }),
    { numRuns: 500 },
  );
});

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
