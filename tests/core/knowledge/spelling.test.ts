import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SpellingIndex } from '../../../src/core/knowledge/spelling.ts';

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
