import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SpellingIndex } from '../../../src/core/knowledge/spelling.ts';

const vocabulary = (words: Record<string, number>) =>
  new SpellingIndex(Object.entries(words).map(([word, chunks]) => ({ word, chunks })));

describe('spelling', () => {
  it('finds the word that a letter too few, too many, wrong or swapped was meant for', () => {
    const index = vocabulary({ delivery: 9, invoice: 9, account: 9 });
    for (const typed of ['delivry', 'delliivery', 'deluvery', 'delviery']) {
      assert.deepEqual(index.repairs(typed), ['delivery'], typed);
    }
  });

  it('takes the nearest words alone, however rare they are', () => {
    const index = vocabulary({ machine: 1, machined: 500 });
    assert.deepEqual(index.repairs('machien'), ['machine']);
  });

  it('gives the two most frequent of words that are equally near', () => {
    const index = vocabulary({ boards: 1, boarde: 3, boardy: 2 });
    assert.deepEqual(index.repairs('boardx'), ['boarde', 'boardy']);
  });

  it('leaves alone what is right, short, far from everything, or a number', () => {
    const index = vocabulary({ invoice: 9, cat: 9, a1b2c3: 9 });
    for (const typed of ['invoice', 'czt', 'zebra', 'a1b2c4']) assert.deepEqual(index.repairs(typed), [], typed);
  });

  it('allows one edit alone in words below six letters', () => {
    const index = vocabulary({ board: 9 });
    assert.deepEqual(index.repairs('bord'), ['board']);
    assert.deepEqual(index.repairs('bodr'), []);
  });

  it('finds a word with one letter dropped among any others, and gives words of the vocabulary alone', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 5, maxLength: 9 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), fc.nat(), fc.nat(), (words, which, at) => {
        const index = vocabulary(Object.fromEntries(words.map((one) => [one, 1])));
        const meant = words[which % words.length]!;
        const place = at % meant.length;
        const typed = meant.slice(0, place) + meant.slice(place + 1);
        const found = index.repairs(typed);
        assert.ok(found.length >= 1 || words.includes(typed), `${typed} for ${meant}`);
        for (const one of found) assert.ok(words.includes(one) && one !== typed);
      }),
      { numRuns: 60 },
    );
  });
});
