import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { type Prepared, UnreadableDocument } from '../core/knowledge/reader.ts';
import { buffersOf, bytesOf, openBytes, type ReadBytes } from './bytes.ts';

/** Without NULs; invalid bytes become U+FFFD. */
export interface PreparedText extends Prepared {
  path: string;
  size: number;
  begin: number;
  /** The encoding of the original. */
  encoding: string;
  notes: string[];
}

/** The file itself if it is UTF-8, else a copy `${path}.utf8`, complete or absent. */
export function toUtf8File(path: string): PreparedText {
  const file = openBytes(path);
  try {
    const encoding = encodingOf(file.read);
    const { name, mark, hasNuls } = encoding;
    const told = { encoding: name, notes: notesOn(encoding) };
    if (name === 'utf-8' && !hasNuls) return { path, size: file.size, begin: mark, ...told };
    const copy = `${path}.utf8`;
    return { path: copy, size: writeUtf8(file.read, encoding, copy), begin: 0, ...told };
  } finally {
    file.close();
  }
}

function notesOn({ name, isGuess = false }: Encoding): string[] {
  if (!isGuess) return [];
  if (name === 'utf-8') return ['Some bytes are not UTF-8, as the rest of the file is: each is shown as \ufffd.'];
  return [`The encoding was guessed to be ${name}. If letters are wrong, save the file in UTF-8 and upload it again.`];
}

/** About the first megabyte; writes nothing. */
export function utf8Head(path: string): Buffer {
  const file = openBytes(path);
  try {
    const chunks = decoded(file.read, encodingOf(file.read));
    return Buffer.from(chunks.next().value ?? '');
  } finally {
    file.close();
  }
}

/** The text of a file in memory. */
export function textOfBytes(content: Buffer): string {
  const read = bytesOf(content);
  return [...decoded(read, encodingOf(read))].join('');
}

