import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { ByteWindow, type ReadBytes, type RecordPosition } from './bytes.ts';

/** `values`: one value, or one per line. */
export type JsonLayout = 'array' | 'values';

const ELEMENT_BYTES = 1024 * 1024;
/** A whole document may be one object. */
const VALUE_BYTES = 16 * 1024 * 1024;
const DEPTH = 100;

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE, COMMA, BACKSLASH] = [9, 10, 13, 32, 34, 44, 92];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

export function layoutOfJson(read: ReadBytes, begin: number): { layout: JsonLayout; begin: RecordPosition } {
  const window = new ByteWindow(read, begin);
  for (let at = 0, line = 1; ; at += 1) {
    if (at >= window.end) {
      window.advance(window.end);
      at = 0;
    }
    const byte = window.bytes[at];
    const position = { byte: window.position + at, row: 0, line };
    if (window.ended) return { layout: 'values', begin: position };
    if (byte === OPEN_BRACKET) return { layout: 'array', begin: { ...position, byte: position.byte + 1 } };
    if (byte === LINE_FEED) line += 1;
    else if (!isSpace(byte)) return { layout: 'values', begin: position };
  }
}

/** Needs memory for one value. Whole numbers too large for a double become strings of digits. */
export class JsonReader {
  line: number;
  readonly #layout: JsonLayout;
  readonly #limit: number;
  readonly #window: ByteWindow;
  #at = 0;
  #row: number;
  #nextLine: number;

  constructor(read: ReadBytes, layout: JsonLayout, from: RecordPosition, windowBytes?: number) {
    this.#window = new ByteWindow(read, from.byte, windowBytes);
    this.#layout = layout;
    this.#limit = layout === 'array' ? ELEMENT_BYTES : VALUE_BYTES;
    this.#row = from.row;
    this.#nextLine = from.line;
    this.line = from.line;
  }

  get position(): RecordPosition {
    return { byte: this.#window.position + this.#at, row: this.#row, line: this.#nextLine };
  }

  /** Wrapped, because a value may be null; null at the end. */
  read(): { value: unknown } | null {
    const next = this.#peek();
    if (this.#layout === 'values') {
      if (next === null) return null;
    } else if (this.#row > 0 || next === CLOSE_BRACKET) {
      if (next === CLOSE_BRACKET) return this.#end();
      if (next !== COMMA) throw this.#wrong(next === null ? 'the array is not closed' : 'a comma or "]" is missing');
      this.#at += 1;
      this.#peek();
    }
    const end = this.#endOfValue();
    const text = this.#window.bytes.toString('utf8', this.#at, end);
    const value = this.#parse(text);
    this.line = this.#nextLine;
    this.#nextLine += lineFeeds(text);
    this.#row += 1;
    this.#at = end;
    return { value };
  }

  #end(): null {
    this.#at += 1;
    if (this.#peek() !== null) throw this.#wrong('something follows the end of the array');
    return null;
  }

  /** Null at the end. */
  #peek(): number | null {
    for (;;) {
      if (this.#at >= this.#window.end && !this.#more()) return null;
      const byte = this.#window.bytes[this.#at]!;
      if (!isSpace(byte)) return byte;
      if (byte === LINE_FEED) this.#nextLine += 1;
      this.#at += 1;
    }
  }

  #more(): boolean {
    this.#window.advance(this.#at);
    this.#at = 0;
    return this.#window.end > 0;
  }

  #endOfValue(): number {
    for (;;) {
      const end = this.#scan();
      if ((end ?? this.#window.end) - this.#at > this.#limit) throw this.#tooLong();
      if (end !== null) return end;
      if (this.#window.ended) throw this.#wrong('the file ends within it');
      this.#more();
    }
  }

  /** Null when the window ends before the value. */
  #scan(): number | null {
    const { bytes, end } = this.#window;
    let depth = 0;
    for (let at = this.#at; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        at = endOfString(bytes, at + 1, end);
        if (depth === 0 && at < end) return at + 1;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        if (depth > DEPTH) throw this.#wrong(`it is nested deeper than ${DEPTH} levels`);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth <= 1) return depth === 0 ? at : at + 1;
        depth -= 1;
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
    }
    return depth === 0 && this.#window.ended ? end : null;
  }

  #parse(text: string): unknown {
    if (text === '') throw this.#wrong('a value is missing');
    try {
      return SOME_LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    } catch (error) {
      const { message } = error as SyntaxError;
      const offset = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0);
      this.#nextLine += lineFeeds(text.slice(0, offset));
      throw this.#wrong(
        message
          .replace(/ in JSON at position.*/s, '')
          .replace(/\s+/g, ' ')
          .slice(0, MESSAGE_LENGTH),
      );
    }
  }

  #wrong(what: string): UnreadableDocument {
    const remedy = 'Send a JSON array, or one value per line, and check it with a JSON validator.';
    return new UnreadableDocument(`${this.#noun()} in line ${this.#nextLine} is not valid JSON: ${what}. ${remedy}`);
  }

  #tooLong(): UnreadableDocument {
    const remedy =
      this.#layout === 'array' ? 'Split it into several.' : 'Send an array of records, or one record per line.';
    return new UnreadableDocument(
      `${this.#noun()}, which begins in line ${this.#nextLine}, is longer than ${this.#limit / ELEMENT_BYTES} MB. ${remedy}`,
    );
  }

  #noun(): string {
    return `${this.#layout === 'array' ? 'Element' : 'Value'} ${this.#row + 1}`;
  }
}

/** V8's messages include an excerpt of the document. */
const MESSAGE_LENGTH = 120;

/** Digits or an exponent that a double may not represent. */
const SOME_LONG_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;

function keepDigits(_name: string, value: unknown, context?: { source: string }): unknown {
  if (!context || typeof value !== 'number') return value;
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
  return String(value) === context.source ? value : context.source;
}

/** `end` or more when there is none. */
function endOfString(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
