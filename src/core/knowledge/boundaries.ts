/** Ranks of boundaries to cut at; higher is better. */
const NOWHERE = 0;
const WORD = 1;
const SENTENCE = 2;
const LINE = 3;
const PARAGRAPH = 4;

const FULL_STOPS = '.!?…';
/** These end a sentence without white space too. */
const WIDE_FULL_STOPS = '。！？｡';
const WIDE_CLOSINGS = '」』）】';
const CLOSINGS = `)]"'”’»${WIDE_CLOSINGS}`;
/** Characters that belong to the full stop before them. */
const CONTINUES = new RegExp(`[${WIDE_CLOSINGS}\\p{M}\u200d]`, 'u');
const MAX_CLOSINGS = 3;

/** The longest grapheme considered: a family emoji has 11 characters. */
const GRAPHEME_CHARACTERS = 32;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The best cut from `from` to `to` inclusive; `prefer` breaks ties. Splits no surrogate pair. */
export function bestCut(text: string, from: number, to: number, prefer: 'first' | 'last'): number {
  let best = { at: -1, rank: NOWHERE };
  for (let at = to; at >= from; at--) {
    const rank = rankOf(text, at);
    if (rank > best.rank || (prefer === 'first' && rank === best.rank)) best = { at, rank };
    if (prefer === 'last' && best.rank === PARAGRAPH) break;
  }
  return best.rank === NOWHERE ? betweenGraphemes(text, from, to, prefer) : best.at;
}

/** White space beyond ASCII that `trim` removes. */
const WIDE_SPACES = Array.from({ length: 0xffff - 0x80 }, (_, code) => String.fromCharCode(code + 0x80))
  .filter((character) => character.trim() === '')
  .join('');

function isWhitespaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code === 32 || (code >= 9 && code <= 13) : WIDE_SPACES.includes(text[at]!);
}

export function afterWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhitespaceAt(text, at)) at++;
  return at;
}

function rankOf(text: string, at: number): number {
  if (at <= 0 || at >= text.length || isWhitespaceAt(text, at - 1)) return NOWHERE;
  const isSpaced = isWhitespaceAt(text, at);
  const breaks = isSpaced ? lineBreaksFrom(text, at) : 0;
  if (breaks > 0) return breaks > 1 ? PARAGRAPH : LINE;
  const stop = fullStopBefore(text, at);
  if (isSpaced) return FULL_STOPS.includes(stop) || WIDE_FULL_STOPS.includes(stop) ? SENTENCE : WORD;
  return WIDE_FULL_STOPS.includes(stop) && !CONTINUES.test(text[at]!) ? SENTENCE : NOWHERE;
}

function fullStopBefore(text: string, at: number): string {
  let before = at - 1;
  while (before > 0 && at - before <= MAX_CLOSINGS && CLOSINGS.includes(text[before]!)) before--;
  return text[before]!;
}

function lineBreaksFrom(text: string, from: number): number {
  let breaks = 0;
  for (let at = from; breaks < 2 && at < text.length && isWhitespaceAt(text, at); at++) {
    const isReturnOfPair = text[at] === '\r' && text[at + 1] === '\n';
    if ((text[at] === '\n' || text[at] === '\r') && !isReturnOfPair) breaks++;
  }
  return breaks;
}

/** A grapheme longer than the range is split, but never a surrogate pair. */
function betweenGraphemes(text: string, from: number, to: number, prefer: 'first' | 'last'): number {
  const wanted = prefer === 'last' ? to : from;
  const origin = prefer === 'last' ? from : Math.max(0, from - GRAPHEME_CHARACTERS);
  const { index, segment } = graphemes
    .segment(text.slice(origin, to + GRAPHEME_CHARACTERS))
    .containing(wanted - origin)!;
  const begins = origin + index;
  if (begins === wanted) return wanted;
  const cut = prefer === 'last' ? begins : begins + segment.length;
  if (cut > from && cut <= to) return cut;
  return isInsidePair(text, to) ? to - 1 : to;
}

function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
