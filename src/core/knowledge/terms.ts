/*
 * The words of texts as they are indexed and looked for. Both sides go through here, so that they cannot differ. What the
 * index's own tokenizer then does is to split where they are joined, and to fold the case of ASCII: of letters and symbols it
 * knows those of an older Unicode alone.
 */

/** Scripts that put no spaces between words. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+`, 'gu');
const ONE_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'u');
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Those that Latin, Greek and Cyrillic letters carry; in other scripts marks are half of the word. */
const ACCENTS = /[\u0300-\u036f]+/g;
/** What is within a word and not of it: where it may be hyphenated, how an emoji is drawn, what encloses a letter. */
const UNREAD = /(?:\u00ad|[\ufe00-\ufe0f]|\p{Me})+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;
/** Letters of Europe, without the soft hyphen: the index's own tokenizer splits such a text where we would. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII among them
const LATIN = /^[\x00-\xac\xae-\u024f]*$/;

/**
 * A text as it is indexed: accents gone, and runs of scripts without spaces as overlapping pairs of characters, each run's
 * last character by itself, so that any character of it begins a word.
 */
export function searchable(text: string): string {
  if (ASCII.test(text)) return text;
  // Four times as fast, in the thread that all that is stored goes through.
  if (LATIN.test(text)) return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return wordsOf(text, true).join(' ');
}

/** A word to look for; of one character of a script without spaces, all words that begin with it. */
export interface Term {
  word: string;
  isPrefix: boolean;
}

/** The different words of a query, in its order. */
export function termsOf(query: string): Term[] {
  return [...new Set(wordsOf(query, false))].map((word) => ({ word, isPrefix: ONE_UNSPACED.test(word) }));
}

function wordsOf(text: string, withLast: boolean): string[] {
  const spaced = folded(text).replace(UNSPACED_RUN, (run) => ` ${pairs(run, withLast).join(' ')} `);
  return spaced.match(WORD) ?? [];
}

/** In lower case, too, where a sigma has one form. */
function folded(text: string): string {
  const plain = text.replace(UNREAD, '').normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  return plain.toLowerCase().replaceAll('ς', 'σ');
}

function pairs(run: string, withLast: boolean): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  const found = characters.slice(0, -1).map((character, index) => character + characters[index + 1]!);
  return withLast ? [...found, characters.at(-1)!] : found;
}
