import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { LRUCache } from 'lru-cache';
import { withoutMarkup } from './markup.ts';

const MAX_TERM_CHARACTERS = 100;

/**
 * A word, and whether `://` follows it. Leading digits are a word of their own, as they are for
 * PostgreSQL in `12.5kg` and `2-3dias`: `5kg` finds `5 kg`, and `dias` finds `3dias`.
 */
const WORD = /(?<word>[\p{L}\p{Nl}][\p{L}\p{Nl}\p{M}\p{Nd}]*|\p{Nd}[\p{Nd}\p{M}]*)(?<slashes>:\/\/)?/gu;

/**
 * Endings that the stemmer knows only with accents. They are restored in words without them;
 * otherwise `informacao` would not find `informações`, nor `importancia` `importante`.
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
 * The distinct index terms of a comment. A term has up to 100 letters, digits and marks in lower
 * case, and no other ASCII characters, so that every tokenizer keeps it whole.
 */
export function commentTerms(text: string): string[] {
  const words = new Set(wordsOf(text).map(({ word }) => word));
  return [...new Set([...words].flatMap(termsOf))];
}

/**
 * The terms of a search: a list per word, and a comment matches when it has one term of each list.
 * Finds at least what PostgreSQL's `plainto_tsquery('portuguese', search)` finds, and ignores
 * accents. Empty, which finds nothing, when the text has no searchable word. The text has no query
 * syntax.
 */
export function searchTerms(search: string): string[][] {
  const words = wordsOf(withoutMarkup(search))
    .filter(({ word, headsAddress }) => !(headsAddress && /^[a-z]+$/.test(word)))
    .map(({ word }) => word);
  const required = meaningfulWords([...new Set(words)]).map(termsOf);
  return [...new Map(required.map((terms) => [terms.join(' '), terms])).values()];
}

function wordsOf(text: string): { word: string; headsAddress: boolean }[] {
  const matches = text.normalize('NFC').toLowerCase().matchAll(WORD);
  return Array.from(matches, ({ groups }) => ({ word: groups!.word!, headsAddress: groups!.slashes !== undefined }));
}

/**
 * The words that are not stop words, ignoring accents. Without any, the words that PostgreSQL would
 * search for (`não é` searches for `é`, which its list lacks), or else the stop words themselves.
 */
function meaningfulWords(words: string[]): string[] {
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
 * The stem of the word, as PostgreSQL builds it, and the stem of its spelling without accents. A
 * stop word, which PostgreSQL does not index, has only the second: `não` must not find `na`.
 */
function newTermsOf(word: string): string[] {
  const plainSpelling = accented(fold(word));
  const spellings = STOP_WORDS.has(word) ? [plainSpelling] : [...new Set([word, plainSpelling])];
  return [...new Set(spellings.map(stemOf))];
}

/** Skips the stemmer for longer words: its time grows with the square of the length. */
function stemOf(word: string): string {
  const stem = fold(word.length > MAX_TERM_CHARACTERS ? word : stemmer(word));
  return stem.length > MAX_TERM_CHARACTERS ? [...stem].slice(0, MAX_TERM_CHARACTERS).join('') : stem;
}

function accented(folded: string): string {
  return folded.replace(ENDING, (ending) => ENDINGS.get(ending)!);
}

/** Removes accents and normalizes ligatures, widths and `ª` to plain letters. */
function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const folded = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return folded || word;
}
