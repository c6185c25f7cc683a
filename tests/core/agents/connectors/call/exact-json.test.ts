import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExactly, TooDeep } from '../../../../../src/core/agents/connectors/call/exact-json.ts';

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
