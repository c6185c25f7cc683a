import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compiledTarget } from '../../../../../src/core/agents/connectors/request/target.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { connector, headerOf, messagesOf, requestOf } from '../support.ts';

test('buildRequest: method, URL, body and their headers', () => {
  const definition = connector({ method: 'POST', path: '/pets/{petId}' });
  const { url, ...request } = requestOf(definition, {
    data: { petId: 7, name: 'Tib', tags: ['a', null] },
    headers: { 'X-Trace': '1' },
  });
  assert.equal(url.href, 'https://api.example.com/v1/pets/7');
  assert.deepEqual(request, {
    method: 'POST',
    headers: ['accept', 'application/json, */*;q=0.8', 'content-type', 'application/json', 'X-Trace', '1'],
    body: '{"name":"Tib","tags":["a",null]}',
  });
});

test("buildRequest: a null that the body's schema refuses is left out", () => {
  const text = { type: 'string' };
  const body = {
    type: 'object',
    properties: { name: text, note: text, tag: { type: ['string', 'null'] } },
    required: ['name'],
  };
  const definition = connector({ method: 'POST', parameters: { body } });
  const { body: sent } = requestOf(definition, { data: { name: 'Tib', note: null, tag: null } });
  assert.equal(sent, '{"name":"Tib","tag":null}');
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data: { name: null } })),
    ['data.name: is required'],
  );
});

test('buildRequest: configured headers replace the defaults', () => {
  const definition = connector({ method: 'POST' }, { headers: { 'Content-Type': 'application/vnd.api+json' } });
  const { headers } = requestOf(definition, { data: { a: 1 } });
  assert.deepEqual(headers, ['accept', 'application/json, */*;q=0.8']);
});

test('buildRequest: any JSON body is sent as it is', () => {
  const bodyOf = (body: unknown) => requestOf(connector({ method: 'PUT' }), { data: { body } }).body;
  assert.equal(bodyOf(JSON.parse('{"__proto__": {"a": 1}}')), '{"__proto__":{"a":1}}');
  for (const body of [[1, 'a'], 'text', 0, false, null]) assert.equal(bodyOf(body), JSON.stringify(body));
  assert.equal(requestOf(connector({ method: 'PUT' })).body, null);
  assert.equal(headerOf(requestOf(connector({ method: 'PUT' })), 'content-type'), undefined);
});

test('buildRequest: a form is encoded with nested brackets', () => {
  const form = connector({ method: 'POST', bodyType: 'form' });
  const request = requestOf(form, {
    data: { body: { name: 'A & B', items: [{ price: 5, metadata: { a: 'b' } }, 'x'], note: null, expand: [] } },
  });
  assert.equal(
    decodeURIComponent(request.body!.replaceAll('%26', 'AND')),
    'name=A AND B&items[0][price]=5&items[0][metadata][a]=b&items[1]=x',
  );
  assert.equal(headerOf(request, 'content-type'), 'application/x-www-form-urlencoded');
  assert.deepEqual(
    messagesOf(() => requestOf(form, { data: { body: [1] } })),
    ['data.body: must be an object: it is sent as a form'],
  );
});

test('buildRequest: a form that repeats a long name is refused before encoding', () => {
  const data = { body: { ['a'.repeat(100_000)]: Array.from({ length: 100_000 }, () => 1) } };
  const messages = messagesOf(() => requestOf(connector({ method: 'POST', bodyType: 'form' }), { data }));
  assert.deepEqual(messages, ['data: is too much for a form, which has at most 8388608 characters']);
});

test('buildRequest: problems of path, query and headers are reported together', () => {
  const definition = connector({ path: '/pets/{petId}', queryStyles: { tags: 'comma' } });
  const data = { path: { petId: '..' }, query: { tags: [{}] }, headers: { Host: 'a' } };
  assert.deepEqual(
    messagesOf(() => requestOf(definition, { data })).map((message) => message.replace(/:.*/, '')),
    ['data.path.petId', 'data.query.tags', 'data.headers.Host'],
  );
});

