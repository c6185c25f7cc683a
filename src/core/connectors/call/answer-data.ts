import { MAX_DEPTH, parseExactly, TooDeep } from './exact-json.ts';
import type { UpstreamAnswer } from './transport.ts';

/** Invalid JSON with the content type of JSON. */
export class UnreadableAnswer extends Error {}

/** Null for an empty body, text as a string, other bytes as base64. Throws an UnreadableAnswer. */
export function dataOf({ headers, body }: Pick<UpstreamAnswer, 'headers' | 'body'>): unknown {
  if (body.length === 0) return null;
  const contentType = headers['content-type'] ?? '';
  const [mediaType = ''] = contentType.toLowerCase().split(';');
  if (/^application\/(json|[\w.+-]+\+json)$/.test(mediaType.trim())) return parsed(decode(body));
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textIn(body: Buffer, charset: string): string | null {
  try {
    return (charset === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal: true })).decode(body);
  } catch {
    return null;
  }
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
