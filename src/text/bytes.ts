import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Returns the number of bytes; 0 at the end. */
export type ReadBytes = (into: Buffer, at: number, length: number, position: number) => number;

/** Before a record of a CSV or of JSON. */
export interface RecordPosition {
  byte: number;
  row: number;
  line: number;
}

export interface ByteFile {
  read: ReadBytes;
  size: number;
  close(): void;
}

export function openBytes(path: string): ByteFile {
  const file = openSync(path, 'r');
  return {
    read: (into, at, length, position) => readSync(file, into, at, length, position),
    size: fstatSync(file).size,
    close: () => closeSync(file),
  };
}

export function bytesOf(content: Buffer): ReadBytes {
  return (into, at, length, position) => content.copy(into, at, position, position + length);
}

const CHUNK_BYTES = 1024 * 1024;

/** Consecutive reads into the same buffer. */
export function* buffersOf(read: ReadBytes, from: number): Generator<{ bytes: Buffer; position: number }, void, void> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let position = from; ; ) {
    const count = read(buffer, 0, CHUNK_BYTES, position);
    if (count === 0) return;
    yield { bytes: buffer.subarray(0, count), position };
    position += count;
  }
}

/** Larger windows are no faster, and their strings live until a full collection. */
const WINDOW_BYTES = 32 * 1024;

/** Grows to the longest span kept, which callers limit. */
export class ByteWindow {
  bytes: Buffer;
  end = 0;
  position: number;
  ended = false;
  readonly #read: ReadBytes;

  constructor(read: ReadBytes, position: number, size = WINDOW_BYTES) {
    this.#read = read;
    this.position = position;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  advance(keep: number): void {
    const kept = this.end - keep;
    const from = this.bytes;
    if (kept === from.length) this.bytes = Buffer.allocUnsafeSlow(2 * kept);
    if (keep > 0 || this.bytes !== from) from.copy(this.bytes, 0, keep, this.end);
    this.position += keep;
    const count = this.#read(this.bytes, kept, this.bytes.length - kept, this.position + kept);
    this.end = kept + count;
    this.ended = count === 0;
  }
}