test('buildRequest: lists in a path or header are joined by commas', () => {
  const definition = connector({ path: '/pets/{ids}' });
  const { url, headers } = requestOf(definition, {
    data: { path: { ids: ['a,b', 7, true] }, headers: { 'x-tags': ['one', 2] } },
  });
  assert.equal(url.pathname, '/v1/pets/a%2Cb,7,true');
  assert.deepEqual(headers.slice(-2), ['x-tags', 'one,2']);
  for (const ids of [[], [''], ['a', '..'], [['a']], [{}]]) {
    assert.match(
      messagesOf(() => requestOf(definition, { data: { path: { ids } } }))[0] ?? 'it got through',
      /^data\.path\.ids: must/,
    );
  }
});

test('buildRequest: does not change its data', () => {
  const data = { petId: '7', tags: ['a', null], name: { a: null } };
  const before = structuredClone(data);
  requestOf(connector({ method: 'POST', path: '/pets/{petId}' }), { data });
  assert.deepEqual(data, before);
});

test('buildRequest: a missing environment is refused', () => {
  const missing = messagesOf(() => requestOf(connector({}), { environment: 'staging' }));
  assert.deepEqual(missing, ['environment: the connector has no staging']);
});

const SHOP = connector(
  { path: '/orders' },
  {
    headers: { 'X-Version': '1', 'X-Tenant': 'shop' },
    environments: {
      production: { baseUrl: 'https://api.example.com/v1//', headers: { 'x-version': '2' }, auth: { type: 'none' } },
      staging: { baseUrl: 'https://api.example.com' },
    },
    auth: { type: 'apiKey', in: 'header', name: 'X_Shop_Key' },
    credentials: ['shop'],
  },
);

test('compiledTarget: headers of an environment override those of the connector', () => {
  const { origin, basePath, headers, fixedNames, reservedNames: takenNames } = compiledTarget(SHOP, 'production');
  assert.deepEqual([origin, basePath], ['https://api.example.com', '/v1']);
  assert.deepEqual(headers, [
    ['X-Tenant', 'shop'],
    ['x-version', '2'],
  ]);
  assert.deepEqual([...fixedNames], ['x-tenant', 'x-version']);
  assert.deepEqual([...takenNames], ['x-tenant', 'x-version']);
});

test('compiledTarget: the header of an API key is reserved where it is used', () => {
  const { basePath, reservedNames: takenNames, fixedNames } = compiledTarget(SHOP, 'staging');
  assert.equal(basePath, '');
  assert.ok(takenNames.has('x-shop-key') && !fixedNames.has('x-shop-key'));
});

test('compiledTarget: compiled once per definition, unknown ones are refused', () => {
  assert.equal(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'staging'));
  assert.notEqual(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'production'));
  const alone = connector({});
  assert.throws(
    () => compiledTarget(alone, 'staging'),
    (error) => error instanceof RuntimeError && error.code === 'invalid' && /has no staging/.test(error.message),
  );
});

const OPEN = connector({});
const refused = (headers: Record<string, string>) => messagesOf(() => requestOf(OPEN, { headers }));

test('callerHeaders: headers of data and options are sent as written', () => {
  const request = requestOf(OPEN, {
    data: { headers: { 'X-Page': 2, 'X-All': true } },
    headers: { Range: 'bytes=0-9' },
  });
  assert.deepEqual(request.headers.slice(2), ['X-Page', '2', 'X-All', 'true', 'Range', 'bytes=0-9']);
  assert.equal(headerOf(requestOf(OPEN, { headers: { Accept: 'text/csv' } }), 'accept'), 'text/csv');
});

