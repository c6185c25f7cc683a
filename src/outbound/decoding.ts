import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export const ACCEPTED_CODINGS = 'gzip, deflate, br';

const OPTIONS = { rejectGarbageAfterEnd: true };

const DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => createGunzip(OPTIONS),
  'x-gzip': () => createGunzip(OPTIONS),
  br: () => createBrotliDecompress(OPTIONS),
  // Some servers omit the zlib header; browsers accept both.
  deflate: ([first = 0]) => ((first & 0x0f) === 0x08 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS)),
};

/** Null if the body is not compressed. */
export function codingOf(headers: IncomingHttpHeaders): string | null {
  if (headers['content-encoding'] === undefined) return null;
  const said = [headers['content-encoding']].flat().join(',').toLowerCase();
  const codings = said.split(',').map((one) => one.trim());
  return codings.filter((one) => one !== '' && one !== 'identity').join(', ') || null;
}

/** Null for an unknown coding or a chain of codings. */
export function decoderOf(coding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]!(first) : null;
}

/** Incompressible data grows a little. */
export function maxCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 64) + 1_024;
}
