import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { LRUCache } from 'lru-cache';

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

/** Words as written, in lower case, cut at 100 characters. */
export function exactWords(text: string): string[] {
  return [...new Set(wordsOf(text).map(({ word }) => cut(word)))];
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

/**
 * Terms of the word and of its possible singulars: PostgreSQL gives `erro` and `erros` different
 * stems. A stop word has only the stem without accents: `não` must not find `na`.
 */
function newTermsOf(word: string): string[] {
  const plain = fold(word);
  const singulars = FOLDED_STOP_WORDS.has(plain) ? [] : singularsOf(word).filter((one) => !FOLDED_STOP_WORDS.has(one));
  const spellings = [plain, ...singulars].map(accented);
  if (!STOP_WORDS.has(word)) spellings.unshift(word);
  return [...new Set(spellings.map(stemOf))];
}

/** The stemmer's time grows with the square of the length. */
function stemOf(word: string): string {
  return cut(fold(word.length > MAX_TERM_CHARACTERS ? word : stemmer(word)));
}

function cut(term: string): string {
  return term.length > MAX_TERM_CHARACTERS ? [...term].slice(0, MAX_TERM_CHARACTERS).join('') : term;
}

function accented(folded: string): string {
  return folded.replace(ENDING, (ending) => ENDINGS.get(ending)!);
}

/** No plurals, although they end as plurals of other words do. */
const NO_PLURALS = new Set('após apos atrás atras dois duas país pões poes quis seis'.split(' '));

/**
 * Endings without accents: what precedes them, the plural's, and the singular's. A word may fit
 * several.
 */
const PLURAL_ENDINGS: readonly [before: string, plural: string, singular: string][] = [
  ['.', 'oes', 'ao'],
  ['.', 'aes', 'ao'],
  ['.', 'ns', 'm'],
  // login, plugin, token; hífen, líquen, pólen, sêmen, abdômen, éden
  ['logi|plugi|toke|hife|lique|pole|seme|abdome|ede', 'ns', 'n'],
  ['[aeiou]', 'res', 'r'],
  ['[aeiou]', 'zes', 'z'],
  // inglês, país, deus, gás
  ['e|ai|eu|ga', 'ses', 's'],
  ['..', 'ais', 'al'],
  ['..', 'eis', 'el'],
  ['..', 'eis', 'il'],
  ['..[^aeou]', 'is', 'il'],
  ['..', 'ois', 'ol'],
  ['..', 'uis', 'ul'],
  // Not where a longer ending fits: `capitai` has the stem of `capitão`.
  ['.[^nsxz](?<!..[aeu]i|.[ao]e)', 's', ''],
];

const RULES = PLURAL_ENDINGS.map(([before, plural, singular]) => ({
  ending: new RegExp(`(?<=${before})${plural}$`),
  singular,
}));

/**
 * Possible singulars of a word, without accents. Some do not exist: `papéis` gives `papel` and
 * `papil`.
 */
export function singularsOf(word: string): string[] {
  const folded = fold(word);
  if (NO_PLURALS.has(word) || !/^[a-z]+s$/.test(folded)) return [];
  const rules = RULES.filter(({ ending }) => ending.test(folded));
  return rules.map(({ ending, singular }) => folded.replace(ending, singular));
}

/** Removes accents and normalizes ligatures, widths and `ª` to plain letters. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const folded = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return folded || word;
}

/** A `<` ends quoted values and comments, which keeps the matching linear. */
const ATTRIBUTE = /[a-z0-9=\-_#/:.&?%~\s]|"[^"<]*"|'[^'<]*'/.source;
const NAMED_TAG = String.raw`(?:\/?[a-z]|[:_])[\p{L}\p{N}:_.-]*(?:\/?|\s(?:${ATTRIBUTE})*)>`;
const DECLARATION = `(?:!d|\\?x)(?:${ATTRIBUTE})*>`;
const COMMENT = '!--[^<]*?-->';
/** With its content, to its closing tag or the end of the text. */
const SCRIPT = String.raw`(?:script|style)(?:\s(?:${ATTRIBUTE})*)?>[^]*?(?=<\/(?:script|style)[\s>]|$)`;
const ENTITY = String.raw`&(?:#(?:x[0-9a-f]+|[0-9]+)|[a-z:_][\p{L}\p{N}:_.-]*);`;

const MARKUP = new RegExp(`<(?:${[SCRIPT, NAMED_TAG, DECLARATION, COMMENT].join('|')})|${ENTITY}`, 'giu');

/** Removes what PostgreSQL's parser takes for tags and entities, in linear time. */
export function withoutMarkup(text: string): string {
  return text.replace(MARKUP, ' ');
}
