import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { PortalFile } from '../portal/files.ts';

/** The preferred first. */
const COMPRESS = {
  // The largest file takes 0.3 s, once. Quality 6 has 7 % more bytes, 11 takes three times
  // as long for 2 %.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
type Encoding = keyof typeof COMPRESS;
const ENCODINGS = Object.keys(COMPRESS) as Encoding[];
const COMPRESSIBLE = /^text\/|json|svg/;

const compressedFiles = new WeakMap<PortalFile, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Sends the file in the best encoding that the client accepts. */
export async function sendFile(
  response: Response,
  file: PortalFile,
  headers: Record<string, string> = {},
): Promise<void> {
  const isCompressible = COMPRESSIBLE.test(file.type);
  const accepted = response.req.acceptsEncodings();
  const encoding = isCompressible ? ENCODINGS.find((one) => accepted.includes(one)) : undefined;
  // Before the headers: an error must not be cached as the file.
  const bytes = await (encoding ? compressed(file, encoding) : file.read());
  response.set(headers).type(file.type);
  if (isCompressible) response.vary('Accept-Encoding');
  if (encoding) response.set('content-encoding', encoding);
  response.send(bytes);
}

/** Each encoding of a file is made once, at its first request. */
function compressed(file: PortalFile, encoding: Encoding): Promise<Buffer> {
  const encodings = compressedFiles.get(file) ?? {};
  compressedFiles.set(file, encodings);
  encodings[encoding] ??= file.read().then(COMPRESS[encoding]);
  encodings[encoding].catch(() => delete encodings[encoding]);
  return encodings[encoding];
}

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * True if Accept names HTML and does not refuse it: programs usually accept anything, and get no
 * page.
 */
export function wantsHtml(request: Request): boolean {
  return request.accepts().some((type) => ['text/html', 'text/*'].includes(type));
}
