import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dataOf,
  parseExactly,
  TooDeep,
  UnreadableAnswer,
} from '../../../../../src/core/agents/connectors/call/answer-data.ts';

function read(contentType: string | undefined, body: string | Buffer): unknown {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return dataOf({ headers, body: Buffer.from(body as string) });
}

test('dataOf: JSON of any JSON media type is parsed', () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    'application/vnd.api+json',
  ]) {
    assert.deepEqual(read(type, '{"a":[1,null,"é"]}'), { a: [1, null, 'é'] }, type);
  }
});

test('dataOf: JSON is read in any charset, with any byte order mark', () => {
  const json = '{"a":"é"}';
  const bytes = (...marks: number[]) => Buffer.concat([Buffer.from(marks), Buffer.from(json)]);
  const utf16 = Buffer.from(`\ufeff${json}`, 'utf16le');
  for (const [type, body] of [
    ['text/json', json],
    ['TEXT/X-JSON;charset=UTF-8', json],
    ['image/any+json', json],
    ['application/json, application/json', json],
    ['application/json; charset=none-such', json],
    ['application/json', bytes(0xef, 0xbb, 0xbf)],
    ['application/json; charset=iso-8859-1', bytes(0xef, 0xbb, 0xbf)],
    ['application/json; charset=iso-8859-1', Buffer.from(json, 'latin1')],
    ['application/problem+json; charset=ISO-8859-1', json],
    [`application/json; odata=verbose; charset='Windows-1252'`, Buffer.from(json, 'latin1')],
    ['application/hal+json; charset="ISO-8859-1"', Buffer.from(json, 'latin1')],
    ['application/json; charset=utf-16', utf16],
    ['application/json; charset=utf-16', Buffer.from(utf16).swap16()],
    ['application/json; charset=utf-16le', utf16.subarray(2)],
  ] as const) {
    assert.deepEqual(read(type, body as Buffer), { a: 'é' }, type);
  }
  assert.throws(() => read('text/json; charset=none-such', Buffer.from(json, 'latin1')), /not valid none-such/);
});

test('dataOf: numbers keep every digit', () => {
  const text =
    '{"id":12345678901234567890,"small":0.12345678901234567891,"large":1e400,"usual":1.5,"whole":9007199254740991}';
  assert.equal(
    JSON.stringify(read('application/json', text)),
    '{"id":12345678901234567890,"small":0.12345678901234567891,"large":1e400,"usual":1.5,"whole":9007199254740991}',
  );
});

test('dataOf: every JSON value survives a round trip', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(read('application/json', text)), text);
    }),
  );
});

test('dataOf: invalid JSON is unreadable', () => {
  for (const body of ['{"a":', '<html>', Buffer.from([0x22, 0xff, 0x22])]) {
    assert.throws(() => read('application/json', body), UnreadableAnswer);
  }
});

test('dataOf: empty is null, text is decoded, other bytes are base64', () => {
  assert.equal(read('application/json', ''), null);
  assert.equal(read('text/plain', 'hé'), 'hé');
  assert.equal(read('text/plain; charset=iso-8859-1', Buffer.from([0x68, 0xe9])), 'hé');
  assert.equal(read('application/xml', '<a/>'), '<a/>');
  assert.equal(read(undefined, 'plain'), 'plain');
  for (const type of ['application/jsonl', 'application/x-ndjson']) assert.equal(read(type, '1\n2'), '1\n2');
  assert.deepEqual(read('image/png', Buffer.from([1, 2])), { contentType: 'image/png', base64: 'AQI=' });
  assert.deepEqual(read('text/plain; charset=none-such', Buffer.from('a')), {
    contentType: 'text/plain; charset=none-such',
    base64: 'YQ==',
  });
  assert.deepEqual(read('text/plain', Buffer.from([0xff])), { contentType: 'text/plain', base64: '/w==' });
});

test('parseExactly: numbers keep every digit, text stays text', () => {
  for (const text of [
    '12345678901234567890',
    '[1,-12345678901234567890,2,1e400]',
    '{"__proto__":12345678901234567890,"a":{"12345678901234567890":"12345678901234567890"}}',
    '["\\"12345678901234567890\\\\",0.12345678901234567891]',
  ]) {
    assert.equal(JSON.stringify(parseExactly(text)), text);
  }
});

test('parseExactly: invalid JSON throws, also around a long number', () => {
  for (const text of [
    '{12345678901234567890:1}',
    '[0012345678901234567890]',
    '[12345678901234567890x]',
    '[+12345678901234567890]',
    '"12345678901234567890',
    '12345678901234567890 1',
  ]) {
    assert.throws(() => parseExactly(text), SyntaxError, text);
  }
});

test('parseExactly: any JSON with long numbers survives a round trip', () => {
  const digits = fc.stringMatching(/^[1-9]\d{16,30}$/);
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), digits, (values, number) => {
      const text = `[${values.map((one) => `${JSON.stringify(one)},${number}`).join(',')}${values.length > 0 ? ',' : ''}${number}]`;
      assert.equal(JSON.stringify(parseExactly(text)), text);
    }),
  );
});

test('parseExactly: values without long numbers cost what JSON.parse does', (t) => {
  const parse = t.mock.method(JSON, 'parse');
  parseExactly(`[12345678901234567890${',1'.repeat(1_000)}]`);
  assert.ok(parse.mock.calls.every(({ arguments: given }) => given.length === 1));
});

test('parseExactly: accepts 500 levels and no more', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(parseExactly(nested(500)));
  assert.throws(() => parseExactly(nested(501)), TooDeep);
});
