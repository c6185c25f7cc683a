import type { FastPath } from './reading.ts';

/** A chunk that is longer is no repetition of a small one, and looking for it would cost more than reading it. */
const MAX_LENGTH = 2_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Where the texts of one read are put together: each by itself would be a string of its own. */
let texts = Buffer.allocUnsafe(64 * 1024);

/**
 * The chunks of an answer differ in nothing but their text, and decoding and parsing each takes most of the time that a
 * stream takes. This remembers the bytes that stand around the text of one chunk, as an event of its own. In another event
 * that begins and ends alike, with a plain string between (no quote, no backslash, no control character), the string is the
 * text, and all else is as it was: the two are the same JSON but for one string. On chunks of 250 bytes it takes about a
 * seventh of the time of decoding and JSON.parse.
 */
export class RepeatedChunk implements FastPath {
  private before: Buffer | null = null;
  private after = Buffer.alloc(0);

  /** The texts of the events from there on that are like the one learned, as one text, and where the first other begins. */
  skim(bytes: Buffer, from: number): { text: string; end: number } {
    const { before, after } = this;
    if (before === null || !hasAt(bytes, from, before)) return { text: '', end: from };
    if (texts.length < bytes.length) texts = Buffer.allocUnsafe(bytes.length);
    let end = from;
    let length = 0;
    while (hasAt(bytes, end, before)) {
      let at = end + before.length;
      const start = length;
      for (; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
        texts[length++] = byte;
      }
      if (!hasAt(bytes, at, after)) {
        length = start;
        break;
      }
      end = at + after.length;
    }
    return { text: length === 0 ? '' : texts.toString('utf8', 0, length), end };
  }

  /** Learns from a chunk of which nothing but its text, under the key `content`, matters. */
  learn(chunk: string, text: string): void {
    // An escape may hide another key of this name, and a line end another line of the event.
    if (chunk.length > MAX_LENGTH || /[\\\n]/.test(chunk)) return;
    const [key, another] = chunk.matchAll(KEY);
    // Of several it would not be known which one it is.
    if (!key || another) return;
    const at = key.index + key[0].length;
    if (!chunk.startsWith(`${text}"`, at)) return;
    this.before = Buffer.from(`data: ${chunk.slice(0, at)}`);
    this.after = Buffer.from(`${chunk.slice(at + text.length)}\n\n`);
  }
}

/** A key within a string would have its quotes escaped, and is not found. */
const KEY = /"content"\s*:\s*"/g;

function hasAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  const end = at + wanted.length;
  return end <= bytes.length && bytes[at] === wanted[0] && bytes.compare(wanted, 0, wanted.length, at, end) === 0;
}
