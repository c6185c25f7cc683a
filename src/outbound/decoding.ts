import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The value of `accept-encoding`. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** Bytes after the end of a compressed body have no meaning. */
const OPTIONS = { rejectGarbageAfterEnd: true };

const DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => createGunzip(OPTIONS),
  'x-gzip': () => createGunzip(OPTIONS),
  br: () => createBrotliDecompress(OPTIONS),
  // Some servers leave out the zlib header that the standard requires; browsers accept both.
  deflate: ([first = 0]) => ((first & 0x0f) === 0x08 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS)),
};

/** The coding named by the header; null if the body is not compressed. */
export function codingOf(headers: IncomingHttpHeaders): string | null {
  if (headers['content-encoding'] === undefined) return null;
  const said = [headers['content-encoding']].flat().join(',').toLowerCase();
  const codings = said.split(',').map((one) => one.trim());
  return codings.filter((one) => one !== '' && one !== 'identity').join(', ') || null;
}

/** A decompressor for a body beginning with these bytes; null for an unknown coding or a chain. */
export function decoderOf(coding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]!(first) : null;
}

/** The largest compressed size of this many bytes: incompressible data grows a little. */
export function maxCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 64) + 1_024;
}
