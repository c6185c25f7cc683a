import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import iconv from 'iconv-lite';
import type { Prepared } from '../core/knowledge/reader.ts';
import { buffersOf, bytesOf, openBytes, type ReadBytes } from './bytes.ts';
import { type Encoding, encodingOf } from './encoding-judge.ts';

/** Without NULs; invalid bytes become U+FFFD. */
export interface PreparedText extends Prepared {
  path: string;
  size: number;
  begin: number;
  /** Of the original. */
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

/** Of a file in memory. */
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
