import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { withoutMarkup } from './markup.ts';

const MAX_TERM_CHARACTERS = 100;

/**
 * A word, and whether it is followed by what makes it a protocol. Numbers at the beginning of a word are words of their
 * own, as PostgreSQL has it in `12.5kg` and `2-3dias`: so `5kg` is found by `5 kg`, and `2ª via` by `2 via`.
 */
const WORDS = /([\p{L}\p{Nl}][\p{L}\p{Nl}\p{M}\p{Nd}]*|\p{Nd}[\p{M}\p{Nd}]*)(:\/\/)?/gu;

/**
 * Endings that the stemmer only knows with their accents, and how they are written. Where an accent is lost,
 * `informacao` would otherwise not be found by `informações`, nor `urgencia` by `urgente`.
 */
const ENDINGS: readonly [withoutAccent: RegExp, withAccent: string][] = [
  [/([au])cao$/, '$1ção'],
  [/([au])coes$/, '$1ções'],
  [/ave(l|is)$/, 'áve$1'],
  [/ivel$/, 'ível'],
  [/encia(s?)$/, 'ência$1'],
  [/([aei])rao$/, '$1rão'],
  [/avamos$/, 'ávamos'],
  [/iamos$/, 'íamos'],
  [/assemos$/, 'ássemos'],
  [/essemos$/, 'êssemos'],
  [/issemos$/, 'íssemos'],
];

const STOP_WORDS = new Set(stopwords);
const FOLDED_STOP_WORDS = new Set(stopwords.map(fold));

/** The distinct terms under which a comment is indexed: lower case letters, digits and marks, at most 100 of them. */
export function commentTerms(text: string): string[] {
  return [...new Set(wordsOf(text).flatMap(({ word }) => termsOf(word)))];
}

/**
 * What a search demands of a comment's terms: one of every inner list, each of which is a word of the search. Finds at
 * least what PostgreSQL's `plainto_tsquery('portuguese', search)` finds, and also without accents. Empty when nothing
 * in the search could be searched for: then nothing is found.
 */
export function searchTerms(search: string): string[][] {
  const words = wordsOf(withoutMarkup(search))
    .filter(({ word, protocol }) => !(protocol && /^[a-z]+$/.test(word)))
    .map(({ word }) => word);
  const demanded = new Map(meaningful(words).map((word) => [word, termsOf(word)]));
  return [...demanded.values()];
}

function wordsOf(text: string): { word: string; protocol: boolean }[] {
  const matches = text.normalize('NFC').toLowerCase().matchAll(WORDS);
  return Array.from(matches, ([, word, slashes]) => ({ word: word!, protocol: slashes !== undefined }));
}

/**
 * The words without stop words, in the spelling with or without accents. A search of nothing else is for what
 * PostgreSQL would search for ("não é" for "é", which is none of its stop words), or else for the stop words.
 */
function meaningful(words: string[]): string[] {
  const kept = [
    words.filter((word) => !FOLDED_STOP_WORDS.has(fold(word))),
    words.filter((word) => !STOP_WORDS.has(word)),
    words,
  ];
  return kept.find((some) => some.length > 0) ?? [];
}

/**
 * A word's stem, which words with the same stem in PostgreSQL share, and the stem of its spelling without accents,
 * which every spelling that lost some shares. Stop words, which PostgreSQL does not index, need only the latter: `não`
 * is not to find `na`.
 */
function termsOf(word: string): string[] {
  const bare = accented(fold(word));
  const spellings = STOP_WORDS.has(word) ? [bare] : [...new Set([word, bare])];
  return [...new Set(spellings.map(stemOf))].filter((term) => term !== '');
}

function stemOf(word: string): string {
  return firstCharacters(fold(word.length > MAX_TERM_CHARACTERS ? word : stemmer(word)));
}

function accented(folded: string): string {
  for (const [withoutAccent, withAccent] of ENDINGS) {
    if (withoutAccent.test(folded)) return folded.replace(withoutAccent, withAccent);
  }
  return folded;
}

/** Without accents; `ª` is an `a`, and ligatures and letters of other widths are the plain ones. */
function fold(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function firstCharacters(word: string): string {
  return word.length > MAX_TERM_CHARACTERS ? [...word].slice(0, MAX_TERM_CHARACTERS).join('') : word;
}
