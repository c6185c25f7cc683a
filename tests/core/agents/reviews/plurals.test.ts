import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { singularsOf } from '../../../../src/core/agents/reviews/plurals.ts';
import { commentTerms, searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import { UPDATES_GOLDEN } from '../../../support/golden.ts';
import { ourMatches } from './portuguese-matches.ts';
import {
  CONFUSED,
  FALSE_FRIENDS,
  MISSED_PLURALS,
  MORE_PLURALS,
  OTHER_FORMS,
  type Pair,
  PLURALS,
} from './portuguese-pairs.ts';

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
const bothWays = ([one, other]: Pair): Pair[] => [
  [one, other],
  [other, one],
];

function finds([search, comment]: Pair): boolean {
  return ourMatches([comment], [search])[0]!.length === 1;
}

function directed(pairs: readonly Pair[]): Pair[] {
  return pairs.flatMap(bothWays);
}

test('searchTerms: singular and plural find one another, with and without accents', () => {
  const pairs = directed([...PLURALS, ...MORE_PLURALS]);
  const plain = pairs.map(([search, comment]): Pair => [withoutAccents(search), withoutAccents(comment)]);
  const mixed = pairs.map(([search, comment]): Pair => [withoutAccents(search), comment]);
  assert.deepEqual(
    [...pairs, ...plain, ...mixed].filter((pair) => !finds(pair)),
    [],
  );
});

test('searchTerms: false friends do not find one another, but for those that are known', () => {
  assert.deepEqual(directed(FALSE_FRIENDS).filter(finds), []);
  assert.deepEqual(
    directed([...CONFUSED.values()].flat()).filter((pair) => !finds(pair)),
    [],
  );
});

test('searchTerms: pairs of words equal the golden file (UPDATE_GOLDEN=1)', () => {
  assert.equal([...PLURALS, ...OTHER_FORMS].length, 58);
  const sections: [title: string, pairs: readonly Pair[]][] = [
    ['Singular and plural, and other forms: 58 pairs', [...PLURALS, ...OTHER_FORMS]],
    ['More plurals', MORE_PLURALS],
    ['Plurals that are missed', MISSED_PLURALS],
    ['False friends', FALSE_FRIENDS],
    ...[...CONFUSED].map(([reason, pairs]): [string, Pair[]] => [`False friends that are found: ${reason}`, pairs]),
  ];
  const lines = sections.map(([title, pairs]) =>
    [
      `${title}`,
      ...directed(pairs).map((pair) => `  ${pair.join(' -> ')}: ${finds(pair) ? 'found' : 'not found'}`),
    ].join('\n'),
  );
  const text = `${lines.join('\n\n')}\n`;
  const file = join(import.meta.dirname, 'golden/portuguese-pairs.txt');
  if (UPDATES_GOLDEN) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
});

/** Of singular and plural, by the regular classes. */
const ENDINGS = [
  ...['a', 'e', 'i', 'o', 'u', 'é', 'ê', 'ã'].map((vowel): Pair => [vowel, `${vowel}s`]),
  ...pairsOf('ão/ões ão/ães ão/ãos ção/ções são/sões ém/éns em/ens im/ins om/ons um/uns'),
  ...pairsOf('or/ores ar/ares er/eres az/azes iz/izes oz/ozes ês/eses'),
  ...pairsOf('al/ais el/éis ável/áveis ível/íveis ol/óis ul/uis il/is il/eis'),
];

function pairsOf(text: string): Pair[] {
  return text.split(' ').map((pair) => pair.split('/') as Pair);
}

const syllable = fc
  .tuple(fc.constantFrom(...'bcdfglmnprtvz', 'ch', 'lh', 'nh', 'pr', 'tr'), fc.constantFrom(...'aeiouáéíóúâêô'))
  .map((letters) => letters.join(''));
const beginning = fc
  .tuple(fc.array(syllable, { minLength: 1, maxLength: 3 }), fc.constantFrom(...'bcdfglmnprtv'))
  .map(([syllables, consonant]) => `${syllables.join('')}${consonant}`);
const noun = fc
  .tuple(beginning, fc.constantFrom(...ENDINGS))
  .map(([start, [singular, plural]]): Pair => [`${start}${singular}`, `${start}${plural}`]);

test('searchTerms: every regular plural and its singular find one another', () => {
  const property = fc.property(noun, fc.boolean(), fc.boolean(), (pair, isPlain, isCapital) => {
    for (const [search, comment] of bothWays(pair)) {
      const written = isPlain ? withoutAccents(comment) : comment;
      assert.ok(finds([isCapital ? search.toUpperCase() : search, `o ${written}, sim`]), `${search}: ${comment}`);
    }
  });
  fc.assert(property, { seed: 20_261_123, numRuns: 3_000 });
});

test('searchTerms: a word is searched by the terms that it is indexed with', () => {
  const word = fc.oneof(
    noun.map(([singular]) => singular),
    noun.map(([, plural]) => plural),
  );
  fc.assert(fc.property(word, (any) => assert.deepEqual(searchTerms(any), [commentTerms(any)])));
});

test('singularsOf: any text gives plain words, and what is no plural gives none', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.string({ unit: 'grapheme', maxLength: 50 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((any) => `${any}s`),
      ),
      (any) => {
        for (const singular of singularsOf(any)) assert.match(singular, /^[a-z]{2,}$/);
      },
    ),
  );
  const singular = noun.map(([one]) => one).filter((one) => !one.endsWith('s'));
  fc.assert(fc.property(singular, (one) => assert.deepEqual(singularsOf(one), [])));
  for (const word of ['', 's', 'as', 'ns', 'país', 'dois', '123s']) {
    assert.deepEqual(singularsOf(word), [], word);
  }
});

test('singularsOf: a singular gives nothing more, except a word in s', () => {
  const property = fc.property(noun, ([, plural]) => {
    const singulars = singularsOf(plural).filter((singular) => !singular.endsWith('s'));
    assert.deepEqual(singulars.flatMap(singularsOf), []);
  });
  fc.assert(property);
});
