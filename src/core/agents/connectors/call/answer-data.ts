import { charsetOf, isJsonType, jsonTextIn, mediaTypeOf, textIn } from '../media-type.ts';
import { MAX_DEPTH, parseExactly, TooDeep } from './exact-json.ts';
import type { UpstreamAnswer } from './transport.ts';

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
    const text = textIn(body, charsetOf(contentType));
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
