import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { StoredExecution } from '../../../../core/agents/executions/store.ts';

/*
 * Texts of executions and steps, compressed in libuv's pool. The first byte of a compressed one is
 * no beginning of a JSON text in UTF-8.
 */

const COMPRESSED = 0xff;
/** A compressed text of fewer bytes is hardly smaller. */
const MIN_BYTES = 200;
/** Above it the ratio is little better, and the time several times longer. */
const QUALITY = 5;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export async function packedText(text: string): Promise<Buffer> {
  const plain = Buffer.from(text);
  if (plain.length < MIN_BYTES) return plain;
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const body = await compress(plain, { params });
  return body.length + 1 < plain.length ? Buffer.concat([Buffer.of(COMPRESSED), body]) : plain;
}

export async function unpackedText(body: Uint8Array): Promise<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return (bytes[0] === COMPRESSED ? await decompress(bytes.subarray(1)) : bytes).toString();
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
