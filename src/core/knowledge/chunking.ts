import { afterWhitespace, bestCut } from './boundaries.ts';
import type { Field } from './hygiene.ts';
import type { Chunk, Place } from './reader.ts';

/** In estimated tokens. Searches found as much with chunks of 256 to 1024. */
export const CHUNK_TOKENS = 512;
/** Of running text, what a chunk repeats of the one before. */
export const OVERLAP_TOKENS = 64;
export const CHARACTERS_PER_TOKEN = 4;

/** From here on (Chinese, Japanese, Korean, halves of emojis) a UTF-16 unit is about a token of its own. */
const FIRST_WIDE_UNIT = 0x2e80;

/** What is cut into chunks: a page, a row, the text under a heading. */
export interface Passage {
  /** Running text, or a record's fields in their order. */
  content: string | readonly Field[];
  /** The headings that it stands under, outermost first. */
  headings: readonly string[];
  place: Place;
  /** Of its own: the metadata columns of a row. */
  metadata?: Record<string, unknown>;
  /** A row: it stands for itself, shares no chunk with others, and chunks of it do not overlap. */
  isRecord: boolean;
  /** Lines were taken out of the content, or put in: all its chunks then have the passage's line, not one of their own. */
  linesMoved?: boolean;
}

/** Where in a text a chunk begins, and where it ends. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The chunks of a passage in their order, none above CHUNK_TOKENS. A record that fits is one, a line a field. Headings
 * are carried beside the text and not in it. Takes time in the text's length, whatever it holds.
 */
export function* chunksOf(passage: Passage): Generator<Chunk, void, void> {
  const text = textOf(passage.content);
  const lineOf = lineCounter(text, passage);
  for (const { start, end } of spansOf(text, passage.isRecord ? 0 : OVERLAP_TOKENS)) {
    yield {
      text: text.slice(start, end),
      headings: [...passage.headings],
      place: { ...passage.place, ...lineOf(start) },
      metadata: passage.metadata ?? null,
    };
  }
}

/** What is embedded and indexed of a chunk: its text under the headings that it stands under. */
export function embeddingText({ headings, text }: Pick<Chunk, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}

/** An estimate, as chunks are packed by: 4 characters a token, of Chinese, Japanese and Korean each one. */
export function estimatedTokens(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) quarters += quartersAt(text, at);
  return Math.ceil(quarters / CHARACTERS_PER_TOKEN);
}

/** Where a text is cut. What stands in no span is white space; spans overlap by at most so many tokens. */
export function* spansOf(text: string, overlapTokens: number): Generator<Span, void, void> {
  let start = afterWhitespace(text, 0);
  while (start < text.length) {
    const full = farthest(text, start, CHUNK_TOKENS);
    // A cut in the second half at the earliest: so every chunk brings something new, and none is a scrap.
    const end = full === text.length ? full : bestCut(text, start + Math.ceil((full - start) / 2), full, 'last');
    yield { start, end: trimmedEnd(text, start, end) };
    const next = afterWhitespace(text, end);
    start = next === text.length ? next : overlapping(text, start, end, next, overlapTokens);
  }
}

/** Where the chunk after a cut begins: before the cut, where a sentence, or else a word, begins. */
function overlapping(text: string, start: number, cut: number, next: number, tokens: number): number {
  const earliest = nearestBefore(text, start, cut, tokens);
  const isFarApart = next - cut > tokens * CHARACTERS_PER_TOKEN;
  if (earliest >= cut || isFarApart) return next;
  return afterWhitespace(text, bestCut(text, earliest, cut - 1, 'first'));
}

/** The end of the longest part from here on that has no more than so many tokens. */
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

/** The beginning of the longest part up to here that has no more than so many tokens. */
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
  if (typeof content === 'string') return sound(content);
  return sound(content.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n'));
}

/** Lines end with a line feed; NULs and halves of characters, which databases and embedders refuse, are replaced. */
function sound(text: string): string {
  const lined = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const spaced = lined.includes('\0') ? lined.replaceAll('\0', ' ') : lined;
  return spaced.toWellFormed();
}

/** For offsets that only grow: the line on which each stands. */
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
