/* Tokenizes texts and queries alike: the index's own tokenizer knows an older Unicode only. */

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+`, 'gu');
const ONE_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'u');
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Accents of Latin, Greek and Cyrillic; in other scripts marks belong to the word. */
const ACCENTS = /[\u0300-\u036f]+/g;
/** Soft hyphens, emoji variation selectors, enclosing marks. */
const UNREAD = /(?:\u00ad|[\ufe00-\ufe0f]|\p{Me})+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
/** European letters without the soft hyphen: both tokenizers split them alike. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII among them
const LATIN = /^[\x00-\xac\xae-\u024f]*$/;

/** Without accents; runs of unspaced scripts as overlapping pairs plus the last character. */
export function searchable(text: string): string {
  if (ASCII.test(text)) return text;
  // Four times as fast.
  if (LATIN.test(text)) return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return wordsOf(text, true).join(' ');
}

/** The words that `searchable` has, in order. */
export function wordsIn(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  return wordsOf(text, true);
}

/** A single character of an unspaced script matches as a prefix. */
export interface Term {
  word: string;
  isPrefix: boolean;
}

export function termsOf(query: string): Term[] {
  return [...new Set(wordsOf(query, false))].map((word) => ({ word, isPrefix: ONE_UNSPACED.test(word) }));
}

/** The runs of unspaced scripts, in characters, and the text with spaces in their place. */
export function withoutUnspaced(text: string): { runs: string[][]; rest: string } {
  if (text.search(UNSPACED_RUN) === -1) return { runs: [], rest: text };
  const runs: string[][] = [];
  const rest = text.normalize('NFKC').replace(UNSPACED_RUN, (run) => {
    runs.push([...folded(run)]);
    return ' ';
  });
  return { runs, rest };
}

/** The overlapping pairs of two characters or more. */
export function neighbouringPairs(characters: readonly string[]): string[] {
  return characters.slice(0, -1).map((character, index) => character + characters[index + 1]!);
}

function wordsOf(text: string, withLast: boolean): string[] {
  const spaced = folded(text).replace(UNSPACED_RUN, (run) => ` ${pairs(run, withLast).join(' ')} `);
  return spaced.match(WORD) ?? [];
}

function folded(text: string): string {
  const plain = text.replace(UNREAD, '').normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  return plain.toLowerCase().replaceAll('ς', 'σ');
}

function pairs(run: string, withLast: boolean): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  const found = neighbouringPairs(characters);
  return withLast ? [...found, characters.at(-1)!] : found;
}
