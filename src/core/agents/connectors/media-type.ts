/** In lower case, without parameters: `application/json` of `Application/JSON; charset=utf-8`. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(/[;,]/)[0]!.trim().toLowerCase();
}

/** `application/json`, `text/json`, `application/x-json` and every type with the suffix `+json`. */
export function isJsonType(mediaType: string): boolean {
  return /^[\w.+-]+\/(x-|[\w.+-]+\+)?json$/.test(mediaType);
}

/** `utf-8` unless the type says otherwise. */
export function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null for invalid bytes and unknown charsets. A byte order mark outweighs the charset. */
export function decodedBody(body: Buffer, charset: string): string | null {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.equals(body.subarray(0, mark.length)))?.[1] ?? charset;
  try {
    return (marked === 'utf-8' ? utf8 : new TextDecoder(marked, { fatal: true })).decode(body);
  } catch {
    return null;
  }
}

/**
 * JSON should be UTF-8, whatever its type says (RFC 8259): that is tried second, but first where
 * the type says ISO-8859-1, which servlet containers add and in which all bytes are valid.
 */
export function jsonTextIn(body: Buffer, charset: string): string | null {
  const isAdded = charset === 'iso-8859-1';
  return (isAdded ? decodedBody(body, 'utf-8') : null) ?? decodedBody(body, charset) ?? decodedBody(body, 'utf-8');
}

const BYTE_ORDER_MARKS = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
] as const;
