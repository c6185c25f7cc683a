import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesIn } from '../binary/files.ts';

const COMPRESSIBLE = /\.(js|css|svg)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes `.br` and `.gz` next to each text file that becomes smaller. HTML is left out: the server
 * inserts the base path into each response. `quality` is Brotli's, at most 11.
 */
export async function compressFiles(directory: string, quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const files = filesIn(directory).filter((file) => COMPRESSIBLE.test(file));
  await Promise.all(files.map((file) => compressFile(join(directory, file), quality)));
}

async function compressFile(path: string, quality: number): Promise<void> {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })]);
  if (br.length < bytes.length) writeFileSync(`${path}.br`, br);
  if (gz.length < bytes.length) writeFileSync(`${path}.gz`, gz);
}
