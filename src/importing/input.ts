import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';
import { invalid } from '../core/base/shared/errors.ts';
import { oneLine } from '../core/base/shared/text.ts';
import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { buffersOf, bytesOf, openBytes, type ReadBytes } from '../text/bytes.ts';
import { encodingOf, markedAs } from '../text/encoding.ts';

export interface ImportInput {
  name: string;
  encoding: string;
  /** A file can be opened again, standard input once. */
  isFile: boolean;
  /** In UTF-8, without a byte order mark. What cannot be decoded is U+FFFD, or not UTF-8. */
  open(): AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;
/** The part of standard input that decides its encoding. */
const HEAD_BYTES = 64 * 1024;

/** `path` may be `-`. Throws when the encoding is not certain and not given. */
export async function openInput(
  path: string,
  encoding: string | undefined,
  onRead: (bytes: number) => void = () => undefined,
): Promise<ImportInput> {
  if (encoding !== undefined && !iconv.encodingExists(encoding)) {
    throw invalid(
      `--encoding: "${encoding}" is not known; utf-8, utf-16le, windows-1252 and windows-1250 are, and more`,
    );
  }
  if (path === '-') return openStandardInput(encoding, onRead);
  const input = { name: path, encoding: judgedFile(path, encoding), isFile: true };
  const source = () => counted(createReadStream(path, { highWaterMark: CHUNK_BYTES }), onRead);
  return { ...input, open: () => utf8Of(source(), input) };
}

async function openStandardInput(encoding: string | undefined, onRead: (bytes: number) => void): Promise<ImportInput> {
  const name = 'standard input';
  const source = counted(process.stdin, onRead);
  const chunks: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length < HEAD_BYTES && !ended) {
    const { value, done } = await source.next();
    if (done) ended = true;
    else length += chunks[chunks.push(value) - 1]!.length;
  }
  const head = Buffer.concat(chunks);
  const read = bytesOf(ended ? head : wholeLines(head));
  const input = { name, encoding: judged(read, name, encoding), isFile: false };
  return { ...input, open: () => utf8Of(headFirst(head, source), input) };
}

async function* counted(source: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  for await (const chunk of source) {
    onRead(chunk.length);
    yield chunk;
  }
}

async function* headFirst(head: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* source;
}

/** Ends before a line feed, which has two bytes in UTF-16. */
function wholeLines(head: Buffer): Buffer {
  const end = head.lastIndexOf(10);
  if (end === -1) return head;
  return head.subarray(0, end % 2 === 1 && head[end - 1] === 0 ? end - 1 : end);
}

async function* utf8Of(
  source: AsyncIterable<Buffer>,
  { name, encoding }: Pick<ImportInput, 'name' | 'encoding'>,
): AsyncGenerator<Buffer> {
  let length = 0;
  if (isUtf8Name(encoding)) {
    for await (const chunk of source) {
      yield length === 0 && chunk.indexOf('\ufeff') === 0 ? chunk.subarray(3) : chunk;
      length += chunk.length;
    }
    return;
  }
  const decoder = iconv.getDecoder(encoding);
  for await (const chunk of source) {
    length += chunk.length;
    yield Buffer.from(decoder.write(chunk));
  }
  yield Buffer.from(decoder.end() ?? '');
  const unit = /utf-?32/i.test(encoding) ? 4 : /utf-?16|ucs-?2/i.test(encoding) ? 2 : 1;
  if (length % unit !== 0) throw invalid(`${name} ends within a character: it was cut off`);
}

export function isUtf8Name(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding);
}

function judgedFile(path: string, given: string | undefined): string {
  const file = openBytes(path);
  try {
    return judged(file.read, path, given);
  } finally {
    file.close();
  }
}

function judged(read: ReadBytes, name: string, given: string | undefined): string {
  if (given !== undefined) {
    const [marked] = markedAs(read) ?? [];
    if (marked === undefined || plain(marked).startsWith(plain(given))) return given;
    throw invalid(`${name} begins with the byte order mark of ${marked}: leave out --encoding ${given}`);
  }
  const { name: encoding, isGuess } = readable(name, () => encodingOf(read), ' Or set --encoding.');
  if (!isGuess || encoding === 'utf-8') return encoding;
  const { line, bytes } = firstOther(read);
  const readings = [...new Set([encoding.toLowerCase(), 'windows-1252', 'windows-1250', 'windows-1251'])];
  throw invalid(
    `${name} is not UTF-8, and other encodings look alike. Set --encoding to the one in which line ${line} is right:`,
    ...readings.map((one) => `--encoding ${one.padEnd(12)}  ${oneLine(iconv.decode(bytes, one)).trim()}`),
  );
}

function plain(encoding: string): string {
  return encoding.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Turns what `read` throws into `invalid`, with the file's name. */
export function readable<T>(name: string, read: () => T, remedy = ''): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableDocument) throw invalid(`${name}: ${error.message}${remedy}`);
    throw error;
  }
}

const SHOWN_BYTES = 60;

/** The surroundings of the first byte that is not ASCII. */
function firstOther(read: ReadBytes): { line: number; bytes: Buffer } {
  let line = 1;
  for (const { bytes } of buffersOf(read, 0)) {
    const at = bytes.findIndex((byte) => byte >= 0x80);
    const before = at === -1 ? bytes : bytes.subarray(0, at);
    for (let found = before.indexOf(10); found !== -1; found = before.indexOf(10, found + 1)) line += 1;
    if (at === -1) continue;
    const begin = Math.max(before.lastIndexOf(10) + 1, at - SHOWN_BYTES / 2);
    const end = bytes.indexOf(10, at);
    return { line, bytes: bytes.subarray(begin, Math.min(end === -1 ? bytes.length : end, begin + SHOWN_BYTES)) };
  }
  return { line, bytes: Buffer.alloc(0) };
}
