import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const BUFFER_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export class Utf8File {
  readonly size: number;
  /** After the byte order mark. */
  readonly start: number;
  private readonly descriptor: number;
  private readonly buffer: Buffer;
  private bufferStart = 0;
  private bufferEnd = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, 'r');
    this.size = fstatSync(this.descriptor).size;
    this.buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, this.size));
    this.start = this.bytes(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  /** Fewer at the file's end. Valid until the next call. */
  bytes(from: number, length: number): Buffer {
    const to = Math.min(from + length, this.size);
    if (from < this.bufferStart || to > this.bufferEnd) this.fill(from);
    return this.buffer.subarray(from - this.bufferStart, Math.min(to, this.bufferEnd) - this.bufferStart);
  }

  text(from: number, to: number): string {
    const text = this.bytes(from, to - from)
      .toString('utf8')
      .replace(/\r\n?/g, '\n');
    return text.includes('\x1b') ? stripVTControlCharacters(text) : text;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private fill(from: number): void {
    this.bufferStart = from;
    this.bufferEnd = from;
    let read = 1;
    while (read > 0 && this.bufferEnd < from + this.buffer.length) {
      const filled = this.bufferEnd - from;
      read = readSync(this.descriptor, this.buffer, filled, this.buffer.length - filled, this.bufferEnd);
      this.bufferEnd += read;
    }
  }
}
