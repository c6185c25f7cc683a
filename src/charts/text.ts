/** The type scale in pixels. Pages have it in rem: portal/src/style/tokens.css. */
export const TYPE = { label: 12, note: 13, body: 15, heading: 17 } as const;

/** Advance widths of Inter in hundredths of an em, two digits each, from U+0020 to U+007E. */
const ASCII_WIDTHS =
  '2829476364986430363650662946293663416162655962576262293066666651976973737260597574275767579075766476646465746999686863363636474632566157615837615924245524885960616138533359568255565543334366';

const ASCII = (ASCII_WIDTHS.match(/../g) ?? []).map(Number);

/** Semibold is this much wider. */
const SEMIBOLD = 1.04;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Width of one line in Inter, in pixels. Other scripts are estimated rather too wide than too
 * narrow.
 */
export function widthOf(text: string, size: number, weight = 400): number {
  let hundredths = 0;
  for (const character of text) hundredths += advanceOf(character.codePointAt(0)!);
  return (hundredths * size * (weight < 600 ? 1 : SEMIBOLD)) / 100;
}

function advanceOf(code: number): number {
  if (code < 0x7f) return ASCII[code - 0x20] ?? 0;
  if (code === 0xa0 || code === 0x202f) return 28;
  if (isInvisible(code)) return 0;
  if (code < 0x1100) return 68;
  if (code === 0x2013) return 50;
  return code < 0x1f000 ? 104 : 130;
}

function isInvisible(code: number): boolean {
  return (code >= 0x300 && code < 0x370) || (code >= 0x200b && code < 0x2010) || (code >= 0xfe00 && code < 0xfe10);
}

/** Pixels of tolerance, so that a text fits in its own measured width. */
const ROUNDING = 0.01;

/**
 * The text, or as many whole graphemes of it as fit with an ellipsis; empty if the ellipsis does
 * not fit.
 */
export function cut(text: string, width: number, size: number, weight = 400): string {
  if (widthOf(text, size, weight) <= width + ROUNDING) return text;
  let room = width - widthOf('…', size, weight);
  if (room < 0) return '';
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment, size, weight);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** White space, control characters, and characters that change the direction of text. */
const UNSEEN = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** More than three combining marks on one letter would reach into other lines. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
const PRINTABLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/** Untrusted text as one line without control characters. */
export function plain(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.toWellFormed().replace(UNSEEN, ' ').replace(STACKED_MARKS, '$1').trim();
}

/** The name of a group; a group by several keys is an object. */
export function groupNameOf(group: unknown): string {
  if (group === null || group === undefined) return '(none)';
  if (typeof group === 'string') return plain(group) || '(empty)';
  if (Array.isArray(group)) return group.map(groupNameOf).join(', ') || '(empty)';
  if (typeof group === 'object') return Object.values(group).map(groupNameOf).join(' · ') || '(empty)';
  return String(group);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * A name for a sentence: right-to-left text is isolated, so that it does not reorder what follows.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
