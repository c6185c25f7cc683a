import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connector, headerOf, messagesOf, requestOf } from '../support.ts';

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
    ...[
      'Host',
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      'Keep-Alive',
      'Upgrade',
      'Expect',
      'TE',
      'Trailer',
    ],
    ...['Proxy-Authorization', 'Proxy-Connection', 'proxy-anything', 'Via', 'HTTP2-Settings', 'Sec-WebSocket-Key'],
    ...['Authorization', 'Cookie', 'Cookie2', 'Content-Type', 'Content-Encoding', 'Accept-Encoding'],
    ...[
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded',
      'Forwarded',
      'X-Real-IP',
      'True-Client-IP',
      'X-Original-Host',
    ],
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL'],
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
