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

test('vectors have a length of 1, of whatever text, in whatever dimensions', () => {
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

test('a vector is the same whatever was written before, in its memory or by others', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, before) => {
      const fresh = vectorOf(text);
      const used = vectorOf(before);
      hashEmbedding(text, used);
      assert.deepEqual(used, fresh);
    }),
  );
});

test('a vector is the same on every machine, bit for bit: stores depend on it', () => {
  const texts = ['The quick brown fox', 'São Paulo, 2024: não há cão', '東京タワー', 'один два два', ''];
  const hash = createHash('sha256');
  for (const text of texts) hash.update(new Uint8Array(vectorOf(text, 512).buffer));
  assert.equal(hash.digest('hex'), 'c070efd8e2d83351bda02aef8befae58cefb6e370244c8bda593f477d3caaa7f');
});

test('neither case nor accents nor what stands between words matters', () => {
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

/** By the rules of Unicode for the whole text, which what is looked up character by character has to follow. */
function foldedWhole(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ');
}

test('a text is spelled as it is when it is folded whole', () => {
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

test('texts are near as they share words, and parts of words', () => {
  const query = 'reset the password of a customer';
  const same = nearness(query, 'How a customer can reset the password');
  const misspelt = nearness(query, 'rest teh pasword of a custommer');
  const other = nearness(query, 'invoices are sent each month by mail');
  assert.ok(same > misspelt && misspelt > other, `${same} ${misspelt} ${other}`);
  assert.ok(misspelt > 0.3 && other < 0.15, `${misspelt} ${other}`);
});

test('the order of words counts, as pairs', () => {
  assert.notDeepEqual(vectorOf('dog bites man'), vectorOf('man bites dog'));
  assert.ok(nearness('dog bites man', 'man bites dog') > 0.5);
});

test('it knows no meaning: other words for the same are as far as any', () => {
  assert.ok(Math.abs(nearness('automobile', 'car')) < 0.2);
});

test('scripts without spaces are compared by their characters', () => {
  assert.ok(nearness('東京タワーの高さ', '東京タワー') > 0.5);
  assert.ok(nearness('東京タワーの高さ', '大阪城公園') < 0.2);
});

test('what comes often counts more, but not as often as it comes', () => {
  const once = nearness('apple banana', 'banana');
  const often = nearness('apple banana banana banana banana', 'banana');
  assert.ok(often > once && often < 0.99, `${once} ${often}`);
});

test('texts without words have one direction', () => {
  assert.deepEqual(vectorOf(' — !'), vectorOf(''));
});

test('a text without end is read to where chunks never come, and leaves nothing behind', () => {
  const before = vectorOf('short');
  const long = 'word '.repeat(1_000_000);
  assert.deepEqual(vectorOf(long), vectorOf(long.slice(0, 65_536)));
  assert.deepEqual(vectorOf('short'), before);
});

test('unrelated texts are as good as at right angles', () => {
  const words = Array.from({ length: 200 }, (_, index) => createHash('md5').update(String(index)).digest('hex'));
  const others = words.slice(1).map((word) => Math.abs(nearness(words[0]!, word)));
  assert.ok(others.reduce((sum, value) => sum + value) / others.length < 0.1);
});
