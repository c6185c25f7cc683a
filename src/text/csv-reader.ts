import { isUtf8 } from 'node:buffer';
import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { ByteWindow, type ReadBytes, type RecordPosition } from './bytes.ts';

/** A longer record is an unclosed quote, or the file is not a CSV. */
const RECORD_BYTES = 1024 * 1024;
/** The most columns that spreadsheets have. */
const VALUES = 16_384;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

export interface CsvDialect {
  /** One ASCII character. */
  delimiter: string;
  /** Lines end at a CR as well. Without it, a CR that precedes no LF belongs to its value. */
  endsAtCr?: boolean;
}

/** RFC 4180 in UTF-8. Like spreadsheets, accepts stray quotes and text after a closing quote. */
export class CsvReader {
  line: number;
  /** The record just read has text after a closing quote. */
  hasTextAfterQuote = false;
  readonly #delimiter: number;
  readonly #endsAtCr: boolean;
  readonly #window: ByteWindow;
  /** Decoded as Latin-1: slicing it is several times faster than decoding values. */
  #text = '';
  /** Offsets in the window of the next record, of the one just read, and of the next byte. */
  #start = 0;
  #begun = 0;
  #at = 0;
  #row: number;
  #nextLine: number;
  /** Line breaks within quotes of the current record, and the line of an open quote. */
  #breaks = 0;
  #openQuote: number | null = null;

  constructor(read: ReadBytes, from: RecordPosition, { delimiter, endsAtCr }: CsvDialect, windowBytes?: number) {
    this.#window = new ByteWindow(read, from.byte, windowBytes);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#endsAtCr = endsAtCr === true;
    this.#row = from.row;
    this.#nextLine = from.line;
    this.line = from.line;
  }

  get position(): RecordPosition {
    return { byte: this.#window.position + this.#start, row: this.#row, line: this.#nextLine };
  }

  /** Null at the end. */
  read(): string[] | null {
    for (;;) {
      const values = this.#skipBlankLines() ? this.#record() : null;
      if (values) return values;
      if (this.#window.ended) return null;
      this.#limit(this.#window.end - this.#start);
      this.#advance();
    }
  }

  /**
   * Continues after the first line of the record that was just read, or could not be. False when no
   * line follows.
   */
  skipLine(): boolean {
    if (this.#start > this.#begun) this.#nextLine = this.line;
    this.#start = this.#begun;
    for (let length: number | null = 0; !length; ) {
      length = this.#lineBreak(this.#start);
      if (length !== null) this.#start += length || 1;
      else {
        this.#advance();
        this.#begun = 0;
        if (this.#window.end === 0) return false;
      }
    }
    this.#begun = this.#start;
    this.#nextLine += 1;
    return true;
  }

  /** Whether the record just read has only whole characters. */
  isUtf8(): boolean {
    return isUtf8(this.#window.bytes.subarray(this.#begun, this.#start));
  }

  #advance(): void {
    this.#window.advance(this.#start);
    this.#text = this.#window.bytes.toString('latin1', 0, this.#window.end);
    this.#start = 0;
  }

  #skipBlankLines(): boolean {
    for (;;) {
      const length = this.#lineBreak(this.#start);
      if (length === null) return false;
      if (length === 0) return true;
      this.#start += length;
      this.#nextLine += 1;
    }
  }

  /** Null when the window ends too early. */
  #lineBreak(at: number): number | null {
    const { bytes, end, ended } = this.#window;
    if (at >= end) return null;
    if (bytes[at] === LINE_FEED) return 1;
    if (bytes[at] !== CARRIAGE_RETURN) return 0;
    if (at + 1 === end) return ended ? 1 : null;
    if (bytes[at + 1] === LINE_FEED) return 2;
    return this.#endsAtCr ? 1 : 0;
  }

  /** Null when it does not end in the window: it is then read again in a larger one. */
  #record(): string[] | null {
    const { bytes, end, ended } = this.#window;
    const values: string[] = [];
    this.#begun = this.#start;
    this.#at = this.#start;
    this.#breaks = 0;
    this.#openQuote = null;
    this.hasTextAfterQuote = false;
    for (;;) {
      const isQuoted = this.#at < end && bytes[this.#at] === QUOTE;
      const quoted = isQuoted ? this.#quoted() : '';
      if (quoted === null) return null;
      const plain = this.#plain();
      if (isQuoted && plain !== '') this.hasTextAfterQuote = true;
      if (this.#at === end) {
        if (!ended) return null;
        values.push(quoted + plain);
        return this.#finish(values, 0);
      }
      values.push(quoted === '' ? plain : quoted + plain);
      if (bytes[this.#at] !== this.#delimiter) {
        const length = this.#lineBreak(this.#at);
        return length === null ? null : this.#finish(values, length);
      }
      this.#at += 1;
    }
  }

  #finish(values: string[], lineBreak: number): string[] {
    this.#limit(this.#at - this.#start);
    if (values.length > VALUES) throw this.#unlikely(`has more than ${VALUES} values`);
    this.#start = this.#at + lineBreak;
    this.#row += 1;
    this.line = this.#nextLine;
    this.#nextLine += this.#breaks + 1;
    return values;
  }

  #plain(): string {
    const { bytes, end } = this.#window;
    const delimiter = this.#delimiter;
    const endsAtCr = this.#endsAtCr;
    const from = this.#at;
    let at = from;
    let bits = 0;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === delimiter || byte === LINE_FEED) break;
      if (byte === CARRIAGE_RETURN && (endsAtCr || at + 1 === end || bytes[at + 1] === LINE_FEED)) break;
      bits |= byte;
      at += 1;
    }
    this.#at = at;
    return from === at ? '' : this.#decode(from, at, bits);
  }

  /** Null when the closing quote is not in the window. */
  #quoted(): string | null {
    const { bytes, end, ended } = this.#window;
    const from = this.#at + 1;
    const opened = this.#nextLine + this.#breaks;
    let doubled = false;
    let bits = 0;
    let at = from;
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      bits |= byte;
      if (byte === LINE_FEED) this.#breaks += 1;
      else if (byte === CARRIAGE_RETURN) {
        if (this.#endsAtCr && bytes[at + 1] !== LINE_FEED) this.#breaks += 1;
      } else if (byte === QUOTE) {
        if (at + 1 < end && bytes[at + 1] === QUOTE) {
          doubled = true;
          at += 1;
          continue;
        }
        this.#at = at + 1;
        const value = this.#decode(from, at, bits);
        return doubled ? value.replaceAll('""', '"') : value;
      }
    }
    if (ended) throw neverClosed(opened);
    this.#openQuote = opened;
    return null;
  }

  #decode(from: number, to: number, bits: number): string {
    return bits < 0x80 ? this.#text.slice(from, to) : this.#window.bytes.toString('utf8', from, to);
  }

  #limit(bytes: number): void {
    if (bytes <= RECORD_BYTES) return;
    if (this.#openQuote !== null) throw neverClosed(this.#openQuote);
    throw this.#unlikely('is longer than 1 MB');
  }

  #unlikely(what: string): UnreadableDocument {
    return new UnreadableDocument(
      `The row that begins in line ${this.#nextLine} ${what}. Check that the file is a CSV, and its delimiter.`,
    );
  }
}

function neverClosed(line: number): UnreadableDocument {
  return new UnreadableDocument(
    `The quote opened in line ${line} is not closed within 1 MB. Close it, or double it ("") if it belongs to the value.`,
  );
}
