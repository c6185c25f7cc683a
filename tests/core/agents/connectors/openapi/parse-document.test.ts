import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from '../../../../../src/core/agents/connectors/openapi/parse-document.ts';
import { refusalOf } from './support.ts';

const read = (text: string) => parseDocument(text, 'api.yaml');
const refusal = (text: string) => refusalOf(() => read(text)).join('; ');

test('parseDocument: JSON and YAML are equal, with or without a byte order mark', () => {
  const expected = { openapi: '3.0.3', paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } } };
  assert.deepEqual(read(JSON.stringify(expected)), expected);
  assert.deepEqual(read(`\uFEFF${JSON.stringify(expected, null, 2)}`), expected);
  const yaml = 'openapi: "3.0.3"\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n';
  assert.deepEqual(read(yaml), expected);
});

test('parseDocument: YAML keeps words as text and resolves anchors and merges', () => {
  assert.deepEqual(read('a: [yes, no, on, 2024-01-01]\nb: &x {c: 1}\nd: *x\ne:\n  <<: *x\n  f: 2\n'), {
    a: ['yes', 'no', 'on', '2024-01-01'],
    b: { c: 1 },
    d: { c: 1 },
    e: { c: 1, f: 2 },
  });
});

test('parseDocument: a repeated member is refused with its line', () => {
  assert.equal(refusal('{"a": 1,\n "b": {"c": 1},\n "a": 2}'), 'api.yaml:3: has "a" twice; keep one');
  assert.equal(refusal('{"a": [{"b": "\\"", "\\u0062": 1}]}'), 'api.yaml:1: has "b" twice; keep one');
  assert.equal(refusal('a:\n  b: 1\n  c: 2\n  b: 3\n'), 'api.yaml:4: has "b" twice; keep one');
  assert.equal(refusal('responses:\n  200: a\n  "200": b\n'), 'api.yaml:3: has "200" twice; keep one');
  assert.deepEqual(read('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}], "c": "a"}'), {
    a: { a: 1 },
    b: [{ a: 1 }, { a: 2 }],
    c: 'a',
  });
});

test('parseDocument: a syntax error is refused with its line', () => {
  for (const text of ['{"a": 1,\n "b" 2}', 'a: b\n c: d\n', 'a: "open\n', '\ta: 1']) {
    assert.match(refusal(text), /^api\.yaml:[12]: \S/, text);
  }
  assert.match(refusal('a: *nowhere\n'), /^api\.yaml: Unresolved alias .*nowhere/);
});

test('parseDocument: a tag that includes a file is refused', () => {
  assert.match(refusal('a: 1\nb: !include other.yaml\n'), /^api\.yaml:2: Unresolved tag: !include/);
});

test('parseDocument: aliases that expand to billions of values are refused', () => {
  const laughs = ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (const [one, other] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
    laughs.push(`${other}: &${other} [${Array(9).fill(`*${one}`).join(', ')}]`);
  }
  assert.equal(
    refusal(laughs.join('\n')),
    'api.yaml: has aliases that stand for too much; write out what they stand for',
  );
});

test('parseDocument: deep nesting and large files are refused', () => {
  assert.match(refusal(`a: ${'['.repeat(50_000)}`), /^api\.yaml: is nested too deep to be read$/);
  assert.equal(refusal(`{"a": "${'x'.repeat(33 * 1024 * 1024)}"}`), 'api.yaml: must have at most 32 MB');
  assert.equal(
    refusal(`a: ${'x'.repeat(17 * 1024 * 1024)}`),
    'api.yaml: must have at most 16 MB as YAML; make it JSON',
  );
});

test('parseDocument: any JSON equals JSON.parse', () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: false }), fc.nat(4), (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(read(text), JSON.parse(text));
    }),
  );
});
