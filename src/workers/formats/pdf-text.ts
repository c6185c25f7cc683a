/** PDFium's replacement for the hyphen in a divided word. */
const DIVISION = '\uFFFE';

const LATIN_LIGATURES = /[\uFB00-\uFB06]/g;

/** Small letters on both sides, unlike `IBM-` and `1990-`. */
const DIVIDED_WORD = new RegExp(`(?<=\\p{Ll})${DIVISION}(?=\\p{Ll})`, 'gu');

// biome-ignore lint/suspicious/noControlCharactersInRegex: fonts of poor make map glyphs to them
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B\uFEFF\uFFFF]/g;

/** NFKC only for ligatures: it would turn 10² into 102. */
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