test('callerHeaders: connection, authentication and proxy headers are refused', () => {
  const names = [
    ...'Host Content-Length Transfer-Encoding Connection Keep-Alive Upgrade Expect TE Trailer'.split(' '),
    ...'Proxy-Authorization Proxy-Connection proxy-anything Via HTTP2-Settings Sec-WebSocket-Key'.split(' '),
    ...'Authorization Cookie Cookie2 Content-Type Content-Encoding Accept-Encoding'.split(' '),
    ...'X-Forwarded-For X-Forwarded-Host X-Forwarded Forwarded X-Real-IP True-Client-IP X-Original-Host'.split(' '),
    ...'X-HTTP-Method-Override X-HTTP-Method X-Method-Override X-Original-URL X-Rewrite-URL'.split(' '),
  ];
  for (const name of names.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase(), one.replaceAll('-', '_')])) {
    assert.match(refused({ [name]: 'a' })[0] ?? 'it got through', /^options\.headers\..+ and cannot be given$/, name);
  }
});

test('callerHeaders: configured headers are refused', () => {
  const definition = connector(
    {},
    { auth: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' }, headers: { 'X-Team': 'b' } },
  );
  for (const name of ['X-Shop-Key', 'x-shop-key', 'X_SHOP_KEY', 'X-Team', 'x-team', 'X_Team']) {
    const messages = messagesOf(() => requestOf(definition, { headers: { [name]: 'a' } }));
    assert.deepEqual(messages, [`options.headers.${name}: is set by the connector and cannot be given`]);
  }
});

test('callerHeaders: a repeated header is refused in any case', () => {
  const twice = 'is given twice; case does not matter in headers';
  assert.deepEqual(refused({ 'X-A': '1', 'x-a': '1' }), [`options.headers.x-a: ${twice}`]);
  const both = messagesOf(() => requestOf(OPEN, { data: { headers: { 'X-A': 1 } }, headers: { 'x-A': '1' } }));
  assert.deepEqual(both, [`options.headers.x-A: ${twice}`]);
});

test('callerHeaders: names are tokens, values printable text on one line', () => {
  for (const name of ['', 'a b', 'a:', 'a\r\nb', 'é', 'a\0', '(a)', 'a/b', '"a"', 'a'.repeat(201)]) {
    assert.match(refused({ [name]: 'a' })[0] ?? 'it got through', /: is not a header name$/, name);
  }
  for (const value of [
    '',
    ' a',
    'a ',
    '\ta',
    'a\r\nX-B: c',
    'a\nb',
    'a\rb',
    'a\0',
    'a\x7f',
    'é',
    '€',
    'a\u2028b',
    '\ud800',
  ]) {
    const message = 'must be printable ASCII on one line, without blanks at its ends';
    assert.deepEqual(refused({ 'X-A': value }), [`options.headers.X-A: ${message}`], JSON.stringify(value));
  }
  assert.deepEqual(refused({ 'X-A': 'a'.repeat(8_001) }), ['options.headers.X-A: must have at most 8000 characters']);
  const objects = messagesOf(() => requestOf(OPEN, { data: { headers: { 'X-A': {}, 'X-B': ['a', {}] } } }));
  assert.deepEqual(
    objects.map((one) => one.replace(/^data\.headers\.X-[AB]: /, '')),
    ['must not be empty', 'must have no lists and objects within: it is sent as simple'],
  );
});

test('callerHeaders: more than 50 headers are refused', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, 'a']));
  assert.deepEqual(refused(many), ['options.headers: must with those of data be at most 50']);
});

test('callerHeaders: no name or value injects a header line', () => {
  const piece = fc.constantFrom('\r', '\n', '\r\n', ':', ' ', '\0', '\u0130', 'X-A', 'a', 'é', '\u2028', '嘊', '\t');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 5 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, text, (name, value) => {
      messagesOf(() => {
        const { headers } = requestOf(OPEN, { headers: { [name]: value } });
        for (const [index, one] of headers.entries()) {
          assert.match(one, index % 2 === 0 ? /^[!#-'*+.^`|~\w-]+$/ : /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
        }
      });
    }),
    { numRuns: 300 },
  );
});
