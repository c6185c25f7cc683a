import { codePoint } from 'dingbat-to-unicode';

/** Word adds it to the codes of fonts that have pictures in place of letters. */
const PRIVATE = 0xf000;

/** Characters that fonts and readers know, in place of their newer likenesses. */
const COMMON: Readonly<Record<string, string>> = {
  '\u{1f78e}': '□',
  '\u{1f78f}': '□',
  '\u{1f5f9}': '☑',
  '\u{1f5f7}': '☒',
  '\u{1f5f6}': '✗',
  '\u{1f5f8}': '✓',
  '\u{26ab}': '●',
  '\u{25fc}': '■',
};

const FONTS = /^(?:Symbol|Webdings|Wingdings(?: [23])?)$/i;

export function isSymbolFont(font: string): boolean {
  return FONTS.test(font);
}

/** The character of a font with symbols; null where it is not known. Other fonts have Unicode's. */
export function symbolOf(font: string, code: number): string | null {
  const isPrivate = code > PRIVATE + 0x1f && code <= PRIVATE + 0xff;
  const known = FONTS.test(font) ? codePoint(font, isPrivate ? code - PRIVATE : code)?.string : undefined;
  if (known !== undefined) return COMMON[known] ?? known;
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !/[\p{Co}\p{Cs}\p{Cn}]/u.test(String.fromCodePoint(code));
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** How a symbol is named that has no character. */
export function namedSymbol(font: string, code: number): string {
  return `[symbol ${code.toString(16).toUpperCase()} of ${font}]`;
}
