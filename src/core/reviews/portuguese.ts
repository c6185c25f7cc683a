import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { LRUCache } from 'lru-cache';
import { withoutMarkup } from './markup.ts';

const MAX_TERM_CHARACTERS = 100;

/** Leading digits are their own word, as in PostgreSQL: `5kg` finds `5 kg`. */
const WORD = /(?<word>[\p{L}\p{Nl}][\p{L}\p{Nl}\p{M}\p{Nd}]*|\p{Nd}[\p{Nd}\p{M}]*)(?<slashes>:\/\/)?/gu;

/** The stemmer knows these only with accents: `informacao` must find `informações`. */
const ENDINGS = new Map(
  'ação ações ução uções ável áveis ível ância ência ências arão erão irão ávamos íamos ássemos êssemos íssemos'
    .split(' ')
    .map((ending) => [fold(ending), ending]),
);
const ENDING = new RegExp(`(?:${[...ENDINGS.keys()].join('|')})$`);

const STOP_WORDS = new Set(stopwords);
const FOLDED_STOP_WORDS = new Set(stopwords.map(fold));

/** Up to 100 letters, digits and marks in lower case: every tokenizer keeps a term whole. */
export function commentTerms(text: string): string[] {
  const words = new Set(wordsOf(text).map(({ word }) => word));
  return [...new Set([...words].flatMap(termsOf))];
}

/** A match has a term of each list. Finds all of `plainto_tsquery('portuguese', search)`. */
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

/** `não é` searches for `é`, as in PostgreSQL. Stop words alone search for themselves. */
function meaningfulWords(words: string[]): string[] {
  const choices = [
    words.filter((word) => !FOLDED_STOP_WORDS.has(fold(word))),
    words.filter((word) => !STOP_WORDS.has(word)),
    words,
  ];
  return choices.find((choice) => choice.length > 0) ?? [];
}

/** Reviews mostly use the same words again. */
const termCache = new LRUCache<string, string[]>({ max: 5_000, memoMethod: newTermsOf });

function termsOf(word: string): string[] {
  return word.length <= MAX_TERM_CHARACTERS ? termCache.memo(word) : newTermsOf(word);
}

/** A stop word has only the stem without accents: `não` must not find `na`. */
function newTermsOf(word: string): string[] {
  const plainSpelling = accented(fold(word));
  const spellings = STOP_WORDS.has(word) ? [plainSpelling] : [...new Set([word, plainSpelling])];
  return [...new Set(spellings.map(stemOf))];
}

/** The stemmer's time grows with the square of the length. */
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
