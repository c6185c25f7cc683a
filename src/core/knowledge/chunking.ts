import type { Field } from './hygiene.ts';
import type { Chunk, Place } from './reader.ts';
import { fieldsIn, type Titled, titledTables } from './tables.ts';

/** Estimated tokens; searches find as much with 256 to 1024. */
export const CHUNK_TOKENS = 512;
export const OVERLAP_TOKENS = 64;
export const CHARACTERS_PER_TOKEN = 4;

/** From this code on (Chinese, Japanese, Korean, surrogates) a UTF-16 unit is about one token. */
const FIRST_WIDE_UNIT = 0x2e80;

/** A unit to cut into chunks: a page, a row, the text under a heading. */
export interface Passage {
  content: string | readonly Field[];
  headings: readonly string[];
  place: Place;
  metadata?: Record<string, unknown>;
  /** A row: it shares no chunk with others, and its chunks do not overlap. */
  isRecord: boolean;
  /** Cleaning moved the lines, so every chunk has the line of the passage. */
  linesMoved?: boolean;
  /** The title of a table that began in the passage before. */
  openTable?: string | undefined;
}

export interface TextSpan {
  start: number;
  end: number;
  /** Stands before the span: the names of its values. */
  title?: string;
}

/**
 * Chunks of at most CHUNK_TOKENS; a record that fits is one chunk. Each part of a table repeats its
 * header, and each part of a field its name. Linear in the text's length.
 */
export function* chunksOf(passage: Passage): Generator<Chunk, void, void> {
  const text = textOf(passage.content);
  const lineOf = lineCounter(text, passage);
  for (const { start, end, title = '' } of spansOf(
    text,
    passage.isRecord ? 0 : OVERLAP_TOKENS,
    titledIn(text, passage),
  )) {
    yield {
      text: title + text.slice(start, end),
      headings: [...passage.headings],
      place: { ...passage.place, ...lineOf(start) },
      metadata: passage.metadata ?? null,
    };
  }
}

export function embeddingText({ headings, text }: Pick<Chunk, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}

export function estimatedTokens(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) quarters += quartersAt(text, at);
  return Math.ceil(quarters / CHARACTERS_PER_TOKEN);
}

/** Spans that overlap by at most `overlapTokens` and omit only white space. */
export function* spansOf(
  text: string,
  overlapTokens: number,
  titledParts: readonly Titled[] = [],
): Generator<TextSpan, void, void> {
  let start = afterWhitespace(text, 0);
  let part = 0;
  while (start < text.length) {
    while (part < titledParts.length && titledParts[part]!.end <= start) part++;
    const around = titledParts[part];
    const isWithin = around !== undefined && (around.start < start || around.body === 0);
    const tokens = isWithin ? estimatedTokens(around.title) : 0;
    const title = isWithin && tokens <= CHUNK_TOKENS / 2 ? around.title : undefined;
    // The title holds what is before the rows.
    if (title !== undefined && start < around!.body) start = afterWhitespace(text, around!.body);
    const full = farthest(text, start, CHUNK_TOKENS - (title === undefined ? 0 : tokens));
    // In the second half, so that no chunk is tiny or only overlap.
    const end = full === text.length ? full : bestCut(text, start + Math.ceil((full - start) / 2), full, 'last');
    yield { start, end: trimmedEnd(text, start, end), ...(title !== undefined && { title }) };
    const next = afterWhitespace(text, end);
    start = next === text.length ? next : overlapping(text, start, end, next, overlapTokens);
  }
}

function titledIn(text: string, { content, openTable }: Passage): Titled[] {
  if (openTable === undefined && text.length <= CHUNK_TOKENS) return [];
  if (typeof content === 'string') return titledTables(text, openTable);
  return fieldsIn(content.map(([name, value]) => [sanitized(name), sanitized(value.replace(/\r$/, ''))]));
}

function overlapping(text: string, start: number, cut: number, next: number, tokens: number): number {
  const earliest = nearestBefore(text, start, cut, tokens);
  const isFarApart = next - cut > tokens * CHARACTERS_PER_TOKEN;
  if (earliest >= cut || isFarApart) return next;
  return afterWhitespace(text, bestCut(text, earliest, cut - 1, 'first'));
}

function farthest(text: string, from: number, tokens: number): number {
  let room = tokens * CHARACTERS_PER_TOKEN;
  let at = from;
  while (at < text.length) {
    room -= quartersAt(text, at);
    if (room < 0) break;
    at++;
  }
  return at;
}

function nearestBefore(text: string, start: number, to: number, tokens: number): number {
  let room = tokens * CHARACTERS_PER_TOKEN;
  let at = to;
  while (at > start + 1) {
    room -= quartersAt(text, at - 1);
    if (room < 0) break;
    at--;
  }
  return at;
}

function trimmedEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

function quartersAt(text: string, at: number): number {
  return text.charCodeAt(at) < FIRST_WIDE_UNIT ? 1 : CHARACTERS_PER_TOKEN;
}

function textOf(content: Passage['content']): string {
  if (typeof content === 'string') return sanitized(content);
  return sanitized(content.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n'));
}

/** Normalizes line ends; replaces NULs and lone surrogates, which databases refuse. */
function sanitized(text: string): string {
  const lined = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const spaced = lined.includes('\0') ? lined.replaceAll('\0', ' ') : lined;
  return spaced.toWellFormed();
}

/** The line of each offset; offsets must not decrease. */
function lineCounter(text: string, { content, place, linesMoved }: Passage): (offset: number) => Place {
  if (place.line === undefined || linesMoved || typeof content !== 'string') return () => ({});
  let line = place.line;
  let counted = 0;
  return (offset) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', counted)) {
      line++;
      counted = at + 1;
    }
    return { line };
  };
}

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
