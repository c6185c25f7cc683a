import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Reads bytes from a position of a document on into a place of a buffer. Says how many it read; 0 at the end. */
export type ReadBytes = (into: Buffer, at: number, length: number, position: number) => number;

/** A file that is open for reading. */
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

/** Reads what is in memory as if it were a file. */
export function bytesOf(content: Buffer): ReadBytes {
  return (into, at, length, position) => content.copy(into, at, position, position + length);
}

const CHUNK_BYTES = 1024 * 1024;

/** One after the other, in the same memory. */
export function* buffersOf(read: ReadBytes, from: number): Generator<{ bytes: Buffer; position: number }, void, void> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let position = from; ; ) {
    const count = read(buffer, 0, CHUNK_BYTES, position);
    if (count === 0) return;
    yield { bytes: buffer.subarray(0, count), position };
    position += count;
  }
}

/** Larger ones are no faster, and texts made of them live on until a full collection. */
const WINDOW_BYTES = 32 * 1024;

/**
 * Some of a document's bytes, moved along by who reads it. It is as large as the longest thing that was ever kept in it, so
 * who keeps has a limit.
 */
export class ByteWindow {
  bytes: Buffer;
  /** How many of the bytes are the document's. */
  end = 0;
  /** Where in the document the window begins. */
  position: number;
  /** The document has no more than what is here. */
  ended = false;
  readonly #read: ReadBytes;

  constructor(read: ReadBytes, position: number, size = WINDOW_BYTES) {
    this.#read = read;
    this.position = position;
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Lets go what stands before `keep`, which moves to the front, and reads on behind the rest. */
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
