import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchable, termsOf } from '../../../src/core/knowledge/terms.ts';

const wordsOf = (query: string) => termsOf(query).map(({ word, isPrefix }) => (isPrefix ? `${word}*` : word));

test('termsOf(): distinct words in query order, without case and accents', () => {
  assert.deepEqual(wordsOf('Ação, do botão: AÇÃO do'), ['acao', 'do', 'botao']);
  assert.deepEqual(wordsOf('e-mail a.b@c.de 3,5'), ['e', 'mail', 'a', 'b', 'c', 'de', '3', '5']);
  assert.deepEqual(wordsOf('ΆΒΓ Ёлка İstanbul ﬁne'), ['αβγ', 'елка', 'istanbul', 'fine']);
});

test('termsOf(): unspaced scripts become character pairs; one character is a prefix', () => {
  assert.deepEqual(wordsOf('東京都'), ['東京', '京都']);
  assert.deepEqual(wordsOf('家'), ['家*']);
  assert.deepEqual(wordsOf('iPhoneを買う'), ['iphone', 'を買', '買う']);
  assert.equal(searchable('東京都').trim(), '東京 京都 都');
  assert.equal(searchable('家').trim(), '家');
});

test('searchable(): plain text is unchanged, and marks alone are not words', () => {
  const text = 'Refunds: 30 days (or more)!';
  assert.equal(searchable(text), text);
  assert.deepEqual([wordsOf('?!… — “”'), wordsOf(''), wordsOf('🌍')], [[], [], []]);
});

test('searchable(): combining marks other than accents stay in their words', () => {
  assert.deepEqual(wordsOf('हिन्दी'), ['हिन्दी']);
  assert.deepEqual(wordsOf('שלום'), ['שלום']);
});

/** Splits a text as the index does. */
const indexed = (text: string) =>
  new Set(
    searchable(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [],
  );
const unit = fc.constantFrom(...'aÉñ ß1-,東京のアー家한국ไทยЖё\u0301😀');

test('searchable(): every word of a text is found in its index', () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const words = indexed(text);
      for (const { word, isPrefix } of termsOf(text)) {
        assert.ok(
          words.has(word) || (isPrefix && [...words].some((one) => one.startsWith(word))),
          `${word} of ${text}`,
        );
      }
    }),
  );
});

test('searchable(): the fast path for European texts indexes the same words', () => {
  const latin = fc.nat(0x24f).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: latin, maxLength: 40 }), (text) => {
      // An unspaced letter forces the general path.
      const split = searchable(`${text} 東`)
        .split(' ')
        .filter((word) => word !== '' && word !== '東');
      assert.deepEqual(indexed(text), new Set(split), JSON.stringify(text));
    }),
    { numRuns: 1_000 },
  );
});

test('searchable(): any part of an unspaced text is found in its index', () => {
  const script = fc.constantFrom(...'東京都の天気は晴れサーバー');
  fc.assert(
    fc.property(fc.string({ unit: script, minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (text, from, length) => {
      const start = from % text.length;
      const part = text.slice(start, start + 1 + (length % 6));
      const words = [...indexed(text)];
      for (const { word, isPrefix } of termsOf(part)) {
        assert.ok(
          words.some((one) => (isPrefix ? one.startsWith(word) : one === word)),
          `${word} of ${text}`,
        );
      }
    }),
  );
});
