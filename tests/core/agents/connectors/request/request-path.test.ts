import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PATH_STYLES } from '../../../../../src/core/agents/connectors/definition/resource-schema.ts';
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
  ...[
    '',
    '.',
    '..',
    '../../../',
    '../',
    '/..',
    '/.',
    '../../admin',
    '..\\',
    '..\\..\\admin',
    '\\..',
    'a/../b',
    'a/..',
    'a/./b',
  ],
  ...[
    '%2e',
    '%2e%2e',
    '%2E%2E',
    '.%2e',
    '%2e.',
    '%2e%2e%2f',
    '%2e%2e/',
    '..%2f',
    '..%2F..%2Fadmin',
    '..%5c',
    '%2e%2e%5cadmin',
  ],
  ...['%252e%252e', '%252e%252e%252f', '..%252f', '%25252e%25252e', '%2525252e.', 'a%2f..%2fb', 'a%2f%2e%2e', 'a%5c..'],
  ...['..;', '..;/admin', '.;', '..;a=b', '%2e%2e;', '..%3b/admin', 'a/..;/b', '/%2e%2e;x/'],
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
  const piece = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    '%2e',
    '%2f',
    '%25',
    '?',
    '#',
    '@',
    ':',
    ';',
    'a',
    ' ',
    '\n',
    '😀',
    '//',
    '[',
    '&',
  );
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
