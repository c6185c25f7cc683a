import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { HASH_DIMENSIONS, hashEmbedding } from '../../../src/core/knowledge/hash-embedding.ts';
import { SpellingIndex } from '../../../src/core/knowledge/spelling.ts';
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

const indexOf = (words: Record<string, number>) =>
  new SpellingIndex(Object.entries(words).map(([word, chunks]) => ({ word, chunks })));

test('SpellingIndex: a missing, extra, replaced or transposed letter is corrected', () => {
  const index = indexOf({ warranty: 1, pump: 1, invoice: 1 });
  for (const word of ['waranty', 'warrantyy', 'warrenty', 'warratny', 'arranty', 'warrant']) {
    assert.deepEqual(index.repairs(word), ['warranty'], word);
  }
  for (const word of ['pumpp', 'pupm', 'pumb']) assert.deepEqual(index.repairs(word), ['pump'], word);
});

test('SpellingIndex: short words allow one edit, longer ones two', () => {
  const index = indexOf({ pump: 1, invoice: 1 });
  assert.deepEqual(index.repairs('bumb'), []);
  assert.deepEqual(index.repairs('imvoise'), ['invoice']);
  assert.deepEqual(index.repairs('imvoyse'), []);
});

test('SpellingIndex: short words, words with digits and known words are not corrected', () => {
  const index = indexOf({ cat: 5, pump: 1, a4b5c6: 1 });
  assert.deepEqual([index.repairs('cta'), index.repairs('a4b5c7'), index.repairs('pump')], [[], [], []]);
  assert.deepEqual(new SpellingIndex([]).repairs('anything'), []);
});

test('SpellingIndex: the nearest first, then the most frequent, at most two', () => {
  const index = indexOf({ house: 1, mouse: 9, horse: 3, hoses: 99 });
  assert.deepEqual(index.repairs('hoose'), ['horse', 'house']);
  assert.deepEqual(indexOf({ grape: 2, graph: 7, grade: 5 }).repairs('grapd'), ['graph', 'grape']);
});

const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 5, maxLength: 9 });

test('SpellingIndex: a dropped letter is corrected among hundreds of words', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), fc.nat(), fc.nat(), (words, which, at) => {
      const index = new SpellingIndex(words.map((one) => ({ word: one, chunks: 1 })));
      const meant = words[which % words.length]!;
      const place = at % meant.length;
      const misspelt = meant.slice(0, place) + meant.slice(place + 1);
      const found = index.repairs(misspelt);
      assert.deepEqual(index.repairs(misspelt), found);
      assert.ok(found.length >= 1 || words.includes(misspelt), `${misspelt} for ${meant}`);
      for (const one of found) assert.ok(words.includes(one) && one !== misspelt);
    }),
    { numRuns: 60 },
  );
});

function vectorOf(text: string, dimensions = HASH_DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions);
  hashEmbedding(text, vector);
  return vector;
}

/** The cosine, since both are of length 1. */
function nearness(one: string, other: string): number {
  const [a, b] = [vectorOf(one), vectorOf(other)];
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

test('hashEmbedding(): vectors have length 1 for any text and any dimensions', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 1, max: 2_000 }),
      (text, dimensions) => {
        const vector = vectorOf(text, dimensions);
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5, JSON.stringify(text));
      },
    ),
  );
});

test('hashEmbedding(): a vector does not depend on earlier calls or buffer contents', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, before) => {
      const fresh = vectorOf(text);
      const used = vectorOf(before);
      hashEmbedding(text, used);
      assert.deepEqual(used, fresh);
    }),
  );
});

test('hashEmbedding(): vectors are bit-identical on every machine', () => {
  const texts = ['The quick brown fox', 'São Paulo, 2024: não há cão', '東京タワー', 'один два два', ''];
  const hash = createHash('sha256');
  for (const text of texts) hash.update(new Uint8Array(vectorOf(text, 512).buffer));
  assert.equal(hash.digest('hex'), 'c070efd8e2d83351bda02aef8befae58cefb6e370244c8bda593f477d3caaa7f');
});

test('hashEmbedding(): case, accents and punctuation do not matter', () => {
  const plain = vectorOf('sao paulo e nao');
  for (const text of [
    'São Paulo é não',
    'SAO PAULO E NAO',
    '  sao, (paulo)\n— e: nao!',
    'Sa\u0303o Paulo e\u0301 na\u0303o',
  ]) {
    assert.deepEqual(vectorOf(text), plain, text);
  }
});

/** Unicode's rules for a whole text, which the lookup by character must match. */
function foldedWhole(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ');
}

test('hashEmbedding(): folding a text as a whole gives the same spelling', () => {
  const unit = fc.oneof(
    fc.nat(0x2fff).map((code) => String.fromCharCode(code)),
    fc.constantFrom('a', 'Σ', 'Ϲ', ' ', 'ﬁ', '東', '한', '𝔸', '\u0301'),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      assert.deepEqual(vectorOf(text, 64), vectorOf(foldedWhole(text), 64), JSON.stringify(text));
    }),
    { numRuns: 2_000 },
  );
});

test('hashEmbedding(): texts are near when they share words or parts of words', () => {
  const query = 'reset the password of a customer';
  const same = nearness(query, 'How a customer can reset the password');
  const misspelt = nearness(query, 'rest teh pasword of a custommer');
  const other = nearness(query, 'invoices are sent each month by mail');
  assert.ok(same > misspelt && misspelt > other, `${same} ${misspelt} ${other}`);
  assert.ok(misspelt > 0.3 && other < 0.15, `${misspelt} ${other}`);
});

test('hashEmbedding(): word order counts, as pairs of neighbours', () => {
  assert.notDeepEqual(vectorOf('dog bites man'), vectorOf('man bites dog'));
  assert.ok(nearness('dog bites man', 'man bites dog') > 0.5);
});

test('hashEmbedding(): synonyms are as far apart as unrelated words', () => {
  assert.ok(Math.abs(nearness('automobile', 'car')) < 0.2);
});

test('hashEmbedding(): scripts without spaces are compared by characters', () => {
  assert.ok(nearness('東京タワーの高さ', '東京タワー') > 0.5);
  assert.ok(nearness('東京タワーの高さ', '大阪城公園') < 0.2);
});

test('hashEmbedding(): repetitions count, but less than proportionally', () => {
  const once = nearness('apple banana', 'banana');
  const often = nearness('apple banana banana banana banana', 'banana');
  assert.ok(often > once && often < 0.99, `${once} ${often}`);
});

test('hashEmbedding(): all texts without words have the same direction', () => {
  assert.deepEqual(vectorOf(' — !'), vectorOf(''));
});

test('hashEmbedding(): text beyond the maximum length is ignored and leaves no state', () => {
  const before = vectorOf('short');
  const long = 'word '.repeat(1_000_000);
  assert.deepEqual(vectorOf(long), vectorOf(long.slice(0, 65_536)));
  assert.deepEqual(vectorOf('short'), before);
});

test('hashEmbedding(): unrelated texts are nearly orthogonal', () => {
  const words = Array.from({ length: 200 }, (_, index) => createHash('md5').update(String(index)).digest('hex'));
  const others = words.slice(1).map((word) => Math.abs(nearness(words[0]!, word)));
  assert.ok(others.reduce((sum, value) => sum + value) / others.length < 0.1);
});
