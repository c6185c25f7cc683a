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

/** A longer line is read in parts. */
export const SECTION_BYTES = 64 * 1024;

/** The next character shows the end of a section or line. */
export const WINDOW_BYTES = SECTION_BYTES + 4;

const SHORT_LINE_BYTES = 256;

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Up to the last end of a paragraph, line, word or character in the second half. */
export function sectionLength(bytes: Buffer): number {
  if (bytes.length <= SECTION_BYTES) return bytes.length;
  let lineEnd = 0;
  let wordEnd = 0;
  let blankBelow = 0;
  for (let at = SECTION_BYTES; at > SECTION_BYTES / 2; at--) {
    const last = bytes[at - 1]!;
    if (endsLine(bytes, at)) {
      if (blankBelow > 0) return blankBelow;
      lineEnd ||= at;
      blankBelow = at;
    } else if (last === SPACE || last === TAB) {
      wordEnd ||= at;
    } else if (last !== RETURN) {
      blankBelow = 0;
    }
  }
  return lineEnd || wordEnd || characterEnd(bytes);
}

export function lineLength(bytes: Buffer): { length: number; isWhole: boolean } {
  const length = firstLineEnd(bytes, SHORT_LINE_BYTES) ?? firstLineEnd(bytes, bytes.length) ?? bytes.length;
  const isWhole = length <= SECTION_BYTES;
  return { length: isWhole ? length : sectionLength(bytes), isWhole };
}

function firstLineEnd(bytes: Buffer, within: number): number | null {
  const feed = bytes.subarray(0, within).indexOf(LINE_FEED);
  const line = bytes.subarray(0, feed < 0 ? within : feed + 1);
  const end = line.indexOf(RETURN) + 1;
  if (end > 0 && end < bytes.length && endsLine(bytes, end)) return end;
  return feed < 0 ? null : feed + 1;
}

/** `\r` alone ends a line, but not within `\r\n`. */
function endsLine(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === LINE_FEED || (bytes[at - 1] === RETURN && bytes[at] !== LINE_FEED);
}

function characterEnd(bytes: Buffer): number {
  let at = SECTION_BYTES;
  while (at > SECTION_BYTES - 3 && (bytes[at]! & 0xc0) === 0x80) at--;
  return bytes[at - 1] === RETURN && bytes[at] === LINE_FEED ? at - 1 : at;
}
