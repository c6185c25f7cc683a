import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { HASH_DIMENSIONS, hashEmbedding } from '../../../src/core/knowledge/hash-embedding.ts';

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
