import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Reads bytes from a position of a document into a buffer. Returns how many; 0 at the end. */
export type ReadBytes = (into: Buffer, at: number, length: number, position: number) => number;

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

/** Reads a buffer as if it were a file. */
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

/** Larger windows are no faster, and strings made of them live until a full collection. */
const WINDOW_BYTES = 32 * 1024;

/** A sliding window over a document. It grows to the longest span kept, which callers limit. */
export class ByteWindow {
  bytes: Buffer;
  /** How many of the bytes are valid. */
  end = 0;
  /** The window's offset in the document. */
  position: number;
  /** The window reaches the document's end. */
  ended = false;
  readonly #read: ReadBytes;

  constructor(read: ReadBytes, position: number, size = WINDOW_BYTES) {
    this.#read = read;
    this.position = position;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Drops the bytes before `keep`, moves the rest to the front, and reads on. */
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
