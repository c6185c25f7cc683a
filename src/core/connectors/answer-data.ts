import type { UpstreamAnswer } from './transport.ts';

/** An answer that says it is JSON, and is not. */
export class UnreadableAnswer extends Error {}

/** Deeper than anybody nests. What is nested a few thousand deep overflows the stack of whoever writes it down again. */
const MAX_DEPTH = 500;

/** Digits of which a number may be one that JavaScript would round. */
const LONG_NUMBER = /\d{16}|[eE]\+?\d{2}/;

/**
 * What an API answered, as its callers get it: JSON as it came, with every digit; null where there is nothing; text as a string;
 * other bytes as `{contentType, base64}`. Throws an UnreadableAnswer.
 */
export function dataOf({ headers, body }: Pick<UpstreamAnswer, 'headers' | 'body'>): unknown {
  if (body.length === 0) return null;
  const contentType = headers['content-type'] ?? '';
  const [mediaType = ''] = contentType.toLowerCase().split(';');
  if (/^application\/(json|[\w.+-]+\+json)$/.test(mediaType.trim())) return parseExactly(decode(body));
  if (
    mediaType === '' ||
    /^text\/|[/+](xml|javascript|yaml|csv|x-www-form-urlencoded|x-ndjson)$/.test(mediaType.trim())
  ) {
    const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
    const text = textIn(body, charset);
    if (text !== null) return text;
  }
  return { contentType: contentType || 'application/octet-stream', base64: body.toString('base64') };
}

function decode(body: Buffer): string {
  const text = textIn(body, 'utf-8');
  if (text === null) throw new UnreadableAnswer('its JSON is not valid UTF-8');
  return text;
}

function textIn(body: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

/** Numbers that a double would change come out of `JSON.stringify` as they came in. */
function parseExactly(text: string): unknown {
  if (isTooDeep(text)) throw new UnreadableAnswer(`its JSON is nested deeper than ${MAX_DEPTH} levels`);
  try {
    if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
    return JSON.parse(text, exactNumber) as unknown;
  } catch {
    throw new UnreadableAnswer('it says that it is JSON, and is not');
  }
}

/** Looked at before it is parsed, which comes to an end of the stack as well. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source || Number.isSafeInteger(value) ? value : rawJson(context.source);
}

/** Of ES2025's JSON.parse source text access, which every version of Node.js that this runs on has and its types do not. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