function writeUtf8(read: ReadBytes, encoding: Encoding, path: string): number {
  const part = `${path}.part`;
  const file = openSync(part, 'w');
  let size = 0;
  try {
    for (const text of decoded(read, encoding)) size += writeWhole(file, Buffer.from(text));
    fsyncSync(file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  return size;
}

function writeWhole(file: number, bytes: Buffer): number {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
  return written;
}

function* decoded(read: ReadBytes, { name, mark }: Encoding): Generator<string, void, void> {
  const decoder = iconv.getDecoder(name, { stripBOM: false });
  for (const { bytes } of buffersOf(read, mark)) yield decoder.write(bytes).replaceAll('\0', ' ');
  yield decoder.end() ?? '';
}

export interface Encoding {
  /** iconv-lite's name. */
  name: string;
  /** Bytes of the byte order mark. */
  mark: number;
  hasNuls: boolean;
  /** Neither a mark nor the bytes show it: by statistics alone. */
  isGuess?: boolean;
}

const MARKS: readonly (readonly [name: string, mark: Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-32le', Buffer.from([0xff, 0xfe, 0, 0])],
  ['utf-32be', Buffer.from([0, 0, 0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** By mark, NULs, strict UTF-8, then statistics, of the whole file: an accent may come late. */
export function encodingOf(read: ReadBytes): Encoding {
  const marked = markedAs(read);
  const mark = marked?.[1].length ?? 0;
  if (marked && marked[0] !== 'utf-8') return { name: marked[0], mark, hasNuls: false };

  const found = lookOver(read, mark);
  const { nuls, bytes } = found;
  const nulCount = nuls[0] + nuls[1];
  if (nulCount > 0 && !marked) {
    const wide = utf16Of(read, found);
    if (wide) return { name: wide, mark, hasNuls: false };
  }
  if (nulCount > Math.max(FEW_NULS, bytes * FEW_NULS_SHARE) || found.controls * 4 > nulCount) {
    throw new UnreadableDocument(
      'The file holds binary data and no text. Export it as text in UTF-8, or give it the extension of what it is.',
    );
  }
  if (marked || found.isUtf8) return { name: 'utf-8', mark, hasNuls: nulCount > 0 };
  return { name: guess(Buffer.concat(found.samples)), mark, hasNuls: nulCount > 0, isGuess: true };
}

/** The encoding that a byte order mark states, and the mark. */
export function markedAs(read: ReadBytes): (typeof MARKS)[number] | undefined {
  const head = Buffer.alloc(4);
  const length = read(head, 0, head.length, 0);
  return MARKS.find(([, mark]) => head.subarray(0, length).indexOf(mark) === 0);
}

/** NULs that may be an accident in a short and in a long text. */
const FEW_NULS = 4;
const FEW_NULS_SHARE = 0.001;

interface Findings {
  bytes: number;
  /** At even and at odd positions. */
  nuls: [number, number];
  /** Other than white space; counted only around NULs. */
  controls: number;
  isUtf8: boolean;
  samples: Buffer[];
}

const SAMPLES = 16;
const SAMPLE_BYTES = 4096;

function lookOver(read: ReadBytes, from: number): Findings {
  const found: Findings = { bytes: 0, nuls: [0, 0], controls: 0, isUtf8: true, samples: [] };
  let cut = Buffer.alloc(0);
  for (const { bytes, position } of buffersOf(read, from)) {
    found.bytes += bytes.length;
    if (JAPANESE_IN_ASCII.some((announced) => bytes.includes(announced))) throw japaneseInAscii();
    if (bytes.includes(0)) countControls(bytes, position, found);
    if (cut.length === 0 && isAscii(bytes)) continue;
    if (found.samples.length < SAMPLES) found.samples.push(sampleOf(bytes));
    if (!found.isUtf8) continue;
    const whole = cut.length === 0 ? bytes : Buffer.concat([cut, bytes]);
    const end = wholeCharacters(whole);
    found.isUtf8 = isUtf8(whole.subarray(0, end));
    cut = Buffer.from(whole.subarray(end));
  }
  found.isUtf8 &&= cut.length === 0;
  return found;
}

/** ISO-2022-JP looks like ASCII except for these escape sequences. */
const JAPANESE_IN_ASCII = ['\x1b$B', '\x1b$@'];

function japaneseInAscii(): UnreadableDocument {
  return new UnreadableDocument('The file is written in ISO-2022-JP, which is not supported. Save it in UTF-8.');
}

function countControls(bytes: Buffer, position: number, found: Findings): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === 0) found.nuls[((position + at) & 1) as 0 | 1] += 1;
    else if (byte < 9 || (byte > 13 && byte < 27)) found.controls += 1;
  }
}

function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** From the start of a line, so that no two-byte character is split. */
function sampleOf(bytes: Buffer): Buffer {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte >= 0x80),
  );
  const line = bytes.lastIndexOf(10, first) + 1;
  const begin = first - line < SAMPLE_BYTES / 2 ? line : first;
  return Buffer.from(bytes.subarray(begin, begin + SAMPLE_BYTES));
}

/** Russian and Chinese have NULs only in white space and digits; binary data has them too. */
function utf16Of(read: ReadBytes, { bytes, nuls: [even, odd], isUtf8, controls }: Findings): string | null {
  if (bytes % 2 === 1) return null;
  const [name, nuls] = odd > even ? ['utf-16le', odd] : ['utf-16be', even];
  const share = nuls / (bytes / 2);
  const isElse = isUtf8 && controls * 4 <= nuls;
  if (share < 0.5 && (isElse || nuls <= FEW_NULS || share < 0.02)) return null;
  const sample = Buffer.alloc(2 * SAMPLE_BYTES);
  const text = iconv.decode(sample.subarray(0, read(sample, 0, sample.length, 0) & ~1), name);
  const strange = text.match(/(?![\t\n\f\r])[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/gu)?.length ?? 0;
  return strange * 100 <= text.length ? name : null;
}

/** Below these chardet's guesses are random. */
const CONFIDENT = 35;
/** For a text that is surely not Western: most of its letters are outside of ASCII. */
const HARDLY_CONFIDENT = 20;
const TELLING_BYTES = 8;

/** Windows-1252 contains all letters of ISO-8859-1. */
function guess(sample: Buffer): string {
  if (isMostlyUtf8(sample)) return 'utf-8';
  const others = sample.filter((byte) => byte >= 0x80).length;
  if (others < TELLING_BYTES) return 'windows-1252';
  const latin = sample.filter((byte) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a).length;
  const [best] = chardet.analyse(sample).filter(({ name }) => !/^(ASCII|UTF-)/.test(name));
  if (!best || best.confidence < (others > latin ? HARDLY_CONFIDENT : CONFIDENT) || best.name === 'ISO-8859-1')
    return 'windows-1252';
  return iconv.encodingExists(best.name) ? best.name : 'windows-1252';
}

/** Damaged UTF-8: other encodings rarely form its characters. */
function isMostlyUtf8(sample: Buffer): boolean {
  const text = sample.toString();
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return whole > 10 * broken;
}
