/** What a text can be cut at, the better ones higher. */
const NOWHERE = 0;
const WORD = 1;
const SENTENCE = 2;
const LINE = 3;
const PARAGRAPH = 4;

const FULL_STOPS = '.!?…';
/** After these a sentence ends without white space, too. */
const WIDE_FULL_STOPS = '。！？｡';
const WIDE_CLOSINGS = '」』）】';
const CLOSINGS = `)]"'”’»${WIDE_CLOSINGS}`;
/** What adjoins a full stop and goes with it: what closes, and marks. */
const CONTINUES = new RegExp(`[${WIDE_CLOSINGS}\\p{M}\u200d]`, 'u');
/** As in `(He said "No.")` */
const MAX_CLOSINGS = 3;

/** How far behind a cut the grapheme is looked for that it would split: an emoji of a whole family has 11 characters. */
const GRAPHEME_CHARACTERS = 32;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The best place to cut a text between two of its offsets, both included: where a paragraph ends, or else a line, a
 * sentence, a word, or else between two graphemes, or else where no surrogate pair is split. Of equals it is the first or
 * the last. Takes time in what stands between them and in the white space that follows.
 */
export function bestCut(text: string, from: number, to: number, prefer: 'first' | 'last'): number {
  let best = { at: -1, rank: NOWHERE };
  for (let at = to; at >= from; at--) {
    const rank = rankOf(text, at);
    if (rank > best.rank || (prefer === 'first' && rank === best.rank)) best = { at, rank };
    if (prefer === 'last' && best.rank === PARAGRAPH) break;
  }
  return best.rank === NOWHERE ? betweenGraphemes(text, from, to, prefer) : best.at;
}

/** The white space beyond ASCII that `trim` knows. */
const WIDE_SPACES = Array.from({ length: 0xffff - 0x80 }, (_, code) => String.fromCharCode(code + 0x80))
  .filter((character) => character.trim() === '')
  .join('');

function isWhitespaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code === 32 || (code >= 9 && code <= 13) : WIDE_SPACES.includes(text[at]!);
}

/** The first offset, from this one on, of what is no white space. */
export function afterWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhitespaceAt(text, at)) at++;
  return at;
}

/** A cut is where white space begins, or else where a sentence ends without any. */
function rankOf(text: string, at: number): number {
  if (at <= 0 || at >= text.length || isWhitespaceAt(text, at - 1)) return NOWHERE;
  const isSpaced = isWhitespaceAt(text, at);
  const breaks = isSpaced ? lineBreaksFrom(text, at) : 0;
  if (breaks > 0) return breaks > 1 ? PARAGRAPH : LINE;
  const stop = fullStopBefore(text, at);
  if (isSpaced) return FULL_STOPS.includes(stop) || WIDE_FULL_STOPS.includes(stop) ? SENTENCE : WORD;
  return WIDE_FULL_STOPS.includes(stop) && !CONTINUES.test(text[at]!) ? SENTENCE : NOWHERE;
}

/** What a cut would stand behind when quotation marks and brackets do not count. */
function fullStopBefore(text: string, at: number): string {
  let before = at - 1;
  while (before > 0 && at - before <= MAX_CLOSINGS && CLOSINGS.includes(text[before]!)) before--;
  return text[before]!;
}

/** Up to two: more tell no more. */
function lineBreaksFrom(text: string, from: number): number {
  let breaks = 0;
  for (let at = from; breaks < 2 && at < text.length && isWhitespaceAt(text, at); at++) {
    const isReturnOfPair = text[at] === '\r' && text[at + 1] === '\n';
    if ((text[at] === '\n' || text[at] === '\r') && !isReturnOfPair) breaks++;
  }
  return breaks;
}

/** Where a grapheme is longer than what stands between, as one of marks without end, only surrogate pairs hold together. */
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
