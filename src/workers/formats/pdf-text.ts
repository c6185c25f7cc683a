/** What PDFium puts in place of a hyphen that ends a line and of the line's end, where it sees a divided word. */
const DIVISION = '\uFFFE';

const LATIN_LIGATURES = /[\uFB00-\uFB06]/g;

/** Of a word that a printer has put asunder: small letters on both sides. `IBM-` or `1990-` end with a hyphen of their own. */
const DIVIDED_WORD = new RegExp(`(?<=\\p{Ll})${DIVISION}(?=\\p{Ll})`, 'gu');

/** Those of a page's text that no reader sees: all but tab and line feed, and the marks for no character at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: fonts of poor make map glyphs to them
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B\uFEFF\uFFFF]/g;

/**
 * A page's text as it was meant: divided words are joined, ligatures are letters, lines end with a line feed. Characters
 * are left as they are beyond that: to compose all of them (NFKC) would make 10² of 10 squared and narrow those of CJK.
 */
export function cleanText(raw: string): string {
  return raw
    .replaceAll('\r\n', '\n')
    .replace(DIVIDED_WORD, '')
    .replaceAll(DIVISION, '-')
    .replace(LATIN_LIGATURES, (ligature) => ligature.normalize('NFKC'))
    .replaceAll('\u00A0', ' ')
    .replace(INVISIBLE, '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
