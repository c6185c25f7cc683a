import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What servers are told that they may compress with. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** What follows the end of a compressed body has no meaning, and no business there. */
const OPTIONS = { rejectGarbageAfterEnd: true };

const DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => createGunzip(OPTIONS),
  'x-gzip': () => createGunzip(OPTIONS),
  br: () => createBrotliDecompress(OPTIONS),
  // Some servers leave out the zlib header that the standard asks for, as every browser knows.
  deflate: ([first = 0]) => ((first & 0x0f) === 0x08 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS)),
};

/** What a body is compressed with, as its header says; null: it is not. */
export function codingOf(headers: IncomingHttpHeaders): string | null {
  if (headers['content-encoding'] === undefined) return null;
  const said = [headers['content-encoding']].flat().join(',').toLowerCase();
  const codings = said.split(',').map((one) => one.trim());
  return codings.filter((one) => one !== '' && one !== 'identity').join(', ') || null;
}

/** What decompresses a body that begins with these bytes; null for what is not understood, which several in a row are not either. */
export function decoderOf(coding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]!(first) : null;
}

/** The most bytes of a compressed body that may become so many: what cannot be made smaller grows a little. */
export function maxCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 64) + 1_024;
}
