import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import type { StoredExecution } from '../../../../core/agents/executions/store.ts';

/*
 * Texts of executions and steps, compressed by deflate: of 4 KB, Brotli's fifth level takes three
 * times as long and saves a fifteenth. The first byte of a compressed one is no beginning of a JSON
 * text in UTF-8.
 */

const COMPRESSED = 0xff;
/** A compressed text of fewer bytes is hardly smaller. */
const MIN_BYTES = 200;
/** Another thread takes ten times as long for a small text, most of it for memory of its own. */
const MAX_BYTES_HERE = 16 * 1024;
/** Compressed ones: a thousand times as much may come out of them. */
const MAX_COMPRESSED_HERE = 4 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export async function packedText(text: string): Promise<Buffer> {
  const plain = Buffer.from(text);
  if (plain.length < MIN_BYTES) return plain;
  const body = plain.length <= MAX_BYTES_HERE ? deflateRawSync(plain) : await deflate(plain);
  return body.length + 1 < plain.length ? Buffer.concat([Buffer.of(COMPRESSED), body]) : plain;
}

export async function unpackedText(body: Uint8Array): Promise<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes[0] !== COMPRESSED) return bytes.toString();
  const compressed = bytes.subarray(1);
  const plain = bytes.length <= MAX_COMPRESSED_HERE ? inflateRawSync(compressed) : await inflate(compressed);
  return plain.toString();
}

type Content = Pick<StoredExecution, 'messages' | 'output'>;

/** JSON texts have no line breaks of their own. */
export function packedContent({ messages, output }: Content): Promise<Buffer> {
  return packedText(`${messages}\n${output}`);
}

export async function unpackedContent(body: Uint8Array): Promise<Content> {
  const text = await unpackedText(body);
  const end = text.lastIndexOf('\n');
  return { messages: text.slice(0, end), output: text.slice(end + 1) };
}
