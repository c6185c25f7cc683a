import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { LRUCache } from 'lru-cache';
import { withoutMarkup } from './markup.ts';

const MAX_TERM_CHARACTERS = 100;

/**
 * A word, and whether it heads an address (`https://`). Numbers at the beginning of a word are words of their own, as
 * they are for PostgreSQL in `12.5kg` and `2-3dias`: so `5kg` finds `5 kg`, and `dias` finds `3dias`.
 */
const WORD = /(?<word>[\p{L}\p{Nl}][\p{L}\p{Nl}\p{M}\p{Nd}]*|\p{Nd}[\p{Nd}\p{M}]*)(?<slashes>:\/\/)?/gu;

/**
 * Endings that the stemmer knows only with their accents. Where a word lost them they are given back, or `informacao`
 * would not find `informações`, nor `importancia` what is `importante`.
 */
const ENDINGS = new Map(
  'ação ações ução uções ável áveis ível ância ência ências arão erão irão ávamos íamos ássemos êssemos íssemos'
    .split(' ')
    .map((ending) => [fold(ending), ending]),
);
const ENDING = new RegExp(`(?:${[...ENDINGS.keys()].join('|')})$`);

const STOP_WORDS = new Set(stopwords);
const FOLDED_STOP_WORDS = new Set(stopwords.map(fold));

/**
 * The distinct terms under which a comment is indexed. A term is up to 100 letters, digits and marks in lower case, and
 * of ASCII only letters and digits: one token wherever what is not alphanumeric separates.
 */
export function commentTerms(text: string): string[] {
  const words = new Set(wordsOf(text).map(({ word }) => word));
  return [...new Set([...words].flatMap(termsOf))];
}

/**
 * What a search demands: each inner list is a word, and one of its terms must be among a comment's. Finds at least what
 * PostgreSQL's `plainto_tsquery('portuguese', search)` finds, and also without accents on either side. Empty when the
 * search holds nothing that could be searched for: then nothing is found. Any text is only text, never query syntax.
 */
export function searchTerms(search: string): string[][] {
  const words = wordsOf(withoutMarkup(search))
    .filter(({ word, headsAddress }) => !(headsAddress && /^[a-z]+$/.test(word)))
    .map(({ word }) => word);
  const demanded = meaningful([...new Set(words)]).map(termsOf);
  return [...new Map(demanded.map((terms) => [terms.join(' '), terms])).values()];
}

function wordsOf(text: string): { word: string; headsAddress: boolean }[] {
  const matches = text.normalize('NFC').toLowerCase().matchAll(WORD);
  return Array.from(matches, ({ groups }) => ({ word: groups!.word!, headsAddress: groups!.slashes !== undefined }));
}

/**
 * The words that are no stop words, with or without accents. Where there are none: those that PostgreSQL would search
 * for (`não é` is a search for `é`, which its list lacks), or else the stop words themselves.
 */
function meaningful(words: string[]): string[] {
  const choices = [
    words.filter((word) => !FOLDED_STOP_WORDS.has(fold(word))),
    words.filter((word) => !STOP_WORDS.has(word)),
    words,
  ];
  return choices.find((choice) => choice.length > 0) ?? [];
}

/** Module state. Reviews mostly use the same words again. */
const termCache = new LRUCache<string, string[]>({ max: 5_000, memoMethod: newTermsOf });

function termsOf(word: string): string[] {
  return word.length <= MAX_TERM_CHARACTERS ? termCache.memo(word) : newTermsOf(word);
}

/**
 * The stem of the word, which it shares with every word that has the same stem in PostgreSQL, and the stem of its
 * spelling without accents, which it shares with every spelling that lost some. A stop word, which PostgreSQL does not
 * index, has only the latter: `não` is not to find `na`.
 */
function newTermsOf(word: string): string[] {
  const spelledWithout = accented(fold(word));
  const spellings = STOP_WORDS.has(word) ? [spelledWithout] : [...new Set([word, spelledWithout])];
  return [...new Set(spellings.map(stemOf))];
}

/** Longer words are none of a language, and the stemmer's time grows with the square of their length. */
function stemOf(word: string): string {
  const stem = fold(word.length > MAX_TERM_CHARACTERS ? word : stemmer(word));
  return stem.length > MAX_TERM_CHARACTERS ? [...stem].slice(0, MAX_TERM_CHARACTERS).join('') : stem;
}

function accented(folded: string): string {
  return folded.replace(ENDING, (ending) => ENDINGS.get(ending)!);
}

/** Without marks; `ª` is an `a`, and ligatures and letters of other widths are the plain ones. */
function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const plain = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return plain || word;
}
