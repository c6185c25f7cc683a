import { randomUUID } from 'node:crypto';
import { JSON_NUMBER } from '../../../base/json-schema/values.ts';
import { charsetOf, decodedBody, isJsonType, jsonTextIn, mediaTypeOf } from '../media-type.ts';
import type { UpstreamAnswer } from './transport.ts';

/** A few thousand levels overflow the stack of `JSON.stringify`. */
export const MAX_DEPTH = 500;

export class TooDeep extends Error {}

/** A double holds all digits of a shorter number without an exponent. */
const MAX_EXACT_LENGTH = 16;

/** Keeps all digits. Throws TooDeep or SyntaxError. 4 MB take 0.7 s, with a reviver 4.6 s. */
export function parseExactly(text: string): unknown {
  if (isPlain(text)) return JSON.parse(text) as unknown;
  const rounded = roundedNumbers(text);
  const value: unknown = JSON.parse(text);
  if (rounded.length === 0) return value;
  const mark = randomUUID();
  const sources = new Map(rounded.map(({ start, end }, index) => [`${mark} ${index}`, text.slice(start, end)]));
  return withNumbers(JSON.parse(marked(text, rounded, mark)), sources);
}

function isPlain(text: string): boolean {
  if (MAY_BE_ROUNDED.test(text)) return false;
  let opened = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      opened += 1;
      if (opened > MAX_DEPTH) return false;
    }
  }
  return true;
}

const MAY_BE_ROUNDED = /[\d.]{16}|\d[eE]/;

interface Span {
  start: number;
  end: number;
}

/** Numbers that a double would change. Throws TooDeep, where `JSON.parse` would overflow. */
function roundedNumbers(text: string): Span[] {
  const found: Span[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (isNumberCharacter(character)) {
      const start = at;
      while (at + 1 < text.length && isNumberCharacter(text[at + 1]!)) at += 1;
      if (isRounded(text.slice(start, at + 1))) found.push({ start, end: at + 1 });
    }
    if (depth > MAX_DEPTH) throw new TooDeep();
  }
  return found;
}

export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isNumberCharacter(character: string): boolean {
  return (
    (character >= '0' && character <= '9') ||
    character === '-' ||
    character === '.' ||
    character === '+' ||
    character === 'e' ||
    character === 'E'
  );
}

function isRounded(source: string): boolean {
  if ((source.length < MAX_EXACT_LENGTH && !/e/i.test(source)) || !JSON_NUMBER.test(source)) return false;
  const number = Number(source);
  return String(number) !== source && !Number.isSafeInteger(number);
}

function marked(text: string, spans: readonly Span[], mark: string): string {
  let end = 0;
  const parts = spans.map((span, index) => {
    const before = text.slice(end, span.start);
    end = span.end;
    return `${before}"${mark} ${index}"`;
  });
  return parts.join('') + text.slice(end);
}

function withNumbers(value: unknown, sources: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const source = value.length > 36 ? sources.get(value) : undefined;
    return source === undefined ? value : rawJson(source);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const before = members[name];
    if (typeof before !== 'string' && typeof before !== 'object') continue;
    const after = withNumbers(before, sources);
    // An assignment to `__proto__` would set the prototype.
    if (after !== before) Object.defineProperty(members, name, { ...DATA, value: after });
  }
  return value;
}

const DATA = { configurable: true, enumerable: true, writable: true };

/** ES2025; TypeScript has no types for it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

/** Invalid JSON with the content type of JSON. */
export class UnreadableAnswer extends Error {}

/** Null for an empty body, text as a string, other bytes as base64. Throws an UnreadableAnswer. */
export function dataOf({ headers, body }: Pick<UpstreamAnswer, 'headers' | 'body'>): unknown {
  if (body.length === 0) return null;
  const contentType = headers['content-type'] ?? '';
  const mediaType = mediaTypeOf(contentType);
  if (isJsonType(mediaType)) return jsonOf(body, charsetOf(contentType));
  if (
    mediaType === '' ||
    /^text\/|[/+](xml|javascript|yaml|csv|x-www-form-urlencoded|(x-)?ndjson|jsonl|json-seq)$/.test(mediaType)
  ) {
    const text = decodedBody(body, charsetOf(contentType));
    if (text !== null) return text;
  }
  return { contentType: contentType || 'application/octet-stream', base64: body.toString('base64') };
}

function jsonOf(body: Buffer, charset: string): unknown {
  const text = jsonTextIn(body, charset);
  if (text === null) throw new UnreadableAnswer(`its JSON is not valid ${charset === 'utf-8' ? 'UTF-8' : charset}`);
  return parsed(text);
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw new UnreadableAnswer(
      error instanceof TooDeep
        ? `its JSON is nested deeper than ${MAX_DEPTH} levels`
        : 'it says that it is JSON, and is not',
    );
  }
}
